//===- bench/loops/driver.cpp - calls the loops, prints their times and results ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: driver --seconds=S       prints how many calls of each loop take S seconds
//        driver NAME=CALLS ...   calls these loops and prints times and checksums
//
// The output is a JSON object. All arrays are restored before a loop's first call, so its results
// depend on the number of its calls alone.
#include "loops.h"
#include "outcome.h"
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The linker defines these bounds of the section that LOOP uses.
extern const loops::Loop *const __start_bench_loops[];
extern const loops::Loop *const __stop_bench_loops[];

namespace {

using namespace loops;

/// The arrays that loops may change, with copies of their initial contents.
class Memory {
public:
  Memory() {
    for (double *Array : {A, B, C, D, E})
      add(Array, Length);
    for (auto *Matrix : {&M, &P, &Q})
      add(&(*Matrix)[0][0], Rows * Columns);
    for (float *Array : {R, S, T, U, V})
      add(Array, Length);
    for (auto *Matrix : {&F, &G, &H})
      add(&(*Matrix)[0][0], Rows * Columns);
    for (int I = 0; I < Operands::Arrays; ++I) {
      HeapDoubles[I].resize(Length);
      HeapFloats[I].resize(Length);
      add(Pointers.Doubles[I] = HeapDoubles[I].data(), Length);
      add(Pointers.Floats[I] = HeapFloats[I].data(), Length);
    }
    Pointers.Indices = Order;
  }

  void restore() {
    for (const Part &One : Parts)
      std::memcpy(One.Now, One.AtFirst.data(), One.AtFirst.size());
  }

  uint64_t checksum() const {
    uint64_t All = 0;
    for (const Part &One : Parts)
      All = 3 * All + bench::checksumOfBytes(One.Now, One.AtFirst.size());
    return All;
  }

  const Operands &operands() const { return Pointers; }

private:
  struct Part {
    void *Now;
    std::vector<char> AtFirst;
  };

  template <class Number> void add(Number *Data, size_t Count) {
    bench::fill(Data, Count, Parts.size() + 1);
    const auto *Bytes = reinterpret_cast<const char *>(Data);
    Parts.push_back({Data, {Bytes, Bytes + Count * sizeof(Number)}});
  }

  std::vector<Part> Parts;
  std::array<std::vector<double>, Operands::Arrays> HeapDoubles;
  std::array<std::vector<float>, Operands::Arrays> HeapFloats;
  Operands Pointers;
};

/// Fills the arrays of integers, which no loop changes.
void fillIntegers() {
  const std::vector<double> Random = bench::numbers(3 * Length, 0);
  const auto Below = [&](long Index, long Limit) {
    return static_cast<int>((0.5 + 0.5 * Random[Index]) * static_cast<double>(Limit));
  };
  for (long I = 0; I < Length; ++I) {
    Order[I] = static_cast<int>(I);
    std::swap(Order[I], Order[Below(I, I + 1)]);
    Place[I] = Below(Length + I, Length);
    Kind[I] = Below(2 * Length + I, 4);
  }
}

double secondsOf(clockid_t Clock) {
  timespec Time;
  clock_gettime(Clock, &Time);
  return static_cast<double>(Time.tv_sec) + 1e-9 * static_cast<double>(Time.tv_nsec);
}

struct Result {
  double Seconds = 0;
  double Processor = 0; ///< seconds of processor time of this thread
  uint64_t Checksum = 0;
};

Result measure(const Loop &One, long Calls, Memory &All) {
  All.restore();
  std::vector<double> Returned = {0.0, 0.0}; // the sum, and the last value
  Result Of;
  Of.Seconds -= secondsOf(CLOCK_MONOTONIC);
  Of.Processor -= secondsOf(CLOCK_THREAD_CPUTIME_ID);
  for (long Call = 0; Call < Calls; ++Call) {
    Returned[1] = One.call(All.operands());
    Returned[0] += Returned[1];
  }
  Of.Processor += secondsOf(CLOCK_THREAD_CPUTIME_ID);
  Of.Seconds += secondsOf(CLOCK_MONOTONIC);
  Of.Checksum = All.checksum() ^ bench::checksum(Returned);
  return Of;
}

std::span<const Loop *const> table() { return {__start_bench_loops, __stop_bench_loops}; }

const Loop *find(std::string_view Name) {
  const auto Found = std::ranges::find(table(), Name, [](const Loop *One) { return One->Name; });
  return Found == table().end() ? nullptr : *Found;
}

/// Returns how many calls take about \p Seconds of processor time.
long callsFor(const Loop &One, double Seconds, Memory &All) {
  // A result is extrapolated by at most a factor of four; shorter runs are mostly cold caches.
  constexpr double EnoughToTell = 0.25;
  for (long Calls = 1;; Calls *= 2) {
    const double Took = measure(One, Calls, All).Processor;
    if (Took >= EnoughToTell * Seconds)
      return std::max(1L, static_cast<long>(static_cast<double>(Calls) * Seconds / Took));
  }
}

void printCalls(double Seconds, Memory &All) {
  std::printf("{\"seconds\": %g, \"calls\": {", Seconds);
  const char *Separator = "";
  for (const Loop *One : table()) {
    std::printf("%s\"%s\": %ld", Separator, One->Name, callsFor(*One, Seconds, All));
    Separator = ", ";
  }
  std::printf("}}\n");
}

[[noreturn]] void fail(const char *Argument) {
  std::fprintf(stderr, "error: '%s' is not --seconds=S or NAME=CALLS of a loop\n", Argument);
  std::exit(2);
}

std::string describe(const Result &Of) {
  std::array<char, 128> Text;
  std::snprintf(Text.data(), Text.size(),
                "\"seconds\": %.9f, \"processor_seconds\": %.9f, \"checksum\": \"%016llx\"",
                Of.Seconds, Of.Processor, static_cast<unsigned long long>(Of.Checksum));
  return Text.data();
}

void printTimes(std::span<char *> Arguments, Memory &All) {
  std::string Loops;
  Result Sum;
  for (const char *Argument : Arguments) {
    const std::string_view Words = Argument;
    const size_t Equals = Words.find('=');
    const Loop *One = Equals == Words.npos ? nullptr : find(Words.substr(0, Equals));
    const long Calls = One ? std::strtol(Argument + Equals + 1, nullptr, 10) : 0;
    if (Calls < 1)
      fail(Argument);
    const Result Now = measure(*One, Calls, All);
    Sum.Seconds += Now.Seconds;
    Sum.Processor += Now.Processor;
    Sum.Checksum = 3 * Sum.Checksum + Now.Checksum;
    Loops +=
        (Loops.empty() ? "\"" : ", \"") + std::string(One->Name) + "\": {" + describe(Now) + "}";
  }
  std::printf("{%s, \"loops\": {%s}}\n", describe(Sum).c_str(), Loops.c_str());
}

} // namespace

int main(int Argc, char **Argv) {
  constexpr std::string_view SecondsOption = "--seconds=";
  Few = 3;
  Middle = Length / 2;
  fillIntegers();
  Memory All;
  const std::span Arguments(Argv + 1, Argv + Argc);
  if (Arguments.size() == 1 && std::string_view(Arguments[0]).starts_with(SecondsOption)) {
    const double Seconds = std::strtod(Arguments[0] + SecondsOption.size(), nullptr);
    if (!(Seconds > 0))
      fail(Arguments[0]);
    printCalls(Seconds, All);
  } else {
    printTimes(Arguments, All);
  }
}
