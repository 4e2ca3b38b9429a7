//===- bench/watch.cpp - costs of detecting changes of memory -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures checks of unchanged ranges by each kind of watch, arming watches, and the program's
// first write to a watched page. The argument is the size in KB.
//
//===----------------------------------------------------------------------===//
#include "runtime/watch/watch.h"
#include "runtime/base/clock.h"
#include "runtime/base/tuning.h"
#include "runtime/watch/process_watches.h"

#include <benchmark/benchmark.h>
#include <cstring>
#include <string>
#include <sys/mman.h>

namespace {

using namespace specrt;

/// An array of a program, which neither begins nor ends at the boundary of a page.
class Array {
public:
  explicit Array(size_t KB)
      : Mapped((KB << 10) + 2 * pageBytes()),
        Memory(mmap(nullptr, Mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)),
        Range{static_cast<std::byte *>(Memory) + 16, KB << 10} {
    madvise(Memory, Mapped, MADV_NOHUGEPAGE);
    std::memset(Memory, 1, Mapped);
  }
  ~Array() { munmap(Memory, Mapped); }
  Array(const Array &) = delete;

  std::byte *data() const { return static_cast<std::byte *>(Memory) + 16; }

private:
  const size_t Mapped;
  void *const Memory;

public:
  const WatchedRange Range;
};

bool isWatchedBy(const Watch &W, const char *Kind) { return W.figures().Kinds == Kind; }

void check(benchmark::State &State, WatchMode Mode, const char *Kind) {
  tuning().Watching = Mode;
  const Array A(static_cast<size_t>(State.range(0)));
  Promises &Stamps = ProcessWatches::current()->Stamps;
  if (Mode == WatchMode::Stamps)
    Stamps.touch(A.Range.Begin, A.Range.Bytes);
  if (auto W = Watch::arm({&A.Range, 1}); W && isWatchedBy(*W, Kind)) {
    for (auto _ : State)
      if (!W->unchanged())
        State.SkipWithError("changed");
  } else {
    State.SkipWithError("is not watched like that on this machine");
  }
  Stamps.end(A.Range.Begin, A.Range.Bytes);
}
BENCHMARK_CAPTURE(check, stamps, WatchMode::Stamps, "stamps")->Arg(64)->Arg(1 << 10)->Arg(16 << 10);
BENCHMARK_CAPTURE(check, pages, WatchMode::Pages, "pages")->Arg(64)->Arg(1 << 10)->Arg(16 << 10);
BENCHMARK_CAPTURE(check, comparison, WatchMode::Compare, "comparison")
    ->Arg(64)
    ->Arg(1 << 10)
    ->Arg(16 << 10);

/// Measures arming a watch, which includes a copy of the array for each kind.
void arm(benchmark::State &State, WatchMode Mode) {
  tuning().Watching = Mode;
  for (auto _ : State) {
    State.PauseTiming();
    {
      const Array A(static_cast<size_t>(State.range(0)));
      State.ResumeTiming();
      auto W = Watch::arm({&A.Range, 1});
      State.PauseTiming();
      if (!W)
        State.SkipWithError("is not watched");
    }
    State.ResumeTiming();
  }
}
BENCHMARK_CAPTURE(arm, pages, WatchMode::Pages)->Arg(64)->Arg(16 << 10)->Iterations(30);
BENCHMARK_CAPTURE(arm, comparison, WatchMode::Compare)->Arg(64)->Arg(16 << 10)->Iterations(30);

/// Measures the first write to each page of 1 MB, including the store itself.
void firstWrite(benchmark::State &State) {
  tuning().Watching = WatchMode::Pages;
  constexpr size_t KB = 1 << 10;
  for (auto _ : State) {
    const Array A(KB);
    auto W = Watch::arm({&A.Range, 1});
    if (!W || !isWatchedBy(*W, "pages")) {
      State.SkipWithError("is not watched like that on this machine");
      break;
    }
    const uint64_t Begin = monotonicNs();
    for (size_t At = pageBytes(); At < A.Range.Bytes; At += pageBytes())
      A.data()[At] = std::byte{2};
    const size_t Pages = A.Range.Bytes / pageBytes() - 1;
    State.SetIterationTime(1e-9 * double(monotonicNs() - Begin) / double(Pages));
  }
}
BENCHMARK(firstWrite)->UseManualTime()->Iterations(100);

} // namespace

int main(int Count, char **Arguments) {
  calibrateClock();
  benchmark::Initialize(&Count, Arguments);
  benchmark::RunSpecifiedBenchmarks();
}
