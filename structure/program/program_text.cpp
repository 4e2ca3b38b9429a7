//===- structure/program/program_text.cpp - serialisation of programs -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/program/program_text.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace specrt {
namespace {

constexpr std::string_view Head = "dense1";
constexpr size_t MaxCount = 512;
constexpr unsigned MaxDepth = 6;
constexpr int64_t MaxNumber = std::numeric_limits<int32_t>::max();

class Writer {
public:
  std::string Text{Head};

  void number(int64_t N) { Text += ' ' + std::to_string(N); }
  void name(const std::string &Of) { Text += ' ' + std::to_string(Of.size()) + ':' + Of; }
  template <typename T, typename F> void all(const std::vector<T> &Of, F Write) {
    number(static_cast<int64_t>(Of.size()));
    for (const T &Each : Of)
      Write(Each);
  }
  void value(const AffineValue &Of) {
    number(Of.Constant);
    all(Of.Loops, [&](int64_t N) { number(N); });
    all(Of.Parameters, [&](int64_t N) { number(N); });
  }
  void values(const std::vector<AffineValue> &Of) {
    all(Of, [&](const AffineValue &V) { value(V); });
  }
  void access(const DenseAccess &Of) {
    number(Of.Array);
    values(Of.Subscripts);
  }
  void statement(const DenseStatement &Of) {
    name(Of.Name);
    number(Of.Depth);
    number(Of.MayWrite);
    all(Of.Domain, [&](const std::vector<AffineValue> &Where) { values(Where); });
    access(Of.Write);
    all(Of.Reads, [&](const DenseAccess &Read) { access(Read); });
    all(Of.Value.Nodes, [&](const DenseNode &Node) {
      number(static_cast<int64_t>(Node.Op));
      // Only whether a constant is zero matters.
      number(Node.Op == DenseOp::Read ? Node.Access : Node.Value != 0);
      for (unsigned I = 0; I < numOperands(Node.Op); ++I)
        number(Node.Operand[I]);
    });
  }
  void items(const std::vector<DenseItem> &Of) {
    all(Of, [&](const DenseItem &Item) {
      number(Item.IsLoop ? -1 : static_cast<int64_t>(Item.Statement));
      if (Item.IsLoop)
        items(Item.Body);
    });
  }
};

class Reader {
public:
  explicit Reader(std::string_view Text) : Rest(Text) {}

  std::optional<DenseProgram> run();

private:
  void fail() {
    Good = false;
    Rest = {};
  }
  int64_t number(int64_t Least, int64_t Most) {
    int64_t N = 0;
    if (!Rest.starts_with(' ')) {
      fail();
      return Least;
    }
    const auto [End, Problem] = std::from_chars(Rest.data() + 1, Rest.data() + Rest.size(), N);
    if (Problem != std::errc() || N < Least || N > Most) {
      fail();
      return Least;
    }
    Rest.remove_prefix(static_cast<size_t>(End - Rest.data()));
    return N;
  }
  unsigned index(size_t Count) {
    if (Count == 0)
      fail();
    return Count ? static_cast<unsigned>(number(0, static_cast<int64_t>(Count) - 1)) : 0;
  }
  std::string name() {
    const auto Size = static_cast<size_t>(number(0, MaxCount));
    if (!Rest.starts_with(':') || Rest.size() <= Size) {
      fail();
      return {};
    }
    std::string Name(Rest.substr(1, Size));
    Rest.remove_prefix(Size + 1);
    return Name;
  }
  template <typename T, typename F> void all(std::vector<T> &To, size_t Most, F Read) {
    const int64_t Count = number(0, static_cast<int64_t>(Most));
    for (int64_t I = 0; I < Count && Good; ++I)
      To.push_back(Read());
  }
  AffineValue value() {
    AffineValue V;
    auto Number = [&] { return number(-MaxNumber, MaxNumber); };
    V.Constant = Number();
    all(V.Loops, NumLoops, Number);
    all(V.Parameters, Program.Parameters.size(), Number);
    return V;
  }
  std::vector<AffineValue> values(size_t Most) {
    std::vector<AffineValue> Values;
    all(Values, Most, [&] { return value(); });
    return Values;
  }
  DenseAccess access() {
    DenseAccess A;
    A.Array = index(Program.Arrays.size());
    A.Subscripts = values(MaxDepth);
    if (Good && A.Subscripts.size() != Program.Arrays[A.Array].Rank)
      fail();
    return A;
  }
  DenseArray array();
  DenseNode node(size_t Before, size_t NumReads);
  DenseStatement statement();
  std::vector<DenseItem> items(unsigned Depth);

