//===- bench/programs/outcome.h - data, clock and output of the programs ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang compiles these functions for both builds of a program, so that compilers under comparison
// see only the program's own loops.
#ifndef SPECRT_BENCH_PROGRAMS_OUTCOME_H
#define SPECRT_BENCH_PROGRAMS_OUTCOME_H

#include <cstddef>
#include <cstdint>
#include <vector>

/// Makes a function be called as if it were in another file.
#define BENCH_KERNEL __attribute__((noinline))

namespace bench {

/// Returns argument number \p Index, which must be at least 1; \p Default if there is none.
long argument(int Argc, char **Argv, int Index, long Default);

/// Yields numbers in [-1, 1) that depend on \p Seed and are the same on every machine.
void fill(double *Data, size_t Count, uint64_t Seed);
void fill(float *Data, size_t Count, uint64_t Seed);
std::vector<double> numbers(size_t Count, uint64_t Seed);

/// Returns a hash of all bits.
uint64_t checksumOfBytes(const void *Data, size_t Bytes);
template <class Number> uint64_t checksum(const Number *Data, size_t Count) {
  return checksumOfBytes(Data, Count * sizeof(Number));
}
template <class Number> uint64_t checksum(const std::vector<Number> &Data) {
  return checksum(Data.data(), Data.size());
}

/// Measures the time from its construction to stop().
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
