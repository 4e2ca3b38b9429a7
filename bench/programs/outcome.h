//===- bench/programs/outcome.h - what the programs of the benchmarks share ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Their data, their clock and the line they print. Compiled by clang for both builds of a program,
// so that the program's own loops are all that compilers under comparison see.
#ifndef SPECRT_BENCH_PROGRAMS_OUTCOME_H
#define SPECRT_BENCH_PROGRAMS_OUTCOME_H

#include <cstddef>
#include <cstdint>
#include <vector>

/// As a function in a file of its own would be called.
#define BENCH_KERNEL __attribute__((noinline))

namespace bench {

/// Argument number \p Index as a number from 1 on, \p Default when there is none.
long argument(int Argc, char **Argv, int Index, long Default);

/// Numbers in [-1, 1), the same on every machine, other ones for each \p Seed.
void fill(double *Data, size_t Count, uint64_t Seed);
void fill(float *Data, size_t Count, uint64_t Seed);
std::vector<double> numbers(size_t Count, uint64_t Seed);

/// A hash in which every bit counts.
uint64_t checksumOfBytes(const void *Data, size_t Bytes);
template <class Number> uint64_t checksum(const Number *Data, size_t Count) {
  return checksumOfBytes(Data, Count * sizeof(Number));
}
template <class Number> uint64_t checksum(const std::vector<Number> &Data) {
  return checksum(Data.data(), Data.size());
}

/// Takes the time from its construction to stop().
class Stopwatch {
public:
  Stopwatch();
  void stop();
  /// Prints one JSON object: "seconds", "processor_seconds" of the whole process between the two,
  /// and "checksum".
  void print(uint64_t Checksum) const;

private:
  double Wall, Processor;
};

} // namespace bench

#endif
