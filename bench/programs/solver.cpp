//===- bench/programs/solver.cpp - a solver whose time goes into many loop nests ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes a reacting tracer in a flow through a box by approximate factorisation. Each step has
// fluxes, their divergence, some dissipation and a reaction, and then solves a tridiagonal system
// along every line of each direction. None of the nests takes more than a quarter of the time.
#include "outcome.h"
#include <algorithm>
#include <cmath>

namespace {

/// A scalar on the box, the last direction without gaps.
class Field {
public:
  explicit Field(long N) : N(N), Values(N * N * N) {}
  double &operator()(long I, long J, long K) { return Values[(I * N + J) * N + K]; }
  double operator()(long I, long J, long K) const { return Values[(I * N + J) * N + K]; }
  std::vector<double> &values() { return Values; }

private:
  long N;
  std::vector<double> Values;
};

class Solver {
public:
  Solver(long N, double Dt)
      : N(N), Dt(Dt), Tracer(N), U(N), V(N), W(N), FluxX(N), FluxY(N), FluxZ(N), Rate(N), Upper(N),
        Viscosity(N) {
    for (auto [Of, Seed] : {std::pair{&Tracer, 1}, {&U, 2}, {&V, 3}, {&W, 4}})
      bench::fill(Of->values().data(), Of->values().size(), Seed);
  }

  /// Returns the norm of the change.
  double step() {
    computeViscosity();
    computeFluxes();
    computeDivergence();
    dissipate();
    react();
    sweepX();
    sweepY();
    sweepZ();
    const double Norm = update();
    turnFlow();
    return Norm;
  }

  std::vector<double> &tracer() { return Tracer.values(); }

private:
  void computeViscosity() {
    for (long I = 0; I < N; ++I)
      for (long J = 0; J < N; ++J)
        for (long K = 0; K < N; ++K)
          Viscosity(I, J, K) =
              0.05 + 0.02 * std::sqrt(U(I, J, K) * U(I, J, K) + V(I, J, K) * V(I, J, K) +
                                      W(I, J, K) * W(I, J, K));
  }

  void computeFluxes() {
    for (long I = 1; I < N; ++I)
      for (long J = 0; J < N; ++J)
        for (long K = 0; K < N; ++K)
          FluxX(I, J, K) =
              0.25 * (U(I, J, K) + U(I - 1, J, K)) * (Tracer(I, J, K) + Tracer(I - 1, J, K)) -
              Viscosity(I, J, K) * (Tracer(I, J, K) - Tracer(I - 1, J, K));
    for (long I = 0; I < N; ++I)
      for (long J = 1; J < N; ++J)
        for (long K = 0; K < N; ++K)
          FluxY(I, J, K) =
              0.25 * (V(I, J, K) + V(I, J - 1, K)) * (Tracer(I, J, K) + Tracer(I, J - 1, K)) -
              Viscosity(I, J, K) * (Tracer(I, J, K) - Tracer(I, J - 1, K));
    for (long I = 0; I < N; ++I)
      for (long J = 0; J < N; ++J)
        for (long K = 1; K < N; ++K)
          FluxZ(I, J, K) =
              0.25 * (W(I, J, K) + W(I, J, K - 1)) * (Tracer(I, J, K) + Tracer(I, J, K - 1)) -
              Viscosity(I, J, K) * (Tracer(I, J, K) - Tracer(I, J, K - 1));
  }

  void computeDivergence() {
    for (long I = 1; I < N - 1; ++I)
      for (long J = 1; J < N - 1; ++J)
        for (long K = 1; K < N - 1; ++K)
          Rate(I, J, K) = -Dt * (FluxX(I + 1, J, K) - FluxX(I, J, K) + FluxY(I, J + 1, K) -
                                 FluxY(I, J, K) + FluxZ(I, J, K + 1) - FluxZ(I, J, K));
  }

  /// Subtracts fourth differences along each direction.
  void dissipate() {
    for (long I = 2; I < N - 2; ++I)
      for (long J = 2; J < N - 2; ++J)
        for (long K = 2; K < N - 2; ++K)
          Rate(I, J, K) -=
              0.01 * Dt *
              (Tracer(I - 2, J, K) + Tracer(I + 2, J, K) + Tracer(I, J - 2, K) +
               Tracer(I, J + 2, K) + Tracer(I, J, K - 2) + Tracer(I, J, K + 2) +
               18.0 * Tracer(I, J, K) -
               4.0 * (Tracer(I - 1, J, K) + Tracer(I + 1, J, K) + Tracer(I, J - 1, K) +
                      Tracer(I, J + 1, K) + Tracer(I, J, K - 1) + Tracer(I, J, K + 1)));
  }

