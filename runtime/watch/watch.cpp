//===- runtime/watch/watch.cpp - whether bytes are still what they were ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/watch/watch.h"
#include "runtime/base/clock.h"
#include "runtime/base/tuning.h"
#include "runtime/watch/watched_part.h"

#include <algorithm>

namespace specrt {
namespace {

constexpr uint64_t TimedEvery = 64;
/// So that a check has a bound that is not the program's.
constexpr size_t MostRanges = 64;

} // namespace

Watch::~Watch() = default;

std::unique_ptr<Watch> Watch::arm(std::span<const WatchedRange> Ranges) {
  const WatchMode Mode = tuning().Watching.load(std::memory_order_relaxed);
  if (Mode == WatchMode::Off || Mode == WatchMode::Stamps || Ranges.size() > MostRanges)
    return nullptr;
  std::unique_ptr<Watch> W(new Watch());
  for (const WatchedRange &R : Ranges) {
    if (R.Bytes == 0)
      continue;
    auto Part = std::make_shared<ComparedPart>(R.Begin, R.Bytes);
    if (!Part->arm())
      return nullptr;
    W->Parts.push_back(std::move(Part));
  }
  return W;
}

bool Watch::check() {
  return std::ranges::all_of(Parts, [](const auto &Part) { return Part->unchanged(); });
}

bool Watch::unchanged() {
  // A plain addition: counts that threads lose to each other cost less than a locked one.
  const uint64_t Number = Checks.load(std::memory_order_relaxed);
  Checks.store(Number + 1, std::memory_order_relaxed);
  if (Number % TimedEvery != 0)
    return check();
  const uint64_t Begin = ticks();
  const bool Unchanged = check();
  TimedTicks.fetch_add(ticks() - Begin, std::memory_order_relaxed);
  TimedChecks.fetch_add(1, std::memory_order_relaxed);
  return Unchanged;
}

bool Watch::isCostly() const {
  return std::ranges::any_of(Parts, [](const auto &Part) { return Part->isCostly(); });
}

WatchFigures Watch::figures() const {
  static constexpr std::pair<WatchKind, const char *> Words[] = {
      {WatchKind::Stamps, "stamps"},
      {WatchKind::Pages, "pages"},
      {WatchKind::Comparison, "comparison"}};
  WatchFigures F{};
  for (auto [Kind, Word] : Words)
    if (std::ranges::any_of(Parts, [&](const auto &Part) { return Part->kind() == Kind; }))
      F.Kinds += (F.Kinds.empty() ? "" : " and ") + std::string(Word);
  for (const auto &Part : Parts)
    F.Bytes += Part->Bytes;
  F.Checks = Checks.load(std::memory_order_relaxed);
  if (const uint64_t Timed = TimedChecks.load(std::memory_order_relaxed))
    F.NsPerCheck = double(TimedTicks.load(std::memory_order_relaxed)) * nsPerTick() / double(Timed);
  return F;
}

} // namespace specrt
