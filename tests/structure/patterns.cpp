//===- tests/structure/patterns.cpp - matrices of all kinds, and the traces of their rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/structure/patterns.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace specrt_test {
namespace {

using Generator = std::mt19937;

int64_t upTo(Generator &Random, int64_t Last) {
  return static_cast<int64_t>(Random() % static_cast<uint64_t>(Last + 1));
}

Pattern named(std::string Name, int64_t Columns) {
  Pattern P;
  P.Name = std::move(Name);
  P.Columns = Columns;
  return P;
}

/// B rows with the B columns of each of these nodes.
void addBlockRows(Pattern &To, const std::set<int64_t> &Nodes, int64_t B) {
  for (int64_t Row = 0; Row < B; ++Row) {
    for (int64_t Node : Nodes)
      for (int64_t Column = 0; Column < B; ++Column)
        To.add(Node * B + Column);
    To.endRow();
  }
}

std::set<int64_t> randomColumns(Generator &Random, int64_t Columns, int64_t Length) {
  std::set<int64_t> Result;
  for (int64_t K = 0; K < Length; ++K)
    Result.insert(upTo(Random, Columns - 1));
  return Result;
}

} // namespace

Pattern grid(int64_t X, int64_t Y, int64_t Z) {
  Pattern P = named("grid", X * Y * Z);
  for (int64_t K = 0; K < Z; ++K)
    for (int64_t J = 0; J < Y; ++J)
      for (int64_t I = 0; I < X; ++I) {
        const int64_t Row = (K * Y + J) * X + I;
        if (K > 0)
          P.add(Row - X * Y);
        if (J > 0)
          P.add(Row - X);
        if (I > 0)
          P.add(Row - 1);
        P.add(Row);
        if (I + 1 < X)
          P.add(Row + 1);
        if (J + 1 < Y)
          P.add(Row + X);
        if (K + 1 < Z)
          P.add(Row + X * Y);
        P.endRow();
      }
  return P;
}

Pattern elements(int64_t X, int64_t Y, int64_t B) {
  Pattern P = named("elements", X * Y * B);
  for (int64_t J = 0; J < Y; ++J)
    for (int64_t I = 0; I < X; ++I) {
      std::set<int64_t> Nodes;
      for (int64_t DJ = std::max<int64_t>(J - 1, 0); DJ <= std::min(J + 1, Y - 1); ++DJ)
        for (int64_t DI = std::max<int64_t>(I - 1, 0); DI <= std::min(I + 1, X - 1); ++DI)
          Nodes.insert(DJ * X + DI);
      addBlockRows(P, Nodes, B);
    }
  return P;
}

Pattern randomBlocks(Generator &Random, int64_t Nodes, int64_t B) {
  Pattern P = named("random blocks", Nodes * B);
  for (int64_t Node = 0; Node < Nodes; ++Node) {
    std::set<int64_t> Neighbours = randomColumns(Random, Nodes, 2 + upTo(Random, 4));
    Neighbours.insert(Node);
    addBlockRows(P, Neighbours, B);
  }
  return P;
}

Pattern band(int64_t Rows, int64_t Below, int64_t Above) {
  Pattern P = named("band", Rows);
  for (int64_t Row = 0; Row < Rows; ++Row) {
    for (int64_t Column = std::max<int64_t>(0, Row - Below);
         Column <= std::min(Rows - 1, Row + Above); ++Column)
      P.add(Column);
    P.endRow();
  }
  return P;
}

Pattern arrow(int64_t Rows) {
  Pattern P = named("arrow", Rows);
  for (int64_t Row = 0; Row + 1 < Rows; ++Row) {
    P.add(Row);
    P.add(Rows - 1);
    P.endRow();
  }
  for (int64_t Column = 0; Column < Rows; ++Column)
    P.add(Column);
  P.endRow();
  return P;
}

Pattern randomRows(Generator &Random, int64_t Rows, int64_t MaxLength) {
  Pattern P = named("random", Rows);
  const bool IsFixed = Random() % 2;
  for (int64_t Row = 0; Row < Rows; ++Row) {
    const int64_t Length = IsFixed ? MaxLength : upTo(Random, MaxLength);
    std::vector<int64_t> Columns;
    for (int64_t K = 0; K < Length; ++K)
      Columns.push_back(upTo(Random, Rows - 1));
    std::sort(Columns.begin(), Columns.end());
    for (int64_t Column : Columns)
      P.add(Column);
    P.endRow();
  }
  return P;
}

