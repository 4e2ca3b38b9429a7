//===- tools/why/why_text.cpp - describes what the loops of a region could do ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/why/why_text.h"
#include "tools/terminal.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <set>

namespace specrt::tools {
namespace {

std::string verdictText(const char *What, const FeedbackVerdict &V, const std::string &Indent) {
  std::string Text = printable(V.Answer == "unknown" ? "not known" : V.Answer);
  if (!V.Because.empty())
    Text += (V.Answer == "yes" ? ", " : ": ") + printable(V.Because);
  return wrapped(fmt::format("{}  {:<14}", Indent, std::string(What) + ":"), Text);
}

std::string loopText(const FeedbackLoop &L, size_t Number, bool IsRecorded) {
  const std::string Indent(static_cast<size_t>(std::min<uint64_t>(L.Depth, 10)) * 2, ' ');
  std::string Text = fmt::format("{}loop {}", Indent, Number);
  if (L.Line)
    Text += fmt::format(", line {}", L.Line);
  if (L.Trips)
    Text += fmt::format(", {} iteration{}{}", grouped(L.Trips), L.Trips == 1 ? "" : "s",
                        IsRecorded ? " recorded" : "");
  return Text + "\n" + verdictText("parallel", L.Parallel, Indent) +
         verdictText("vectorisable", L.Vectorisable, Indent) +
         verdictText("tilable", L.Tilable, Indent);
}

std::string strideText(const FeedbackAccess &A) {
  std::string Text;
  for (const auto &[Loop, Bytes] : A.Strides) {
    Text += Text.empty() ? "" : ", ";
    if (!Bytes)
      Text += "none";
    else if (A.Width > 0 && *Bytes % static_cast<int64_t>(A.Width) == 0)
      Text += std::to_string(*Bytes / static_cast<int64_t>(A.Width));
    else
      Text += std::to_string(*Bytes) + " B";
  }
  return Text;
}

std::string accessesText(const Feedback &F) {
  if (F.Accesses.empty())
    return "";
  const bool IsRecorded = F.From == "recording";
  std::vector<Table::Column> Columns = {
      {"  LINE", true}, {"ACCESS"}, {"ADDRESS IN BYTES"}, {"STRIDE PER LOOP"}};
  if (IsRecorded)
    Columns.push_back({"AFFINE", true});
  Table Out(std::move(Columns));
  for (const FeedbackAccess &A : F.Accesses) {
    std::vector<Table::Cell> Row = {{A.Line ? std::to_string(A.Line) : "-"},
                                    {A.IsWrite ? "write" : "read"},
                                    {printable(A.Function)},
                                    {strideText(A)}};
    if (IsRecorded)
      Row.push_back({A.Points ? fmt::format("{:.0f} %", A.AffinePercent) : "-"});
    Out.add(std::move(Row));
  }
  return Out.text();
}

std::string dependencesText(const Feedback &F) {
  std::string Text;
  std::set<std::string> Told;
  for (const FeedbackDependence &D : F.Dependences) {
    std::string Line = printable(D.Text);
    if (D.Role == "counter")
      Line += ", an induction variable: in nobody's way";
    else if (D.Role == "reduction")
      Line += ", a reduction: may be done in another order";
    else if (D.Role == "ordered-reduction")
      Line += ", a reduction: in another order its result may differ";
    Line = wrapped(fmt::format("  loop {}: ", D.Loop), Line);
    if (Told.insert(Line).second)
      Text += Line;
  }
  return Text;
}

std::string adviceText(const Feedback &F) {
  std::string Text;
  for (const std::string &Sentence : F.Advice)
    Text += wrapped("  -> ", printable(Sentence));
  return Text;
}

std::string titled(const char *Title, const std::string &Body) {
  return Body.empty() ? "" : ink(Ink::Soft, Title) + "\n" + Body;
}

/// A picture that consists of characters.
class Canvas {
public:
  Canvas(size_t Rows, size_t Columns) : Lines(Rows, std::string(Columns, ' ')) {}

  void put(size_t Row, size_t Column, char C) {
    if (Row >= Lines.size() || Column >= Lines[Row].size())
      return;
    char &Before = Lines[Row][Column];
    const bool Crosses = (Before == '/' && C == '\\') || (Before == '\\' && C == '/');
    Before = Crosses ? 'X' : C;
  }
  void put(size_t Row, size_t Column, const std::string &Text) {
    for (size_t I = 0; I < Text.size(); ++I)
      put(Row, Column + I, Text[I]);
  }
  std::string text() const {
    std::string Text;
    for (const std::string &Line : Lines)
      Text += Line.substr(0, Line.find_last_not_of(' ') + 1) + "\n";
    return Text;
  }

private:
  std::vector<std::string> Lines;
};

/// Draws the domain of iterations: rows of the outer loop, four columns apart.
class DomainPicture {
public:
  static constexpr int64_t MaxColumns = 12;
  static constexpr size_t MaxRows = 8, Left = 10, Apart = 4;

