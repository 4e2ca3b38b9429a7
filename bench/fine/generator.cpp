//===- bench/fine/generator.cpp - random numbers from a state that is refilled ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A twisted shift register computes every word of its state from two neighbours and a third word.
// A refill takes some hundred nanoseconds. The program estimates the volume of a ball.
#include "outcome.h"
#include <array>

namespace {

class Generator {
public:
  explicit Generator(uint32_t Seed) {
    for (uint32_t &Word : State)
      Word = Seed = 1812433253u * (Seed ^ (Seed >> 30)) + 1u;
  }

  uint32_t next() {
    if (At == Size)
      refill();
    uint32_t Word = State[At++];
    Word ^= Word >> 12;
    Word ^= (Word << 8) & 0x9b4e5a80u;
    Word ^= (Word << 14) & 0xe7c90000u;
    return Word ^ (Word >> 17);
  }

  /// Returns a number in [0, 1).
  double nextReal() { return next() * 0x1p-32; }

private:
  /// x^521 + x^168 + 1 is primitive, so every bit has the longest period.
  static constexpr int Size = 521, Further = 168;

  static uint32_t twist(uint32_t High, uint32_t Low, uint32_t Other) {
    const uint32_t Joined = (High & 0x80000000u) | (Low & 0x7fffffffu);
    return Other ^ (Joined >> 1) ^ (Joined & 1 ? 0x9d2c5681u : 0);
  }

  BENCH_KERNEL void refill() {
    int I = 0;
    for (; I < Size - Further; ++I)
      State[I] = twist(State[I], State[I + 1], State[I + Further]);
    for (; I < Size - 1; ++I)
      State[I] = twist(State[I], State[I + 1], State[I + Further - Size]);
    State[Size - 1] = twist(State[Size - 1], State[0], State[Further - 1]);
    At = 0;
  }

  std::array<uint32_t, Size> State;
  int At = Size;
};

/// The dimensions of the ball, whose volume is pi^3 / 6.
constexpr int Dimensions = 6;

/// Returns whether a point of the unit cube is in the inscribed ball.
BENCH_KERNEL bool isInBall(const std::array<double, Dimensions> &Point) {
  double Squares = 0;
  for (const double X : Point)
    Squares += (X - 0.5) * (X - 0.5);
  return Squares < 0.25;
}

} // namespace

int main(int Argc, char **Argv) {
  const long Points = bench::argument(Argc, Argv, 1, 20000000);
  Generator Random(7);
  std::vector<double> Counts(16);
  std::array<double, Dimensions> Point;
  bench::Stopwatch Time;
  for (long I = 0; I < Points; ++I) {
    for (double &X : Point)
      X = Random.nextReal();
    if (isInBall(Point))
      Counts[static_cast<size_t>(Point[0] * static_cast<double>(Counts.size()))] += 1.0;
  }
  Time.stop();
  Time.print(bench::checksum(Counts) ^ Random.next());
}
