//===- bench/capture.cpp - costs of capturing a call ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints a line for each amount of memory that a call reads and writes, in MB: both amounts, the
// milliseconds that the capture cost before the call, after it, and in the time in which the
// program next writes its memory, while a clone of it may exist, and the milliseconds that the
// model of runtime/capture predicts. bench/capture.py runs it.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/clock.h"
#include "tests/runtime/capture/captured_region.h"
#include <algorithm>
#include <cstdio>
#include <unistd.h>
#include <vector>

using namespace captured;

namespace {

constexpr size_t BytesPerMb = 1 << 20;
constexpr size_t ReadMb = 64, WrittenMb = 64; // the largest call

double msSince(uint64_t Ns) { return static_cast<double>(monotonicNs() - Ns) / 1e6; }

struct Cost {
  double Before, After, Rewriting;
  double total() const { return Before + After + Rewriting; }
};

/// A call that reads and writes the first bytes of two arrays.
class Call {
public:
  Call(size_t Read, size_t Written) {
    Of.Accesses[0].range.end = constant(static_cast<int64_t>(Read * BytesPerMb));
    Of.Accesses[1].range.end = constant(static_cast<int64_t>(Written * BytesPerMb));
    Count = Written * BytesPerMb / sizeof(double);
  }

  double predictedMs(const Arrays &On) const {
    return captureNs(Of.Region, On.packed().data()) / 1e6;
  }
  bool measure(const Arrays &On, Cost &Found) const {
    const double Usual = rewriteMs(On);
    CaptureRefusal Why{};
    uint64_t Begin = monotonicNs();
    Capture *const Kept = beginCapture(this, Of.Region, On.packed().data(), LongNs, Why);
    Found.Before = msSince(Begin);
    if (!Kept) {
      std::fprintf(stderr, "error: the call %s\n", words(Why));
      return false;
    }
    Begin = monotonicNs();
    const bool IsKept = endCapture(*Kept, 1);
    Found.After = msSince(Begin);
    Found.Rewriting = std::max(rewriteMs(On) - Usual, 0.0);
    usleep(200'000); // a clone ends meanwhile
    dropCapture(this);
    return IsKept;
  }

private:
  double rewriteMs(const Arrays &On) const {
    const uint64_t Begin = monotonicNs();
    std::fill_n(On.b(), Count, 1.0);
    return msSince(Begin);
  }

  Sums Of;
  size_t Count;
};

} // namespace

int main() {
  const Arrays On(static_cast<int64_t>(std::max(ReadMb, WrittenMb) * BytesPerMb / sizeof(double)));
  constexpr size_t Amounts[][2] = {
      {1, 1}, {8, 8}, {0, WrittenMb}, {ReadMb, 1}, {ReadMb, WrittenMb}};
  for (const auto &[Read, Written] : Amounts) {
    const Call Of(Read, Written);
    constexpr unsigned Repetitions = 9;
    std::vector<Cost> Costs(Repetitions);
    for (Cost &Each : Costs)
      if (!Of.measure(On, Each))
        return 1;
    const auto Median = Costs.begin() + Repetitions / 2;
    std::nth_element(Costs.begin(), Median, Costs.end(),
                     [](const Cost &A, const Cost &B) { return A.total() < B.total(); });
    std::printf("%zu %zu %.3f %.3f %.3f %.3f\n", Read, Written, Median->Before, Median->After,
                Median->Rewriting, Of.predictedMs(On));
  }
}