  explicit DomainPicture(const FeedbackPicture &P);
  std::string draw();

private:
  bool contains(size_t Row, int64_t Column) const {
    return Row < Rows.size() && Column >= Rows[Row].First && Column <= Rows[Row].Last &&
           Column < First + MaxColumns;
  }
  size_t x(int64_t Column) const { return Left + static_cast<size_t>(Column - First) * Apart; }
  void connect(size_t Row, int64_t Column);

  const FeedbackPicture &P;
  std::vector<FeedbackPicture::Row> Rows;
  const size_t Height; ///< lines per row
  int64_t First = 0;
  Canvas Out;
};

DomainPicture::DomainPicture(const FeedbackPicture &P)
    : P(P), Rows(P.Rows.begin(),
                 P.Rows.begin() + static_cast<ptrdiff_t>(std::min(P.Rows.size(), MaxRows))),
      Height(std::any_of(P.Arrows.begin(), P.Arrows.end(),
                         [](const auto &Arrow) { return Arrow.first == 1; })
                 ? 2
                 : 1),
      Out(Height * (Rows.size() - 1) + 2, Left + (MaxColumns + 1) * Apart) {
  First = Rows.front().First;
  for (const FeedbackPicture::Row &R : Rows)
    First = std::min(First, R.First);
}

/// Draws the dependences from an iteration to its neighbours.
void DomainPicture::connect(size_t Row, int64_t Column) {
  const size_t Line = 1 + Height * Row;
  for (const auto &[Down, Right] : P.Arrows) {
    if (Down == 0 && Right == 1 && contains(Row, Column + 1))
      Out.put(Line, x(Column) + 1, "-->");
    if (Down != 1 || std::abs(Right) > 1 || !contains(Row + 1, Column + Right) ||
        Rows[Row + 1].Outer != Rows[Row].Outer + 1)
      continue;
    if (Right == 0)
      Out.put(Line + 1, x(Column), '|');
    else
      Out.put(Line + 1, Right > 0 ? x(Column) + 2 : x(Column) - 2, Right > 0 ? '\\' : '/');
  }
}

std::string DomainPicture::draw() {
  Out.put(0, 2, fmt::format("c{} \\ c{}", P.Outer, P.Inner));
  int64_t Last = First;
  for (const FeedbackPicture::Row &R : Rows)
    Last = std::max(Last, std::min(R.Last, First + MaxColumns - 1));
  for (int64_t Column = First; Column <= Last; ++Column)
    Out.put(0, x(Column), std::to_string(Column));
  for (size_t Row = 0; Row < Rows.size(); ++Row) {
    const std::string Number = std::to_string(Rows[Row].Outer);
    Out.put(1 + Height * Row, 6 - std::min<size_t>(Number.size(), 6), Number);
    for (int64_t Column = std::max(First, Rows[Row].First);
         Column <= std::min(Last, Rows[Row].Last); ++Column) {
      Out.put(1 + Height * Row, x(Column), 'o');
      connect(Row, Column);
    }
    if (Rows[Row].Last > Last)
      Out.put(1 + Height * Row, x(Last) + Apart - 1, "...");
  }
  return Out.text();
}

} // namespace

std::string pictureText(const FeedbackPicture &P) {
  constexpr int64_t MaxCoordinate = 1'000'000;
  const bool IsReasonable =
      !P.Rows.empty() && std::all_of(P.Rows.begin(), P.Rows.end(), [](const auto &R) {
        return R.First >= 0 && R.First <= R.Last && R.First < MaxCoordinate && R.Outer >= 0;
      });
  if (!IsReasonable)
    return "";
  std::string Text = DomainPicture(P).draw();
  std::string Others;
  for (const auto &[Down, Right] : P.Arrows)
    if (Down > 1 || std::abs(Right) > 1)
      Others += fmt::format("{}({}, {})", Others.empty() ? "" : ", ", Down, Right);
  if (P.NotDrawn)
    Others += fmt::format("{}{} without one distance", Others.empty() ? "" : ", ", P.NotDrawn);
  return Others.empty() ? Text : Text + wrapped("  not drawn: ", Others);
}

std::string whyText(const Feedback &F) {
  if (F.From.empty())
    return "";
  std::string Text = F.From == "recording"
                         ? "  From one recorded call: what others do may differ.\n"
                         : "  From the code, with the values that versions are made for.\n";
  for (size_t I = 0; I < F.Loops.size(); ++I)
    Text += loopText(F.Loops[I], I + 1, F.From == "recording");
  Text += titled("  Accesses", accessesText(F));
  Text += titled("  What iterations take over from earlier ones", dependencesText(F));
  Text += titled("  Iterations, and what connects them", pictureText(F.Picture));
  Text += titled("  What to do", adviceText(F));
  if (F.Omitted)
    Text += "  There are more accesses or dependences than are kept.\n";
  return Text;
}

} // namespace specrt::tools