Pattern powerLaw(Generator &Random, int64_t Rows) {
  Pattern P = named("power law", Rows);
  std::uniform_real_distribution<double> Uniform(0.001, 1);
  for (int64_t Row = 0; Row < Rows; ++Row) {
    const auto Length = std::min<int64_t>(Rows, static_cast<int64_t>(1 / Uniform(Random)));
    for (int64_t Column : randomColumns(Random, Rows, Length))
      P.add(Column);
    P.endRow();
  }
  return P;
}

Pattern permuted(Generator &Random, const Pattern &Of) {
  Pattern P = named("permuted " + Of.Name, Of.Columns);
  std::vector<int64_t> Order(static_cast<size_t>(Of.rows()));
  std::iota(Order.begin(), Order.end(), 0);
  std::shuffle(Order.begin(), Order.end(), Random);
  for (int64_t Row : Order) {
    for (int64_t K = Of.Start[Row]; K < Of.Start[Row + 1]; ++K)
      P.add(Of.Column[K]);
    P.endRow();
  }
  return P;
}

Pattern spoiled(Generator &Random, const Pattern &Of) {
  Pattern P = named("spoiled " + Of.Name, Of.Columns);
  const unsigned Kind = Random() % 4;
  const int64_t Dense = upTo(Random, std::max<int64_t>(0, Of.rows() - 1));
  for (int64_t Row = 0; Row < Of.rows(); ++Row) {
    std::vector<int64_t> Columns(Of.Column.begin() + Of.Start[Row],
                                 Of.Column.begin() + Of.Start[Row + 1]);
    if (Kind == 0 && Random() % 20 == 0)
      Columns.clear();
    if (Kind == 1 && Row == Dense) {
      Columns.resize(static_cast<size_t>(Of.Columns));
      std::iota(Columns.begin(), Columns.end(), 0);
    }
    if (Kind == 2 && !Columns.empty() && Random() % 20 == 0)
      Columns.push_back(Columns.back());
    if (Kind == 3 && Random() % 20 == 0)
      std::shuffle(Columns.begin(), Columns.end(), Random);
    for (int64_t Column : Columns)
      P.add(Column);
    P.endRow();
  }
  return P;
}

Pattern lower(const Pattern &Of) {
  Pattern P = named("lower " + Of.Name, Of.Columns);
  for (int64_t Row = 0; Row < Of.rows(); ++Row) {
    for (int64_t K = Of.Start[Row]; K < Of.Start[Row + 1]; ++K)
      if (Of.Column[K] < Row)
        P.add(Of.Column[K]);
    P.endRow();
  }
  return P;
}

Pattern anyPattern(Generator &Random, int64_t MaxRows) {
  const auto Edge = [&](double Root) {
    const auto Most = static_cast<int64_t>(std::pow(static_cast<double>(MaxRows), 1 / Root));
    return 1 + upTo(Random, std::max<int64_t>(1, Most));
  };
  const auto Any = [&]() -> Pattern {
    switch (Random() % 8) {
    case 0:
      return grid(Edge(2), Edge(2));
    case 1:
      return grid(Edge(3), Edge(3), Edge(3));
    case 2:
      return elements(Edge(3), Edge(3), 1 + upTo(Random, 5));
    case 3:
      return randomBlocks(Random, Edge(2), 1 + upTo(Random, 5));
    case 4:
      return band(Edge(1), upTo(Random, 4), upTo(Random, 4));
    case 5:
      return arrow(Edge(1.5));
    case 6:
      return powerLaw(Random, Edge(1.5));
    default:
      return randomRows(Random, Edge(1), upTo(Random, 8));
    }
  };
  Pattern P = Any();
  if (Random() % 4 == 0)
    P = spoiled(Random, P);
  if (Random() % 8 == 0)
    P = permuted(Random, P);
  return P;
}

Trace productTrace(const Pattern &Of, int64_t Row) {
  using specrt::EntryKind;
  const int64_t Begin = Of.Start[Row], End = Of.Start[Row + 1];
  Trace T{{EntryKind::Value, EntryKind::Value, EntryKind::Trips}, {Begin, End, End - Begin}};
  for (int64_t K = Begin; K < End; ++K) {
    T.Kinds.push_back(EntryKind::Value);
    T.Entries.push_back(Of.Column[K]);
  }
  return T;
}

Trace branchingTrace(const Pattern &Of, int64_t Row) {
  using specrt::EntryKind;
  const int64_t Begin = Of.Start[Row], End = Of.Start[Row + 1];
  Trace T{{EntryKind::Value, EntryKind::Value, EntryKind::Trips}, {Begin, End, End - Begin}};
  for (int64_t K = Begin; K < End; ++K) {
    T.Kinds.insert(T.Kinds.end(), {EntryKind::Value, EntryKind::Branch});
    T.Entries.insert(T.Entries.end(), {Of.Column[K], Of.Column[K] == Row});
  }
  return T;
}

} // namespace specrt_test
