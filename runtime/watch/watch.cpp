//===- runtime/watch/watch.cpp - detects changes of memory ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/watch/watch.h"
#include "runtime/base/clock.h"
#include "runtime/base/tuning.h"
#include "runtime/watch/compared_part.h"
#include "runtime/watch/mappings.h"
#include "runtime/watch/process_watches.h"
#include "support/quiet_call.h"

#include <algorithm>
#include <new>
#include <optional>

namespace specrt {
namespace {

/// One in this many checks is timed, because reading the clock takes as long as a short check.
constexpr uint64_t TimedEvery = 64;
/// The limit of ranges; a matrix may have an array per row.
constexpr size_t MostRanges = 1 << 20;
/// Ranges with smaller gaps are tracked together: there is no page between them.
constexpr size_t NearBytes = 2048;
/// The limit of tracked parts, each of which costs a system call per check.
constexpr size_t MostTracked = 32;
/// Fewer pages are compared faster than scanned.
constexpr size_t LeastPages = 8;
/// The time to query the kernel about one page of many. Measured on x86-64.
constexpr size_t NsPerScannedPage = 1;
/// Smaller ranges are compared together, with copies of their own.
constexpr size_t LeastShared = 16 << 10;
/// The limit of WatchCopies::OfSmall.
constexpr size_t LeastWithoutCopy = 1 << 20;

uintptr_t addressOf(const std::byte *At) { return reinterpret_cast<uintptr_t>(At); }

/// Returns whether the range does not wrap around the address space.
bool isInMemory(const WatchedRange &R) {
  uintptr_t Span, End;
  return !__builtin_mul_overflow(R.Count - 1, R.Stride, &Span) &&
         !__builtin_add_overflow(Span, R.Bytes, &Span) &&
         !__builtin_add_overflow(addressOf(R.Begin), Span, &End);
}

/// Merges rows without gaps into one.
WatchedRange simplified(const WatchedRange &R) {
  return R.isOneRow() || R.Stride > R.Bytes
             ? R
             : WatchedRange{R.Begin, (R.Count - 1) * R.Stride + R.Bytes};
}

/// Returns the ranges in ascending order, with touching or overlapping ones merged. Returns nothing
/// if one wraps around the address space, or begins between rows of another.
std::optional<std::vector<WatchedRange>> merged(std::span<const WatchedRange> Ranges) {
  std::vector<WatchedRange> Sorted;
  for (const WatchedRange &R : Ranges) {
    if (R.Bytes == 0 || R.Count == 0)
      continue;
    if (!isInMemory(R))
      return std::nullopt;
    Sorted.push_back(simplified(R));
  }
  std::ranges::sort(Sorted, {}, [](const WatchedRange &R) { return addressOf(R.Begin); });
  std::vector<WatchedRange> Merged;
  for (const WatchedRange &R : Sorted) {
    if (Merged.empty() || R.Begin > Merged.back().end()) {
      Merged.push_back(R);
      continue;
    }
    WatchedRange &Last = Merged.back();
    if (Last.isOneRow() && R.isOneRow())
      Last.Bytes = std::max(Last.Bytes, static_cast<size_t>(R.end() - Last.Begin));
    else if (R.Begin == Last.end())
      Merged.push_back(R);
    else
      return std::nullopt;
  }
  return Merged;
}

/// Returns whether there is no page between neighbouring rows.
bool isNear(const WatchedRange &R) { return R.isOneRow() || R.Stride - R.Bytes < NearBytes; }

std::span<const WatchedRange> nearOnes(std::span<const WatchedRange> Ascending) {
  size_t Count = 1;
  if (isNear(Ascending.front()))
    while (Count < Ascending.size() && isNear(Ascending[Count]) &&
           static_cast<size_t>(Ascending[Count].Begin - Ascending[Count - 1].end()) < NearBytes)
      ++Count;
  return Ascending.first(Count);
}

/// Finds or makes the parts of one watch.
class PartMaker {
public:
  PartMaker(ProcessWatches &P, WatchMode M, WatchCopies C, WatchGaps G)
      : Process(P), Mode(M), Copies(C), Gaps(G) {}

