//===- examples/circuit.cpp - a clock tree, simulated with a dense factorisation ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulates the voltages of a clock tree: a binary tree of resistors with a capacitor at each node
// and a diode at each leaf, driven by a square wave. Each step of Newton's method factorises the
// matrix of nodal analysis with the textbook's three loops. The matrix has other values each time
// but nonzero elements at the same places, fewer than three per row.
#include "support.h"
#include <algorithm>
#include <cmath>

using namespace example;

// Computes the factors L and U of A in place; the diagonal of L is 1 and is not stored.
EXAMPLE_KERNEL void factorise(long n, double *A) {
  for (long k = 0; k < n; ++k)
    for (long i = k + 1; i < n; ++i) {
      A[i * n + k] /= A[k * n + k];
      for (long j = k + 1; j < n; ++j)
        A[i * n + j] -= A[i * n + k] * A[k * n + j];
    }
}

EXAMPLE_KERNEL void solve(long n, const double *Factors, const double *B, double *X) {
  for (long i = 0; i < n; ++i) {
    double Sum = B[i];
    for (long j = 0; j < i; ++j)
      Sum -= Factors[i * n + j] * X[j];
    X[i] = Sum;
  }
  for (long i = n - 1; i >= 0; --i) {
    double Sum = X[i];
    for (long j = i + 1; j < n; ++j)
      Sum -= Factors[i * n + j] * X[j];
    X[i] = Sum / Factors[i * n + i];
  }
}

namespace {

// Times in seconds, resistances in ohms, capacities in farads, voltages in volts.
constexpr double TimeStep = 5e-12, Period = 1e-9, Supply = 1.2;
constexpr double RootResistance = 20, LeafResistance = 160, NodeCapacity = 8e-15;
constexpr double DiodeCurrent = 1e-12, ThermalVoltage = 0.05;

/// The tree and its voltages. Nodes are numbered from the leaves to the root, so that elimination
/// adds no nonzero elements.
class ClockTree {
public:
  explicit ClockTree(long Levels)
      : Size((1L << Levels) - 1), Leaves(1L << (Levels - 1)), Voltage(Size), Matrix(Size * Size),
        Right(Size), Change(Size) {}

  /// Advances the time by a step. Returns the number of factorisations.
  long advance(double Time) {
    const std::vector<double> Before = Voltage;
    const double Source = std::fmod(Time, Period) < Period / 2 ? Supply : 0.0;
    constexpr long MaxIterations = 50;
    for (long Iteration = 1;; ++Iteration) {
      assemble(Before, Source);
      factorise(Size, Matrix.data());
      solve(Size, Matrix.data(), Right.data(), Change.data());
      double Largest = 0.0;
      for (long Node = 0; Node < Size; ++Node) {
        // Limits the change, because the current of a diode grows exponentially.
        const double Limited = std::clamp(Change[Node], -0.1, 0.1);
        Voltage[Node] += Limited;
        Largest = std::max(Largest, std::fabs(Limited));
      }
      if (Largest < 1e-9 || Iteration == MaxIterations)
        return Iteration;
    }
  }
  const std::vector<double> &voltages() const { return Voltage; }
  long nonzeros() const { return Size + 2 * (Size - 1); }

private:
  /// Computes the derivatives of the currents out of the nodes, and the negative currents.
  void assemble(const std::vector<double> &Before, double Source) {
    std::fill(Matrix.begin(), Matrix.end(), 0.0);
    for (long Node = 0; Node < Size; ++Node) {
      const double Capacitor = NodeCapacity / TimeStep;
      double Current = Capacitor * (Voltage[Node] - Before[Node]), Slope = Capacitor;
      if (Node < Leaves) {
        const double Exponential = std::exp(Voltage[Node] / ThermalVoltage);
        Current += DiodeCurrent * (Exponential - 1.0);
        Slope += DiodeCurrent / ThermalVoltage * Exponential;
      }
      Matrix[Node * Size + Node] += Slope;
      Right[Node] = -Current;
    }
    double Resistance = LeafResistance;
    for (long Node = 0, NextLevel = Leaves; Node + 1 < Size; ++Node) {
      if (Node == NextLevel) {
        NextLevel += (Size - Node + 1) / 2;
        Resistance = std::max(Resistance / 2, RootResistance);
      }
      connect(Node, parentOf(Node), 1.0 / Resistance);
    }
    Matrix[Size * Size - 1] += 1.0 / RootResistance;
    Right[Size - 1] += (Source - Voltage[Size - 1]) / RootResistance;
  }
  /// The root has number 1 in the usual numbering of complete trees, and Size - 1 here.
  long parentOf(long Node) const { return Size - (Size - Node) / 2; }
  void connect(long From, long To, double Conductance) {
    Matrix[From * Size + From] += Conductance;
    Matrix[To * Size + To] += Conductance;
    Matrix[From * Size + To] -= Conductance;
    Matrix[To * Size + From] -= Conductance;
    const double Current = Conductance * (Voltage[From] - Voltage[To]);
    Right[From] -= Current;
    Right[To] += Current;
  }

  const long Size, Leaves;
  std::vector<double> Voltage, Matrix, Right, Change;
};

} // namespace

int main(int Argc, char **Argv) {
  long Levels = 8, Steps = 400;
  std::string Output;
  CommandLine Line("circuit",
                   "the voltages of a clock tree, by a dense factorisation per iteration");
  Line.positional("levels", "of the tree", Levels, 2, 13);
  Line.positional("steps", "time steps", Steps, 1, 1000000);
  Line.option("output", "file for the voltages of all nodes at the end, as raw doubles", Output);
  Line.parse(Argc, Argv);

  ClockTree Tree(Levels);
  long Factorisations = 0;
  Stopwatch Watch;
  Watch.start();
  for (long Step = 1; Step <= Steps; ++Step)
    Factorisations += Tree.advance(Step * TimeStep);
  Watch.stop();

  std::printf("nodes=%zu nonzeros=%ld factorisations=%ld\n", Tree.voltages().size(),
              Tree.nonzeros(), Factorisations);
  Checksum Sum;
  Sum.add(Tree.voltages());
  writeFile(Output, "", Tree.voltages().data(), Tree.voltages().size() * sizeof(double));
  report(Sum, Watch);
}
