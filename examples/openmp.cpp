//===- examples/openmp.cpp - a stencil whose threads the program starts itself ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat on a plane with a conductivity per point; OpenMP shares the rows of each step among all
// processors. The body of the parallel loop is a region, which all threads call at once.
//
// The lesson: versions help within each thread's share only, never with threads of their own, and a
// program that keeps all processors busy leaves little time to compile them.
#include "support.h"

using namespace example;

EXAMPLE_KERNEL static void step(double *Next, const double *Now, const double *Conductivity,
                                long Rows, long Columns) {
#pragma omp parallel for
  for (long I = 1; I < Rows - 1; ++I)
    for (long J = 1; J < Columns - 1; ++J) {
      const long P = I * Columns + J;
      Next[P] = Now[P] + Conductivity[P] * (Now[P - Columns] + Now[P + Columns] + Now[P - 1] +
                                            Now[P + 1] - 4.0 * Now[P]);
    }
}

int main(int Argc, char **Argv) {
  long Rows = 900, Columns = 900, Steps = 300;
  std::string Output;
  CommandLine Line("openmp", "heat flow on all processors, by OpenMP");
  Line.positional("rows", "rows of the plane", Rows, 3, 20000);
  Line.positional("columns", "columns of the plane", Columns, 3, 20000);
  Line.positional("steps", "time steps", Steps, 1, 1000000);
  Line.option("output", "file for the temperatures as raw doubles", Output);
  Line.parse(Argc, Argv);

  Random Numbers(9);
  std::vector<double> Now(Rows * Columns), Conductivity(Rows * Columns);
  for (double &X : Now)
    X = Numbers.next();
  for (double &X : Conductivity)
    X = 0.1 + 0.1 * Numbers.next();
  std::vector<double> Next = Now;

  Stopwatch Watch;
  Watch.start();
  for (long S = 0; S < Steps; ++S) {
    step(Next.data(), Now.data(), Conductivity.data(), Rows, Columns);
    Now.swap(Next);
  }
  Watch.stop();

  Checksum Sum;
  Sum.add(Now);
  writeFile(Output, "", Now.data(), Now.size() * sizeof(double));
  std::printf("middle=%.17g\n", Now[Rows / 2 * Columns + Columns / 2]);
  report(Sum, Watch);
}
