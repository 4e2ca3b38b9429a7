//===- bench/programs/outcome.cpp - data, clock and output of the programs ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "outcome.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>

namespace bench {

static double secondsOf(clockid_t Clock) {
  timespec Time;
  clock_gettime(Clock, &Time);
  return static_cast<double>(Time.tv_sec) + 1e-9 * static_cast<double>(Time.tv_nsec);
}

long argument(int Argc, char **Argv, int Index, long Default) {
  if (Index >= Argc)
    return Default;
  char *End;
  long Value = std::strtol(Argv[Index], &End, 10);
  if (*End || Value < 1) {
    std::fprintf(stderr, "error: '%s' is not a positive number\n", Argv[Index]);
    std::exit(2);
  }
  return Value;
}

template <class Number> static void fillWith(Number *Data, size_t Count, uint64_t Seed) {
  uint64_t State = Seed * 0x9e3779b97f4a7c15u + 1;
  constexpr int Bits = std::numeric_limits<Number>::digits; // so that every number is exact
  for (size_t I = 0; I < Count; ++I) {
    State = State * 6364136223846793005u + 1442695040888963407u;
    const auto Signed = static_cast<int64_t>(State >> (64 - Bits)) - (int64_t{1} << (Bits - 1));
    Data[I] = static_cast<Number>(Signed) / static_cast<Number>(int64_t{1} << (Bits - 1));
  }
}

void fill(double *Data, size_t Count, uint64_t Seed) { fillWith(Data, Count, Seed); }

void fill(float *Data, size_t Count, uint64_t Seed) { fillWith(Data, Count, Seed); }

std::vector<double> numbers(size_t Count, uint64_t Seed) {
  std::vector<double> Result(Count);
  fill(Result.data(), Count, Seed);
  return Result;
}

uint64_t checksumOfBytes(const void *Data, size_t Bytes) {
  const auto *Next = static_cast<const char *>(Data);
  uint64_t Hash = 0xcbf29ce484222325u;
  while (Bytes) {
    uint64_t Word = 0;
    const size_t Size = std::min(Bytes, sizeof Word);
    std::memcpy(&Word, Next, Size);
    Next += Size;
    Bytes -= Size;
    Hash = (Hash ^ Word) * 0x100000001b3u;
    Hash ^= Hash >> 29;
  }
  return Hash;
}

Stopwatch::Stopwatch()
    : Wall(secondsOf(CLOCK_MONOTONIC)), Processor(secondsOf(CLOCK_PROCESS_CPUTIME_ID)) {}

void Stopwatch::stop() {
  Wall = secondsOf(CLOCK_MONOTONIC) - Wall;
  Processor = secondsOf(CLOCK_PROCESS_CPUTIME_ID) - Processor;
}

void Stopwatch::print(uint64_t Checksum) const {
  std::printf("{\"seconds\": %.9f, \"processor_seconds\": %.9f, \"checksum\": \"%016llx\"}\n", Wall,
              Processor, static_cast<unsigned long long>(Checksum));
}

} // namespace bench
