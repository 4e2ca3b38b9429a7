//===- runtime/watch/page_tracker.cpp - memory that is watched by the record of pages ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/watch/page_tracker.h"
#include "support/quiet_call.h"

#include <algorithm>
#include <new>

namespace specrt {
namespace {

/// The time of a check that finds written pages, in addition to the scan: the program's write fault
/// of each page, protecting and comparing it, and reading the state of the process. Measured on
/// x86-64.
constexpr size_t NsPerWrittenCheck = 6000, NsPerWrittenPage = 1000;
/// The number of consecutive expensive checks after which a range counts as written often.
constexpr uint32_t MostCostlyChecks = 4;

} // namespace

TrackedPart::TrackedPart(PageTracker &T, PageRun P, std::vector<WatchedRange> Some)
    : Tracker(T), Pages(P), Ranges(std::move(Some)), InTables(PageRecord::inTables(P, Ranges)) {
  for (const WatchedRange &R : Ranges)
    ComparedBytes += R.totalBytes();
}

bool TrackedPart::equals(PageRun Run) const {
  if (!Copy)
    return false;
  const auto *From = reinterpret_cast<const std::byte *>(Run.Begin), *To = From + Run.bytes(),
             *First = reinterpret_cast<const std::byte *>(Pages.Begin);
  auto R = std::ranges::partition_point(
      Ranges, [&](const WatchedRange &Before) { return Before.end() <= From; });
  for (; R != Ranges.end() && R->Begin < To; ++R)
    if (!R->forEachPiece(From, To, [&](const std::byte *Piece, size_t Bytes) {
          return Copy.equals(Piece, static_cast<size_t>(Piece - First), Bytes);
        }))
      return false;
  return true;
}

void TrackedPart::takeCopy() {
  const auto *First = reinterpret_cast<const std::byte *>(Pages.Begin),
             *End = First + Pages.bytes();
  for (const WatchedRange &R : Ranges)
    R.forEachPiece(First, End, [&](const std::byte *Piece, size_t Bytes) {
      Copy.take(Piece, static_cast<size_t>(Piece - First), Bytes);
      return true;
    });
}

bool TrackedPart::unchanged() {
  const QuietCall Quiet;
  if (IsCompared.load(std::memory_order_acquire))
    return equals(Pages);
  switch (Tracker.Record->anyWritten(Pages, InTables)) {
  case PageRecord::Answer::Clean:
    if (CostlyChecks.load(std::memory_order_relaxed))
      CostlyChecks.store(0, std::memory_order_relaxed);
    return !HasNotes.load(std::memory_order_seq_cst) || settle();
  case PageRecord::Answer::Written:
    return lookAtWritten();
  case PageRecord::Answer::Unknown:
    break;
  }
  return compareFromNowOn();
}

/// Handles written pages. They are protected again before they are compared, so that the next check
/// sees later writes. This part gets a note like all others, because several threads may check it
/// at a time.
bool TrackedPart::lookAtWritten() {
  if (!Copy)
    return compareFromNowOn();
  if (CostlyChecks.load(std::memory_order_relaxed) >= MostCostlyChecks) {
    IsCostly.store(true, std::memory_order_relaxed);
    return compareFromNowOn();
  }
  const std::optional<size_t> Written = Tracker.protectWritten(Pages);
  if (!Written || PageRecord::mayMissWrites())
    return compareFromNowOn();
  const bool Dear = isDearerThanComparing(*Written);
  CostlyChecks.store(Dear ? CostlyChecks.load(std::memory_order_relaxed) + 1 : 0,
                     std::memory_order_relaxed);
  return settle();
}

bool TrackedPart::isDearerThanComparing(size_t WrittenBytes) const {
  return NsPerWrittenCheck + WrittenBytes / pageBytes() * NsPerWrittenPage >
         ComparedBytes / ComparedBytesPerNs;
}

bool TrackedPart::compareFromNowOn() {
  IsCompared.store(true, std::memory_order_release);
  return equals(Pages);
}

/// Compares the pages in this part's notes, and removes the notes only if the pages are unchanged
/// and no note was added meanwhile.
bool TrackedPart::settle() {
  PageRun Runs[MostRuns];
  size_t NumRuns;
  uint64_t Taken;
  {
    PatientLock::Guard Owned(Tracker.Lock);
    if (!Owned)
      return compareFromNowOn();
    NumRuns = NumNoted;
    Taken = NotesTaken;
    std::copy_n(Noted, NumRuns, Runs);
    if (NumRuns == 0)
      HasNotes.store(false, std::memory_order_relaxed);
  }
  if (NumRuns == 0)
    return true;
  if (!std::all_of(Runs, Runs + NumRuns, [&](PageRun Run) { return equals(Run); }))
    return false;
  PatientLock::Guard Owned(Tracker.Lock);
  if (Owned && NotesTaken == Taken) {
    NumNoted = 0;
    HasNotes.store(false, std::memory_order_relaxed);
  }
  return true;
}

/// Must be called with the tracker's lock.
void TrackedPart::note(PageRun Run) {
  ++NotesTaken;
  if (NumNoted < MostRuns) {
    Noted[NumNoted++] = Run;
    return;
  }
  for (const PageRun &Other : Noted)
    Run = {std::min(Run.Begin, Other.Begin), std::max(Run.End, Other.End)};
  Noted[0] = Run;
  NumNoted = 1;
}

template <typename Fn> void PageTracker::forEachPart(PageRun Pages, Fn F) {
  for (const std::weak_ptr<TrackedPart> &Weak : Parts)
    if (const std::shared_ptr<TrackedPart> Part = Weak.lock())
      if (const PageRun Shared = Part->Pages & Pages; !Shared.isEmpty())
        F(*Part, Shared);
}

std::optional<size_t> PageTracker::protectWritten(PageRun Pages) {
  PatientLock::Guard Owned(Lock);
  if (!Owned)
    return std::nullopt;
  // Set before a flag is cleared: a check that misses the flag then has to wait for the lock.
  forEachPart(Pages, [](TrackedPart &Part, PageRun) {
    Part.HasNotes.store(true, std::memory_order_seq_cst);
  });
  size_t Written = 0;
  auto Tell = [&](PageRun Run) {
    Written += Run.bytes();
    forEachPart(Run, [](TrackedPart &Part, PageRun Shared) { Part.note(Shared); });
  };
  if (Record->protectWritten(Pages, Tell))
    return Written;
  Tell(Pages);
  return std::nullopt;
}

bool PageTracker::protectAll(const TrackedPart &New, bool &AreShared) {
  PatientLock::Guard Owned(Lock);
  if (!Owned)
    return false;
  forEachPart(New.Pages, [&](TrackedPart &Part, PageRun Shared) {
    if (&Part == &New)
      return; // it has no copy yet
    AreShared = true;
    Part.note(Shared);
    Part.HasNotes.store(true, std::memory_order_seq_cst);
  });
  return Record->protectAll(New.Pages);
}

bool PageTracker::list(const std::shared_ptr<TrackedPart> &Part) {
  PatientLock::Guard Owned(Lock);
  if (!Owned)
    return false;
  std::erase_if(Parts, [](const auto &Weak) { return Weak.expired(); });
  if (Parts.size() >= MostParts)
    return false;
  Parts.push_back(Part);
  return true;
}

std::shared_ptr<TrackedPart> PageTracker::track(PageRun Pages, WatchCopies Copies,
                                                std::vector<WatchedRange> Ranges) {
  if (!Record->prepare(Pages))
    return nullptr;
  // make_shared is not used, because the list must not keep the memory of destroyed parts.
  std::shared_ptr<TrackedPart> Part(new TrackedPart(*this, Pages, std::move(Ranges)));
  // From here on writes are detected. The copy gets the bytes that the caller reads.
  bool AreShared = false;
  if (!list(Part) || !protectAll(*Part, AreShared) || PageRecord::mayMissWrites())
    return nullptr;
  // A part that shares pages gets notes each time that another part begins to watch some of them.
  Part->LacksCopy = Copies == WatchCopies::OfSmall && !AreShared;
  if (!Part->LacksCopy && Part->Copy.reserve(Pages.bytes()))
    Part->takeCopy();
  return Part;
}

} // namespace specrt
