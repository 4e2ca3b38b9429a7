//===- examples/heat2d.cpp - heat in a plate, a time-stepped stencil ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes explicit finite differences on a square plate with two buffers that are exchanged in
// each step. --output writes the result as a grey PGM picture.
#include "support.h"
#include <algorithm>
#include <cmath>
#include <utility>

using namespace example;

// Computes one time step of u_t = laplace(u); the border keeps its temperature.
EXAMPLE_KERNEL void step(double *Next, const double *Now, long Rows, long Columns, double Rate) {
  for (long i = 1; i < Rows - 1; ++i)
    for (long j = 1; j < Columns - 1; ++j)
      Next[i * Columns + j] =
          Now[i * Columns + j] +
          Rate * (Now[(i - 1) * Columns + j] + Now[(i + 1) * Columns + j] +
                  Now[i * Columns + j - 1] + Now[i * Columns + j + 1] - 4.0 * Now[i * Columns + j]);
}

// Returns a cold plate with a hot left edge and two hot squares.
static std::vector<double> initialPlate(long Rows, long Columns) {
  std::vector<double> Plate(Rows * Columns, 0.0);
  for (long I = 0; I < Rows; ++I)
    for (long J = 0; J < Columns; ++J) {
      bool Upper = I > Rows / 8 && I < Rows / 3 && J > Columns / 2 && J < 3 * Columns / 4;
      bool Lower = I > 2 * Rows / 3 && I < 5 * Rows / 6 && J > Columns / 4 && J < Columns / 3;
      if (J == 0 || Upper || Lower)
        Plate[I * Columns + J] = 100.0;
    }
  return Plate;
}

int main(int Argc, char **Argv) {
  long Rows = 600, Columns = 800, Steps = 4000;
  std::string Output;
  CommandLine Line("heat2d", "heat conduction in a plate, explicit time steps");
  Line.positional("rows", "grid rows", Rows, 3, 20000);
  Line.positional("columns", "grid columns", Columns, 3, 20000);
  Line.positional("steps", "time steps", Steps, 0, 100000000);
  Line.option("output", "file for a PGM picture of the final plate", Output);
  Line.parse(Argc, Argv);

  std::vector<double> Now = initialPlate(Rows, Columns), Next = Now;
  Stopwatch Watch;
  Watch.start();
  for (long Step = 0; Step < Steps; ++Step) {
    step(Next.data(), Now.data(), Rows, Columns, 0.2);
    std::swap(Now, Next);
  }
  Watch.stop();

  std::vector<unsigned char> Grey(Now.size());
  std::transform(Now.begin(), Now.end(), Grey.begin(),
                 [](double T) { return static_cast<unsigned char>(std::lround(T * 2.55)); });
  writeFile(Output, "P5\n" + std::to_string(Columns) + " " + std::to_string(Rows) + "\n255\n",
            Grey.data(), Grey.size());
  Checksum Sum;
  Sum.add(Now);
  report(Sum, Watch);
}
