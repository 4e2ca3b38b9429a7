//===- examples/plate.cpp - a heat solver as a class over std::vector ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The usual form of such solvers: a class owns the fields, a member function indexes them, and
// each step computes the next temperatures and copies them back. The nest reads sizes and data
// pointers through `this`, so a compiler must allow for overlapping fields and for any size, and
// cannot execute several steps while data are in the cache.
//
// The lesson: keep the loop over time in the member function with the loops over space (run()).
// Called step by step, the nest is one step long, and all data go through memory each time.
#include "support.h"

using namespace example;

namespace {

class Plate {
public:
  Plate(int Rows, int Columns, double Conductivity)
      : Rows(Rows), Columns(Columns), Conductivity(Conductivity), Now(size_t(Rows) * Columns),
        Next(Now) {
    for (int I = 0; I < Rows; ++I)
      at(Now, I, 0) = 100.0;
  }

  void run(int Steps) {
    for (int Step = 0; Step < Steps; ++Step) {
      for (int I = 1; I < Rows - 1; ++I)
        for (int J = 1; J < Columns - 1; ++J)
          at(Next, I, J) = at(Now, I, J) + Conductivity * (at(Now, I - 1, J) + at(Now, I + 1, J) +
                                                           at(Now, I, J - 1) + at(Now, I, J + 1) -
                                                           4.0 * at(Now, I, J));
      for (int I = 1; I < Rows - 1; ++I)
        for (int J = 1; J < Columns - 1; ++J)
          at(Now, I, J) = at(Next, I, J);
    }
  }

  double warmth() const {
    double Sum = 0.0;
    for (double Temperature : Now)
      Sum += Temperature;
    return Sum / static_cast<double>(Now.size());
  }
  const std::vector<double> &temperatures() const { return Now; }

private:
  double &at(std::vector<double> &Field, int I, int J) const {
    return Field[size_t(I) * Columns + J];
  }

  int Rows, Columns;
  double Conductivity;
  std::vector<double> Now, Next;
};

} // namespace

int main(int Argc, char **Argv) {
  long Rows = 600, Columns = 600, Rounds = 80;
  std::string Output;
  CommandLine Line("plate", "heat flow through a plate, as a class over std::vector");
  Line.positional("rows", "rows of the plate", Rows, 3, 20000);
  Line.positional("columns", "columns of the plate", Columns, 3, 20000);
  Line.positional("rounds", "rounds of 50 time steps", Rounds, 1, 1000000);
  Line.option("output", "file for the temperatures as raw doubles", Output);
  Line.parse(Argc, Argv);

  Plate Copper(static_cast<int>(Rows), static_cast<int>(Columns), 0.2);
  Stopwatch Watch;
  Checksum Sum;
  for (long Round = 0; Round < Rounds; ++Round) {
    Watch.start();
    Copper.run(50);
    Watch.stop();
    const double Warmth = Copper.warmth();
    Sum.add(&Warmth, sizeof Warmth);
  }
  Sum.add(Copper.temperatures());
  writeFile(Output, "", Copper.temperatures().data(),
            Copper.temperatures().size() * sizeof(double));
  std::printf("warmth=%.17g\n", Copper.warmth());
  report(Sum, Watch);
}
