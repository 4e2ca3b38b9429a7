//===- examples/markov.cpp - the distribution that a Markov chain tends to ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Applies a matrix of transitions between states until the distribution is stationary. The matrix
// is a dense array although a state has few successors.
#include "support.h"
#include <cmath>

using namespace example;

// Computes To[j] = sum of From[i] * P[j][i], where P[j][i] is the probability from i to j.
EXAMPLE_KERNEL void step(long n, const double *P, const double *From, double *To) {
  for (long j = 0; j < n; ++j)
    To[j] = 0.0;
  for (long j = 0; j < n; ++j)
    for (long i = 0; i < n; ++i)
      To[j] += P[j * n + i] * From[i];
}

EXAMPLE_KERNEL double difference(long n, const double *A, const double *B) {
  double Sum = 0.0;
  for (long i = 0; i < n; ++i)
    Sum += std::abs(A[i] - B[i]);
  return Sum;
}

int main(int Argc, char **Argv) {
  long n = 1500, Successors = 8, MaxSteps = 400;
  std::string Output;
  CommandLine Line("markov", "the distribution that a Markov chain tends to");
  Line.positional("n", "states", n, 2, 20000);
  Line.option("successors", "of a state", Successors, 1, 20000);
  Line.option("steps", "most steps", MaxSteps, 1, 1000000);
  Line.option("output", "file for the distribution as raw doubles", Output);
  Line.parse(Argc, Argv);
  if (Successors > n)
    fail("successors must not be more than states");

  // P[j][i] is the transition from i to j. Some states have many predecessors.
  std::vector<double> P(n * n), Now(n, 1.0 / n), Next(n);
  Random Numbers(7);
  for (long i = 0; i < n; ++i) {
    P[i * n + i] += 0.25; // stays
    for (long k = 0; k < Successors; ++k) {
      const double Where = (Numbers.next() + 1.0) / 2.0;
      P[std::min(static_cast<long>(Where * Where * n), n - 1) * n + i] += 0.75 / Successors;
    }
  }

  Stopwatch Watch;
  Watch.start();
  long Steps = 0;
  double Change = 1.0;
  for (; Steps < MaxSteps && Change > 1e-14; ++Steps) {
    step(n, P.data(), Now.data(), Next.data());
    Change = difference(n, Now.data(), Next.data());
    Now.swap(Next);
  }
  Watch.stop();

  double Largest = *std::max_element(Now.begin(), Now.end());
  std::printf("states=%ld steps=%ld largest=%.9f\n", n, Steps, Largest);
  Checksum Sum;
  Sum.add(Now);
  writeFile(Output, "", Now.data(), Now.size() * sizeof(double));
  report(Sum, Watch);
}
