//===- runtime/watch/watch.cpp - whether bytes are still what they were ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/watch/watch.h"
#include "runtime/base/clock.h"
#include "runtime/base/tuning.h"
#include "runtime/watch/compared_part.h"
#include "runtime/watch/process_watches.h"
#include "runtime/watch/quiet_call.h"

#include <algorithm>
#include <new>
#include <optional>

namespace specrt {
namespace {

constexpr uint64_t TimedEvery = 64;
/// A matrix may have an array per row.
constexpr size_t MostRanges = 1 << 20;
/// Ranges that are nearer to each other are tracked together: there is no page between them.
constexpr size_t NearBytes = 2048;
/// Each costs a system call per check.
constexpr size_t MostTracked = 32;
/// Fewer pages are compared faster than scanned.
constexpr size_t LeastPages = 8;
/// Smaller ranges are compared together, by copies of their own.
constexpr size_t LeastShared = 16 << 10;
/// WatchCopies::OfSmall.
constexpr size_t LeastWithoutCopy = 1 << 20;

uintptr_t addressOf(const std::byte *At) { return reinterpret_cast<uintptr_t>(At); }

/// In ascending order; those that touch or overlap are one. Nothing where one is not in memory.
std::optional<std::vector<WatchedRange>> merged(std::span<const WatchedRange> Ranges) {
  std::vector<WatchedRange> Sorted;
  for (const WatchedRange &R : Ranges) {
    if (addressOf(R.Begin) + R.Bytes < R.Bytes)
      return std::nullopt;
    if (R.Bytes > 0)
      Sorted.push_back(R);
  }
  std::ranges::sort(Sorted, {}, [](const WatchedRange &R) { return addressOf(R.Begin); });
  std::vector<WatchedRange> Merged;
  for (const WatchedRange &R : Sorted) {
    if (!Merged.empty() && R.Begin <= Merged.back().Begin + Merged.back().Bytes) {
      WatchedRange &Last = Merged.back();
      Last.Bytes = std::max(Last.Bytes, static_cast<size_t>(R.Begin - Last.Begin) + R.Bytes);
    } else {
      Merged.push_back(R);
    }
  }
  return Merged;
}

std::span<const WatchedRange> nearOnes(std::span<const WatchedRange> Ascending) {
  size_t Count = 1;
  while (Count < Ascending.size() &&
         Ascending[Count].Begin - (Ascending[Count - 1].Begin + Ascending[Count - 1].Bytes) <
             static_cast<ptrdiff_t>(NearBytes))
    ++Count;
  return Ascending.first(Count);
}

/// Finds or makes the parts of one watch.
class PartMaker {
public:
  PartMaker(ProcessWatches &P, WatchMode M, WatchCopies C) : Process(P), Mode(M), Copies(C) {}

  /// Nothing where Ranges may not be watched. May throw bad_alloc.
  std::optional<std::vector<std::shared_ptr<WatchedPart>>>
  of(std::span<const WatchedRange> Ranges) {
    while (!Ranges.empty()) {
      const std::span<const WatchedRange> Near = nearOnes(Ranges);
      Ranges = Ranges.subspan(Near.size());
      if (Near.size() > 1 && addTracked(Near))
        continue;
      for (const WatchedRange &R : Near)
        if (!addStamped(R) &&
            (Mode == WatchMode::Stamps || (!addTracked({&R, 1}) && !addCompared(R))))
          return std::nullopt;
    }
    if (!Small.empty() && !take(ComparedPart::arm(std::move(Small))))
      return std::nullopt;
    std::ranges::sort(Made, {}, [](const auto &Part) { return Part->kind(); });
    return std::move(Made);
  }

private:
  bool take(std::shared_ptr<WatchedPart> Part) {
    if (!Part)
      return false;
    Made.push_back(std::move(Part));
    return true;
  }

  bool addStamped(const WatchedRange &R) {
    if (Mode == WatchMode::Compare)
      return false;
    auto Stamps = Process.Stamps.covering(addressOf(R.Begin), addressOf(R.Begin) + R.Bytes);
    return !Stamps.empty() &&
           take(std::make_shared<StampedPart>(R.Bytes, Process.Stamps, std::move(Stamps)));
  }