  std::string_view Rest;
  bool Good = true;
  size_t NumItems = 0;
  unsigned NumLoops = 0; ///< loops around the item that is being read
  DenseProgram Program;
};

DenseArray Reader::array() {
  DenseArray A;
  A.Name = name();
  A.Rank = static_cast<unsigned>(number(0, MaxDepth));
  A.IsTemporary = number(0, 1) != 0;
  A.Extents = values(MaxDepth);
  if (A.Extents.size() != A.Rank)
    fail();
  return A;
}

DenseNode Reader::node(size_t Before, size_t NumReads) {
  DenseNode Node;
  Node.Op = static_cast<DenseOp>(number(0, static_cast<int64_t>(DenseOp::MultiplyAdd)));
  if (Node.Op == DenseOp::Read)
    Node.Access = index(NumReads);
  else
    Node.Value = static_cast<double>(number(0, 1));
  for (unsigned I = 0; I < numOperands(Node.Op) && Good; ++I)
    Node.Operand[I] = index(Before);
  return Node;
}

DenseStatement Reader::statement() {
  DenseStatement S;
  S.Name = name();
  S.Depth = static_cast<unsigned>(number(0, MaxDepth));
  S.MayWrite = number(0, 1) != 0;
  NumLoops = S.Depth;
  all(S.Domain, MaxCount, [&] { return values(MaxCount); });
  S.Write = access();
  all(S.Reads, MaxCount, [&] { return access(); });
  std::vector<DenseNode> &Nodes = S.Value.Nodes;
  all(Nodes, MaxCount, [&] { return node(Nodes.size(), S.Reads.size()); });
  if (Nodes.empty())
    fail();
  return S;
}

std::vector<DenseItem> Reader::items(unsigned Depth) {
  std::vector<DenseItem> Items;
  all(Items, MaxCount, [&] {
    DenseItem Item;
    const int64_t What = number(-1, static_cast<int64_t>(Program.Statements.size()) - 1);
    Item.IsLoop = What < 0;
    if (++NumItems > MaxCount || (Item.IsLoop && Depth == MaxDepth))
      fail();
    else if (Item.IsLoop)
      Item.Body = items(Depth + 1);
    else if (Program.Statements[static_cast<size_t>(What)].Depth != Depth)
      fail();
    else
      Item.Statement = static_cast<unsigned>(What);
    return Item;
  });
  return Items;
}

std::optional<DenseProgram> Reader::run() {
  if (!Rest.starts_with(Head))
    return std::nullopt;
  Rest.remove_prefix(Head.size());
  all(Program.Parameters, MaxCount, [&] { return name(); });
  all(Program.Arrays, MaxCount, [&] { return array(); });
  all(Program.Statements, MaxCount, [&] { return statement(); });
  Program.Items = items(0);
  if (!Good || !Rest.empty())
    return std::nullopt;
  return std::move(Program);
}

} // namespace

std::string programText(const DenseProgram &Of) {
  Writer To;
  To.all(Of.Parameters, [&](const std::string &Name) { To.name(Name); });
  To.all(Of.Arrays, [&](const DenseArray &Array) {
    To.name(Array.Name);
    To.number(Array.Rank);
    To.number(Array.IsTemporary);
    To.values(Array.Extents);
  });
  To.all(Of.Statements, [&](const DenseStatement &S) { To.statement(S); });
  To.items(Of.Items);
  return std::move(To.Text);
}

std::optional<DenseProgram> readProgram(std::string_view Text) { return Reader(Text).run(); }

} // namespace specrt
