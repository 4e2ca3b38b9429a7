//===- examples/backprop.cpp - training a small neural network ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trains one hidden layer by back-propagation. The weights are arrays of row pointers, the layout
// of many old C programs. The two layer loops access these matrices by columns, through one pointer
// per element, which neither a compiler nor an affine model can analyse directly.
#include "support.h"
#include <cmath>

using namespace example;

// Layer2[j] = sigmoid(sum over k of Weights[k][j] * Layer1[k]); index 0 is the constant input.
EXAMPLE_KERNEL void layerForward(double *Layer1, double *Layer2, double **Weights, long n1,
                                 long n2) {
  Layer1[0] = 1.0;
  for (long j = 1; j <= n2; ++j) {
    double Sum = 0.0;
    for (long k = 0; k <= n1; ++k)
      Sum += Weights[k][j] * Layer1[k];
    Layer2[j] = 1.0 / (1.0 + std::exp(-Sum));
  }
}

// Executes one gradient step with momentum. Previous holds the last change of each weight.
EXAMPLE_KERNEL void adjustWeights(const double *Delta, long n2, double *Layer1, long n1,
                                  double **Weights, double **Previous) {
  Layer1[0] = 1.0;
  for (long j = 1; j <= n2; ++j)
    for (long k = 0; k <= n1; ++k) {
      double Change = 0.3 * Delta[j] * Layer1[k] + 0.3 * Previous[k][j];
      Weights[k][j] += Change;
      Previous[k][j] = Change;
    }
}

static void outputError(std::vector<double> &Delta, const std::vector<double> &Layer,
                        double Target) {
  for (size_t J = 1; J < Layer.size(); ++J)
    Delta[J] = Layer[J] * (1.0 - Layer[J]) * (Target - Layer[J]);
}

static void hiddenError(std::vector<double> &Delta, const std::vector<double> &OutputDelta,
                        double **Weights, const std::vector<double> &Hidden) {
  for (size_t J = 1; J < Hidden.size(); ++J) {
    double Sum = 0.0;
    for (size_t K = 1; K < OutputDelta.size(); ++K)
      Sum += OutputDelta[K] * Weights[J][K];
    Delta[J] = Hidden[J] * (1.0 - Hidden[J]) * Sum;
  }
}

namespace {
/// A matrix whose rows are accessed through an array of pointers. It owns both.
class RowMatrix {
public:
  RowMatrix(long Rows, long Columns) : Values(Rows * Columns, 0.0), Pointers(Rows) {
    for (long I = 0; I < Rows; ++I)
      Pointers[I] = &Values[I * Columns];
  }
  double **rows() { return Pointers.data(); }
  std::vector<double> &values() { return Values; }

private:
  std::vector<double> Values;
  std::vector<double *> Pointers;
};
} // namespace

int main(int Argc, char **Argv) {
  long Inputs = 2048, HiddenUnits = 256, Epochs = 200;
  std::string Output;
  CommandLine Line("backprop", "back-propagation with weights as arrays of row pointers");
  Line.positional("inputs", "input units", Inputs, 1, 1000000);
  Line.positional("hidden", "hidden units", HiddenUnits, 1, 10000);
  Line.positional("epochs", "training steps", Epochs, 1, 1000000);
  Line.option("output", "file for the trained weights as raw doubles", Output);
  Line.parse(Argc, Argv);

  Random Numbers(7);
  std::vector<double> Input(Inputs + 1), Hidden(HiddenUnits + 1), Result(2);
  std::vector<double> HiddenDelta(HiddenUnits + 1), ResultDelta(2);
  RowMatrix First(Inputs + 1, HiddenUnits + 1), FirstChange(Inputs + 1, HiddenUnits + 1);
  RowMatrix Second(HiddenUnits + 1, 2), SecondChange(HiddenUnits + 1, 2);
  for (double &X : Input)
    X = Numbers.next();
  for (RowMatrix *Matrix : {&First, &Second})
    for (double &X : Matrix->values())
      X = 0.1 * Numbers.next();

  Stopwatch Watch;
  Watch.start();
  for (long Epoch = 0; Epoch < Epochs; ++Epoch) {
    layerForward(Input.data(), Hidden.data(), First.rows(), Inputs, HiddenUnits);
    layerForward(Hidden.data(), Result.data(), Second.rows(), HiddenUnits, 1);
    outputError(ResultDelta, Result, 0.1);
    hiddenError(HiddenDelta, ResultDelta, Second.rows(), Hidden);
    adjustWeights(ResultDelta.data(), 1, Hidden.data(), HiddenUnits, Second.rows(),
                  SecondChange.rows());
    adjustWeights(HiddenDelta.data(), HiddenUnits, Input.data(), Inputs, First.rows(),
                  FirstChange.rows());
  }
  Watch.stop();

  Checksum Sum;
  Sum.add(First.values());
  Sum.add(Second.values());
  Sum.add(Result);
  writeFile(Output, "", First.values().data(), First.values().size() * sizeof(double));
  std::printf("output=%.17g\n", Result[1]);
  report(Sum, Watch);
}