  /// The whole pages of ranges that are near each other by the record of pages, what lies before
  /// and behind them by comparison.
  bool addTracked(std::span<const WatchedRange> Near) {
    const size_t Page = pageBytes();
    const uintptr_t Begin = addressOf(Near.front().Begin);
    const uintptr_t End = addressOf(Near.back().Begin) + Near.back().Bytes;
    const PageRun Pages = {(Begin + Page - 1) / Page * Page, End / Page * Page};
    if (Mode != WatchMode::Pages || Begin > Pages.Begin || Pages.isEmpty() ||
        Pages.bytes() < LeastPages * Page || NumTracked == MostTracked)
      return false;
    if (Near.size() == 1 ? !trackOrShare(Pages) : !track(Pages, Near))
      return false;
    ++NumTracked;
    for (const WatchedRange &R : Near) {
      const uintptr_t From = addressOf(R.Begin), To = From + R.Bytes;
      if (From < Pages.Begin)
        Small.push_back({R.Begin, std::min(To, Pages.Begin) - From});
      if (To > Pages.End)
        Small.push_back(
            {R.Begin + (std::max(From, Pages.End) - From), To - std::max(From, Pages.End)});
    }
    return true;
  }

  /// Nobody else watches the same ranges.
  bool track(PageRun Pages, std::span<const WatchedRange> Near) {
    PageTracker *Tracker = Process.pages();
    return Tracker && take(Tracker->track(Pages, copiesOf(Pages), {Near.begin(), Near.end()}));
  }

  bool trackOrShare(PageRun Pages) {
    const auto *Begin = reinterpret_cast<const std::byte *>(Pages.Begin);
    return share(Begin, Pages.bytes(), WatchKind::Pages, [&]() -> std::shared_ptr<WatchedPart> {
      PageTracker *Tracker = Process.pages();
      return Tracker ? Tracker->track(Pages, copiesOf(Pages)) : nullptr;
    });
  }

  WatchCopies copiesOf(PageRun Pages) const {
    return Pages.bytes() < LeastWithoutCopy ? WatchCopies::OfAll : Copies;
  }

  bool addCompared(const WatchedRange &R) {
    if (R.Bytes < LeastShared) {
      Small.push_back(R);
      return true;
    }
    return share(R.Begin, R.Bytes, WatchKind::Comparison, [&] { return ComparedPart::arm({R}); });
  }

  /// A part that there is already, or a new one for all who come later.
  template <typename Fn> bool share(const std::byte *Begin, size_t Bytes, WatchKind Kind, Fn Make) {
    std::shared_ptr<WatchedPart> Part = Process.find(Begin, Bytes, Kind);
    if (!Part || (Copies == WatchCopies::OfAll && Part->lacksCopy())) {
      Part = Make();
      if (Part)
        Process.add(Begin, Bytes, Part);
    }
    return take(std::move(Part));
  }

  ProcessWatches &Process;
  const WatchMode Mode;
  const WatchCopies Copies;
  std::vector<std::shared_ptr<WatchedPart>> Made;
  std::vector<WatchedRange> Small; ///< to be compared together
  size_t NumTracked = 0;
};

} // namespace

Watch::~Watch() = default;

std::unique_ptr<Watch> Watch::arm(std::span<const WatchedRange> Ranges, WatchCopies Copies) {
  const WatchMode Mode = tuning().Watching.load(std::memory_order_relaxed);
  if (Mode == WatchMode::Off || Ranges.size() > MostRanges)
    return nullptr;
  const QuietCall Quiet;
  try {
    ProcessWatches *Process = ProcessWatches::current();
    auto Merged = merged(Ranges);
    if (!Process || !Merged)
      return nullptr;
    auto Made = PartMaker(*Process, Mode, Copies).of(*Merged);
    if (!Made)
      return nullptr;
    std::unique_ptr<Watch> W(new Watch(*Process));
    W->Parts = std::move(*Made);
    return W;
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

bool Watch::check() {
  if (!Process.isCurrent())
    return false;
  for (const std::shared_ptr<WatchedPart> &Part : Parts)
    if (!Part->unchanged())
      return false;
  return true;
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

bool Watch::lacksCopies() const {
  return std::ranges::any_of(Parts, [](const auto &Part) { return Part->lacksCopy(); });
}

WatchFigures Watch::figures() const {
  static constexpr std::pair<WatchKind, const char *> Words[] = {
      {WatchKind::Stamps, "stamps"},
      {WatchKind::Pages, "pages"},
      {WatchKind::Comparison, "comparison"}};
  WatchFigures F{};
  for (const auto &Part : Parts)
    F.Bytes += Part->bytes();
  for (auto [Kind, Word] : Words) {
    size_t Bytes = 0;
    for (const auto &Part : Parts)
      Bytes += Part->kind() == Kind ? Part->bytes() : 0;
    if (Bytes > F.Bytes / 4) // the ends of ranges are always compared
      F.Kinds += (F.Kinds.empty() ? "" : " and ") + std::string(Word);
  }
  F.Checks = Checks.load(std::memory_order_relaxed);
  if (const uint64_t Timed = TimedChecks.load(std::memory_order_relaxed))
    F.NsPerCheck = double(TimedTicks.load(std::memory_order_relaxed)) * nsPerTick() / double(Timed);
  return F;
}

} // namespace specrt
