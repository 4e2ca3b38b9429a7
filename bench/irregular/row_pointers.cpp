//===- bench/irregular/row_pointers.cpp - a network's weights as arrays of rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two loops of back-propagation that walk down the columns of matrices of row pointers.
#include "outcome.h"

namespace {

using Rows = double **;

BENCH_KERNEL void layerForward(const double *In, double *Out, Rows Weights, long Inputs,
                               long Outputs) {
  for (long J = 0; J < Outputs; ++J) {
    double Sum = 0.0;
    for (long K = 0; K < Inputs; ++K)
      Sum += Weights[K][J] * In[K];
    Out[J] = Sum / Inputs;
  }
}

BENCH_KERNEL void adjustWeights(const double *Delta, long Outputs, const double *In, long Inputs,
                                Rows Weights, Rows Previous) {
  for (long J = 0; J < Outputs; ++J)
    for (long K = 0; K < Inputs; ++K) {
      double Change = 0.3 * Delta[J] * In[K] + 0.3 * Previous[K][J];
      Weights[K][J] += Change;
      Previous[K][J] = Change;
    }
}

std::vector<double *> rowsOf(std::vector<double> &Values, long Columns) {
  std::vector<double *> Rows(Values.size() / Columns);
  for (size_t I = 0; I < Rows.size(); ++I)
    Rows[I] = &Values[I * Columns];
  return Rows;
}

} // namespace

int main(int Argc, char **Argv) {
  const long Inputs = bench::argument(Argc, Argv, 1, 2000);
  const long Outputs = bench::argument(Argc, Argv, 2, 260);
  const long Steps = bench::argument(Argc, Argv, 3, 600);
  std::vector<double> Weights = bench::numbers(Inputs * Outputs, 1), Previous(Weights.size());
  std::vector<double *> WeightRows = rowsOf(Weights, Outputs),
                        PreviousRows = rowsOf(Previous, Outputs);
  const std::vector<double> In = bench::numbers(Inputs, 2);
  std::vector<double> Out(Outputs);
  bench::Stopwatch Time;
  for (long Step = 0; Step < Steps; ++Step) {
    layerForward(In.data(), Out.data(), WeightRows.data(), Inputs, Outputs);
    adjustWeights(Out.data(), Outputs, In.data(), Inputs, WeightRows.data(), PreviousRows.data());
  }
  Time.stop();
  Time.print(bench::checksum(Weights));
}
