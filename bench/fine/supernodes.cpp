//===- bench/fine/supernodes.cpp - a sparse factorisation, panel after panel ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A left-looking factorisation A = L L^T of the five-point matrix of a grid, in the order of nested
// dissection, and a forward substitution. The columns of one separator are a panel; it receives the
// updates of the panels to its left before it is factorised. Panels are narrow, so a dense
// operation takes ten to some hundred nanoseconds.
#include "supernodes.h"
#include "outcome.h"
#include <algorithm>

namespace {

/// Consecutive columns with the same rows, which begin with those of the diagonal block.
struct Panel {
  int First, Width;
  std::vector<int> Rows;
  std::vector<double> Values; // Rows.size() by Width
  std::vector<int> Updates;   // panels to the left that update this one
};

class Factorisation {
public:
  explicit Factorisation(int Side) : Side(Side), Number(Side * Side), PanelOf(Side * Side) {
    dissect(0, Side, 0, Side);
    findRows();
    Where.resize(Place.size());
  }

  void factor(double Shift) {
    for (Panel &One : Panels) {
      assemble(One, Shift);
      for (const int Left : One.Updates)
        update(One, Panels[Left]);
      factorPanel(One.Values.data(), static_cast<long>(One.Rows.size()), One.Width);
    }
  }

  void solve(std::vector<double> &X) const {
    for (const Panel &One : Panels)
      solveForward(One.Values.data(), static_cast<long>(One.Rows.size()), One.Width,
                   One.Rows.data(), X.data());
  }

private:
  static constexpr int Smallest = 3; // parts of the grid that are not divided

  /// Numbers the points of a part of the grid: both halves, then the line between them.
  void dissect(int Top, int Bottom, int Left, int Right) {
    const int Height = Bottom - Top, Width = Right - Left;
    if (Height <= 0 || Width <= 0)
      return;
    if (std::max(Height, Width) <= Smallest)
      return number(Top, Bottom, Left, Right);
    if (Height > Width) {
      const int Middle = Top + Height / 2;
      dissect(Top, Middle, Left, Right);
      dissect(Middle + 1, Bottom, Left, Right);
      number(Middle, Middle + 1, Left, Right);
    } else {
      const int Middle = Left + Width / 2;
      dissect(Top, Bottom, Left, Middle);
      dissect(Top, Bottom, Middle + 1, Right);
      number(Top, Bottom, Middle, Middle + 1);
    }
  }

  void number(int Top, int Bottom, int Left, int Right) {
    const int First = static_cast<int>(Place.size());
    for (int Y = Top; Y < Bottom; ++Y)
      for (int X = Left; X < Right; ++X) {
        Number[Y * Side + X] = static_cast<int>(Place.size());
        PanelOf[Place.size()] = static_cast<int>(Panels.size());
        Place.push_back(Y * Side + X);
      }
    Panel &One = Panels.emplace_back();
    One.First = First;
    One.Width = static_cast<int>(Place.size()) - First;
  }

  template <class Action> void eachNeighbour(int Column, Action Do) const {
    const int X = Place[Column] % Side, Y = Place[Column] / Side;
    if (X > 0)
      Do(Number[Y * Side + X - 1]);
    if (X + 1 < Side)
      Do(Number[Y * Side + X + 1]);
    if (Y > 0)
      Do(Number[(Y - 1) * Side + X]);
    if (Y + 1 < Side)
      Do(Number[(Y + 1) * Side + X]);
  }

  /// Finds the rows of all panels: those of the matrix, and those of the panels whose first update
  /// goes to this one. Also finds which panels update which.
  void findRows() {
    for (size_t Index = 0; Index < Panels.size(); ++Index) {
      Panel &One = Panels[Index];
      const int Next = One.First + One.Width;
      for (int Column = One.First; Column < Next; ++Column) {
        One.Rows.push_back(Column);
        eachNeighbour(Column, [&](int Row) {
          if (Row >= Next)
            One.Rows.push_back(Row);
        });
      }
      std::ranges::sort(One.Rows);
      One.Rows.erase(std::ranges::unique(One.Rows).begin(), One.Rows.end());
      for (const int Left : One.Updates)
        if (parentOf(Panels[Left]) == static_cast<int>(Index))
          inherit(One, Panels[Left]);
      One.Values.resize(One.Rows.size() * One.Width);
      int Before = -1;
      for (size_t I = One.Width; I < One.Rows.size(); ++I)
        if (PanelOf[One.Rows[I]] != Before) {
          Before = PanelOf[One.Rows[I]];
          Panels[Before].Updates.push_back(static_cast<int>(Index));
        }
    }
  }

  int parentOf(const Panel &One) const { return PanelOf[One.Rows[One.Width]]; }

  static void inherit(Panel &One, const Panel &Left) {
    std::vector<int> All;
    std::ranges::set_union(
        One.Rows,
        std::ranges::subrange(std::ranges::lower_bound(Left.Rows, One.First), Left.Rows.end()),
        std::back_inserter(All));
    One.Rows = std::move(All);
  }

  void assemble(Panel &One, double Shift) {
    std::ranges::fill(One.Values, 0.0);
    for (size_t I = 0; I < One.Rows.size(); ++I)
      Where[One.Rows[I]] = static_cast<int>(I);
    for (int J = 0; J < One.Width; ++J) {
      const int Column = One.First + J;
      One.Values[static_cast<size_t>(J) * One.Width + J] = 4.0 + Shift;
      eachNeighbour(Column, [&](int Row) {
        if (Row > Column)
          One.Values[static_cast<size_t>(Where[Row]) * One.Width + J] = -1.0;
      });
    }
  }

  /// Subtracts the update of a panel to the left.
  void update(Panel &One, const Panel &Left) {
    const auto Begin = std::ranges::lower_bound(Left.Rows, One.First);
    const auto End = std::lower_bound(Begin, Left.Rows.end(), One.First + One.Width);
    const long Skipped = Begin - Left.Rows.begin(), Columns = End - Begin,
               Height = Left.Rows.end() - Begin;
    Product.resize(Height * Columns);
    To.resize(Height);
    Across.resize(Columns);
    for (long I = 0; I < Height; ++I)
      To[I] = Where[Begin[I]];
    for (long J = 0; J < Columns; ++J)
      Across[J] = Begin[J] - One.First;
    multiplyByTop(Product.data(), Left.Values.data() + Skipped * Left.Width, Height, Columns,
                  Left.Width);
    subtractAt(One.Values.data(), One.Width, Product.data(), To.data(), Height, Across.data(),
               Columns);
  }

  int Side;
  std::vector<int> Number, Place; // from points of the grid to columns, and back
  std::vector<int> PanelOf, Where;
  std::vector<Panel> Panels;
  std::vector<double> Product;
  std::vector<int> To, Across;
};

} // namespace

int main(int Argc, char **Argv) {
  const long Side = bench::argument(Argc, Argv, 1, 31),
             Calls = bench::argument(Argc, Argv, 2, 1200);
  Factorisation Of(static_cast<int>(Side));
  const std::vector<double> Right = bench::numbers(Side * Side, 1);
  std::vector<double> X, Sum(Right.size());
  bench::Stopwatch Time;
  for (long Call = 0; Call < Calls; ++Call) {
    Of.factor(0.01 * static_cast<double>(Call % 7));
    X = Right;
    Of.solve(X);
    for (size_t I = 0; I < X.size(); ++I)
      Sum[I] += X[I];
  }
  Time.stop();
  Time.print(bench::checksum(Sum));
}