  void react() {
    for (long I = 1; I < N - 1; ++I)
      for (long J = 1; J < N - 1; ++J)
        for (long K = 1; K < N - 1; ++K) {
          const double T = Tracer(I, J, K);
          Rate(I, J, K) += Dt * 0.1 * T * (1.0 - T * T) / (1.0 + T * T);
        }
  }

  /// Solves (1 - Dt d/dx (viscosity d/dx)) Rate = Rate along lines of the first direction.
  void sweepX() {
    for (long I = 1; I < N - 1; ++I)
      for (long J = 1; J < N - 1; ++J)
        for (long K = 1; K < N - 1; ++K) {
          const double C = Dt * Viscosity(I, J, K);
          const double Pivot = 1.0 / (1.0 + 2.0 * C - C * Upper(I - 1, J, K));
          Upper(I, J, K) = C * Pivot;
          Rate(I, J, K) = (Rate(I, J, K) + C * Rate(I - 1, J, K)) * Pivot;
        }
    for (long I = N - 2; I > 0; --I)
      for (long J = 1; J < N - 1; ++J)
        for (long K = 1; K < N - 1; ++K)
          Rate(I, J, K) += Upper(I, J, K) * Rate(I + 1, J, K);
  }

  void sweepY() {
    for (long I = 1; I < N - 1; ++I) {
      for (long J = 1; J < N - 1; ++J)
        for (long K = 1; K < N - 1; ++K) {
          const double C = Dt * Viscosity(I, J, K);
          const double Pivot = 1.0 / (1.0 + 2.0 * C - C * Upper(I, J - 1, K));
          Upper(I, J, K) = C * Pivot;
          Rate(I, J, K) = (Rate(I, J, K) + C * Rate(I, J - 1, K)) * Pivot;
        }
      for (long J = N - 2; J > 0; --J)
        for (long K = 1; K < N - 1; ++K)
          Rate(I, J, K) += Upper(I, J, K) * Rate(I, J + 1, K);
    }
  }

  void sweepZ() {
    for (long I = 1; I < N - 1; ++I)
      for (long J = 1; J < N - 1; ++J) {
        for (long K = 1; K < N - 1; ++K) {
          const double C = Dt * Viscosity(I, J, K);
          const double Pivot = 1.0 / (1.0 + 2.0 * C - C * Upper(I, J, K - 1));
          Upper(I, J, K) = C * Pivot;
          Rate(I, J, K) = (Rate(I, J, K) + C * Rate(I, J, K - 1)) * Pivot;
        }
        for (long K = N - 2; K > 0; --K)
          Rate(I, J, K) += Upper(I, J, K) * Rate(I, J, K + 1);
      }
  }

  double update() {
    double Norm = 0.0;
    for (long I = 1; I < N - 1; ++I)
      for (long J = 1; J < N - 1; ++J)
        for (long K = 1; K < N - 1; ++K) {
          Tracer(I, J, K) += Rate(I, J, K);
          Norm += Rate(I, J, K) * Rate(I, J, K);
        }
    return std::sqrt(Norm);
  }

  /// The flow turns slowly about the last direction, and faster where there is more of the tracer.
  void turnFlow() {
    for (long I = 0; I < N; ++I)
      for (long J = 0; J < N; ++J)
        for (long K = 0; K < N; ++K) {
          const double Angle = Dt * (0.1 + 0.05 * Tracer(I, J, K)),
                       Cosine = 1.0 - 0.5 * Angle * Angle;
          const double X = U(I, J, K), Y = V(I, J, K);
          U(I, J, K) = Cosine * X - Angle * Y;
          V(I, J, K) = Angle * X + Cosine * Y;
        }
    for (long I = 1; I < N - 1; ++I)
      for (long J = 1; J < N - 1; ++J)
        for (long K = 1; K < N - 1; ++K)
          W(I, J, K) -= 0.1 * Dt * (FluxZ(I, J, K + 1) - FluxZ(I, J, K));
  }

  long N;
  double Dt;
  Field Tracer, U, V, W, FluxX, FluxY, FluxZ, Rate, Upper, Viscosity;
};

} // namespace

int main(int Argc, char **Argv) {
  const long N = bench::argument(Argc, Argv, 1, 44), Steps = bench::argument(Argc, Argv, 2, 900);
  Solver S(N, 0.05);
  std::vector<double> Norms;
  bench::Stopwatch Time;
  for (long Step = 0; Step < Steps; ++Step) {
    Norms.push_back(S.step());
    if (bench::checksum(&Norms.back(), 1) == 0)
      break;
  }
  Time.stop();
  Time.print(bench::checksum(Norms) ^ bench::checksum(S.tracer()));
}