  /// Returns nothing if Ranges must not be watched. May throw bad_alloc.
  std::optional<std::vector<std::shared_ptr<WatchedPart>>>
  of(std::span<const WatchedRange> Ranges) {
    if (Gaps == WatchGaps::OfTheArray && addWithGaps(Ranges))
      Ranges = {};
    while (!Ranges.empty()) {
      const std::span<const WatchedRange> Near = nearOnes(Ranges);
      Ranges = Ranges.subspan(Near.size());
      if (Near.size() > 1 && addTracked(Near))
        continue;
      for (const WatchedRange &R : Near)
        if (!addStamped(R) &&
            (Mode == WatchMode::Stamps || (!(isNear(R) && addTracked({&R, 1})) && !addCompared(R))))
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
    auto Stamps = Process.Stamps.covering(addressOf(R.Begin), addressOf(R.end()));
    return !Stamps.empty() &&
           take(std::make_shared<StampedPart>(R.totalBytes(), Process.Stamps, std::move(Stamps)));
  }

  /// Watches ranges with pages between them as one run of pages, if these are in the same mapping,
  /// and querying the kernel about all of them takes less time than comparing the ranges.
  bool addWithGaps(std::span<const WatchedRange> Ranges) {
    if (Ranges.empty() || (Ranges.size() == 1 && isNear(Ranges.front())))
      return false;
    const std::byte *Begin = Ranges.front().Begin, *End = Ranges.back().end();
    const auto Hull = static_cast<size_t>(End - Begin);
    if (addStamped({Begin, Hull}))
      return true;
    size_t Bytes = 0;
    for (const WatchedRange &R : Ranges)
      Bytes += R.totalBytes();
    if (Mode != WatchMode::Pages || !Process.pages() ||
        Hull / pageBytes() * NsPerScannedPage > Bytes / ComparedBytesPerNs)
      return false;
    const std::optional<Mapping> Where = Mappings().at(addressOf(Begin));
    return Where && addressOf(End) <= Where->End && addTracked(Ranges);
  }

  /// Watches the whole pages from the first to the last of some ranges by the record of pages, and
  /// the bytes before and behind them by comparison. Each mapping that contains such pages must
  /// contain some of the ranges, because it is registered as a whole.
  bool addTracked(std::span<const WatchedRange> Near) {
    const size_t Page = pageBytes();
    const uintptr_t Begin = addressOf(Near.front().Begin), End = addressOf(Near.back().end());
    const PageRun Pages = {(Begin + Page - 1) / Page * Page, End / Page * Page};
    if (Mode != WatchMode::Pages || Begin > Pages.Begin || Pages.isEmpty() ||
        Pages.bytes() < LeastPages * Page || NumTracked == MostTracked)
      return false;
    if (Near.size() == 1 && Near.front().isOneRow() ? !trackOrShare(Pages) : !track(Pages, Near))
      return false;
    ++NumTracked;
    const auto Compare = [&](const std::byte *Piece, size_t Bytes) {
      Small.push_back({Piece, Bytes});
      return true;
    };
    for (const WatchedRange &R : Near) {
      R.forEachPiece(R.Begin, reinterpret_cast<const std::byte *>(Pages.Begin), Compare);
      R.forEachPiece(reinterpret_cast<const std::byte *>(Pages.End), R.end(), Compare);
    }
    return true;
  }

  /// Called when no other watch has the same ranges.
  bool track(PageRun Pages, std::span<const WatchedRange> Near) {
    PageTracker *Tracker = Process.pages();
    return Tracker && take(Tracker->track(Pages, copiesOf(Pages), {Near.begin(), Near.end()}));
  }

  bool trackOrShare(PageRun Pages) {
    const auto *Begin = reinterpret_cast<const std::byte *>(Pages.Begin);
    return share(Begin, Pages.bytes(), WatchKind::Pages, [&]() -> std::shared_ptr<WatchedPart> {
      PageTracker *Tracker = Process.pages();
      return Tracker ? Tracker->track(Pages, copiesOf(Pages), {{Begin, Pages.bytes()}}) : nullptr;
    });
  }

  WatchCopies copiesOf(PageRun Pages) const {
    return Pages.bytes() < LeastWithoutCopy ? WatchCopies::OfAll : Copies;
  }

  bool addCompared(const WatchedRange &R) {
    if (R.totalBytes() < LeastShared) {
      Small.push_back(R);
      return true;
    }
    if (!R.isOneRow())
      return take(ComparedPart::arm({R}));
    return share(R.Begin, R.Bytes, WatchKind::Comparison, [&] { return ComparedPart::arm({R}); });
  }

  /// Takes an existing part, or makes a new one that later watches share.
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
  const WatchGaps Gaps;
  std::vector<std::shared_ptr<WatchedPart>> Made;
  std::vector<WatchedRange> Small; ///< compared together
  size_t NumTracked = 0;
};

} // namespace

Watch::~Watch() = default;

std::unique_ptr<Watch> Watch::arm(std::span<const WatchedRange> Ranges, WatchCopies Copies,
                                  WatchGaps Gaps) {
  const WatchMode Mode = tuning().Watching.load(std::memory_order_relaxed);
  if (Mode == WatchMode::Off || Ranges.size() > MostRanges)
    return nullptr;
  const QuietCall Quiet;
  try {
    ProcessWatches *Process = ProcessWatches::current();
    auto Merged = merged(Ranges);
    if (!Process || !Merged)
      return nullptr;
    auto Made = PartMaker(*Process, Mode, Copies, Gaps).of(*Merged);
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
  // The addition is not atomic: counts that threads lose to each other cost less than a locked
  // addition.
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
