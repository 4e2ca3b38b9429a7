//===- examples/pipeline.cpp - loop nests that take turns ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs three pairs of nests, written with specrt/pipeline.hpp: red-black relaxation, a filter in
// two stages, and a matrix that is updated by one block of columns and multiplied by another. The
// results are those of executing the nests one after the other.
#include "specrt/pipeline.hpp"
#include "support.h"

using namespace example;
using specrt::nest;
using specrt::range;

/// Relaxes both colours of a grid, each from its neighbours of the other one. A black row needs the
/// red rows above and below, so black can follow red at a distance of one row.
EXAMPLE_KERNEL void relax(long Rows, long Columns, double *Red, double *Black,
                          const double *Source) {
  const long M = Columns;
  specrt::pipeline(nest(range(1, Rows - 1), range(1, M - 1),
                        [=](long i, long j) {
                          Red[i * M + j] =
                              0.25 * (Black[(i - 1) * M + j] + Black[(i + 1) * M + j] +
                                      Black[i * M + j - 1] + Black[i * M + j] - Source[i * M + j]);
                        }),
                   nest(range(1, Rows - 1), range(1, M - 1), [=](long i, long j) {
                     Black[i * M + j] =
                         0.25 * (Red[(i - 1) * M + j] + Red[(i + 1) * M + j] + Red[i * M + j] +
                                 Red[i * M + j + 1] - Source[i * M + j]);
                   }));
}

/// Smooths each row, and computes differences between the rows of the result.
EXAMPLE_KERNEL void filter(long Rows, long Columns, double *Out, double *Between,
                           const double *In) {
  const long M = Columns;
  specrt::pipeline(nest(range(Rows), range(1, M - 1),
                        [=](long i, long j) {
                          Between[i * M + j] = 0.25 * In[i * M + j - 1] + 0.5 * In[i * M + j] +
                                               0.25 * In[i * M + j + 1];
                        }),
                   nest(range(1, Rows - 1), range(1, M - 1), [=](long i, long j) {
                     Out[i * M + j] += Between[(i + 1) * M + j] - Between[(i - 1) * M + j];
                   }));
}

/// Computes A += U V' and Z += A' Y for blocks of two columns. The product reads the updated A.
EXAMPLE_KERNEL void reduce(long Rows, long Columns, double *A, double *Z, const double *U,
                           const double *V, const double *Y) {
  const long M = Columns;
  specrt::pipeline(
      nest(range(Rows), range(M),
           [=](long i, long k) { A[i * M + k] += U[2 * i] * V[k] + U[2 * i + 1] * V[M + k]; }),
      nest(range(Rows), range(M), [=](long i, long k) {
        Z[k] += A[i * M + k] * Y[2 * i];
        Z[M + k] += A[i * M + k] * Y[2 * i + 1];
      }));
}

int main(int Argc, char **Argv) {
  long Rows = 3000, Columns = 3000, Repeat = 40;
  std::string Nests = "relaxation", Output;
  CommandLine Line("pipeline", "loop nests that take turns");
  Line.positional("rows", "rows of the grid, picture or matrix", Rows, 3, 20000);
  Line.positional("columns", "columns", Columns, 3, 20000);
  Line.option("nests", "relaxation, filter or products", Nests);
  Line.option("repeat", "calls", Repeat, 1, 100000);
  Line.option("output", "file for the result as raw doubles", Output);
  Line.parse(Argc, Argv);
  if (Nests != "relaxation" && Nests != "filter" && Nests != "products")
    fail("nests must be relaxation, filter or products, not '" + Nests + "'");

  Random Numbers(3);
  std::vector<double> One(size_t(Rows * Columns)), Other(One.size()), Given(One.size()),
      Factors(size_t(2 * Rows));
  for (double &Each : Given)
    Each = Numbers.next();
  for (double &Each : Factors)
    Each = Numbers.next() / double(Repeat);
  Stopwatch Watch;
  for (long I = 0; I < Repeat; ++I) {
    Watch.start();
    if (Nests == "relaxation")
      relax(Rows, Columns, One.data(), Other.data(), Given.data());
    else if (Nests == "filter")
      filter(Rows, Columns, One.data(), Other.data(), Given.data());
    else
      reduce(Rows, Columns, One.data(), Other.data(), Factors.data(), Given.data(), Given.data());
    Watch.stop();
  }
  Checksum Sum;
  Sum.add(One);
  Sum.add(Other);
  writeFile(Output, "", One.data(), One.size() * sizeof(double));
  report(Sum, Watch);
}
