//===- runtime/zeros/zero_lists.cpp - keeps lists of nonzero elements between calls ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/zeros/zero_lists.h"
#include "runtime/base/brief_lock.h"
#include "runtime/base/clock.h"
#include "runtime/base/deferred.h"
#include "runtime/base/policy/backoff.h"
#include "runtime/zeros/element_bytes.h"
#include "runtime/zeros/zero_list.h"
#include "support/per_process.h"
#include "support/quiet_time.h"
#include "support/uncancelled.h"

#include <cerrno>
#include <cstring>
#include <new>
#include <unistd.h>
#include <vector>

namespace specrt {
namespace {

/// The limit of arrays, all of which a call may have to look through.
constexpr size_t MaxArrays = 64;
/// The limit of all lists.
constexpr size_t MaxBytes = size_t{512} << 20;
/// The least number of elements for which a list can gain.
constexpr uint64_t MinElements = 256;
constexpr uint64_t MaxElements = uint64_t{1} << 32;

/// Arrays from this size on are watched instead of checked in each call.
constexpr uint64_t BytesWorthWatching = 128 << 10;

/// The state of the elements of one walk: a list, or that they are finite.
struct Array {
  specrt_zeros_walk Walk{};
  std::unique_ptr<ZeroList> List;
  std::shared_ptr<Watch> Finite; ///< null unless all elements are finite
  uint64_t LastUse = 0;
  uint64_t Fingerprint = 0;   ///< of the previous list
  Backoff Listing;            ///< calls for which no list could be made
  uint32_t Made = 0;          ///< number of lists
  Backoff Watching;           ///< lists whose watched elements have changed
  bool IsUnwatchable = false; ///< watching failed for the last list
  std::atomic<bool> IsMaking{false};
  std::array<uint32_t, 4> AskedAs{}; ///< specrt_zeros_array of the latest requests

  void note(uint32_t Array) {
    if (Array == 0 || AskedAs[0] == Array)
      return;
    const auto Known = std::find(AskedAs.begin(), AskedAs.end() - 1, Array);
    std::copy_backward(AskedAs.begin(), Known, Known + 1);
    AskedAs[0] = Array;
  }
};

/// The state of all arrays. A thread that holds the lock without blocking signals only changes
/// counters, so siglongjmp leaves nothing incomplete there except the lock: then the whole state is
/// abandoned, and calls begin with a new one.
struct Process {
  explicit Process(const Process *Before)
      : Id(getpid()), GivenUp(Before && Before->Id == Id ? Before->GivenUp + Before->Held : 0) {}

  const pid_t Id;
  const size_t GivenUp;        ///< bytes of lists in abandoned states of this process
  std::atomic<size_t> Held{0}; ///< bytes of lists
  LosableLock Lock;
  std::vector<std::unique_ptr<Array>> Arrays;
  std::vector<std::unique_ptr<ZeroList>> Old; ///< lists that calls may still be using
  uint64_t Uses = 0;

  Array *find(const specrt_zeros_walk &W) {
    for (const auto &A : Arrays)
      if (std::memcmp(&A->Walk, &W, sizeof(W)) == 0) {
        A->LastUse = ++Uses;
        return A.get();
      }
    return nullptr;
  }
  void drop(std::unique_ptr<ZeroList> L) {
    if (L)
      Old.push_back(std::move(L));
    std::erase_if(Old, [](const auto &Unused) { return Unused->Users.load() == 0; });
  }
  size_t bytes() const {
    size_t Sum = GivenUp;
    for (const auto &A : Arrays)
      Sum += A->List ? A->List->bytes() : 0;
    for (const auto &L : Old)
      Sum += L->bytes();
    return Sum;
  }
  /// Returns null if all are in use.
  Array *add(const specrt_zeros_walk &W) {
    if (Arrays.size() >= MaxArrays) {
      const auto Oldest =
          std::min_element(Arrays.begin(), Arrays.end(), [](const auto &A, const auto &B) {
            return (A->IsMaking ? UINT64_MAX : A->LastUse) <
                   (B->IsMaking ? UINT64_MAX : B->LastUse);
          });
      if ((*Oldest)->IsMaking)
        return nullptr;
      drop(std::move((*Oldest)->List));
      Arrays.erase(Oldest);
    }
    Arrays.push_back(std::make_unique<Array>());
    Arrays.back()->Walk = W;
    Arrays.back()->LastUse = ++Uses;
    return Arrays.back().get();
  }
};

constinit PerProcess<Process> TheProcess;

constinit std::atomic<uint64_t> Made{0}, Reused{0}, Refused{0}, Unfit{0};

/// Holds the lock of the state, or fails: then the call runs the original loop.
class Hold {
public:
  explicit Hold(Process &P, uint64_t Nanoseconds = 0) : Guard(P.Lock, Nanoseconds) {
    if (!Guard && P.Lock.isLost())
      TheProcess.giveUp(P);
  }
  explicit operator bool() const { return static_cast<bool>(Guard); }

private:
  const LosableLock::Guard Guard;
};

/// Returns the walk with unused members cleared, because these have arbitrary stack contents.
specrt_zeros_walk keyOf(const specrt_zeros_walk &W) {
  specrt_zeros_walk Key{};
  std::memcpy(static_cast<void *>(&Key), &W,
              offsetof(specrt_zeros_walk, loops) + W.num_loops * sizeof(specrt_zeros_loop));
  Key.array = 0; // the same for all that request it
  return Key;
}

/// Watches the bytes of the elements, and no others. Returns null if they cannot be watched.
std::unique_ptr<Watch> watchElements(const specrt_zeros_walk &W, const ElementHull &Hull) {
  const std::vector<WatchedRange> Bytes = bytesOf(W, Hull);
  return Bytes.empty() ? nullptr : Watch::arm(Bytes, WatchCopies::OfAll, WatchGaps::OfTheArray);
}

/// Makes a list, and watches its elements if \p Watches.
std::unique_ptr<ZeroList> make(const specrt_zeros_walk &W, bool Watches, size_t MaxBytes) {
  const ElementHull Hull = hullOf(W);
  if (Hull.Elements < MinElements || Hull.Elements > MaxElements ||
      sampledZeros(W, Hull.Elements) < MinShareOfZeros)
    return nullptr;
  std::unique_ptr<Watch> Watched = Watches ? watchElements(W, Hull) : nullptr;
  std::unique_ptr<ZeroList> New = listElements(W, Hull, MaxBytes);
  if (New)
    New->Watched = std::move(Watched);
  return New;
}

/// Makes a list for the call that begins. Signals must not interrupt it, because it allocates.
ZeroList *makeFor(const specrt_zeros_walk &W, uint32_t AskedAs) {
  Process *const Known = TheProcess.get();
  if (!Known)
    return nullptr;
  Process &P = *Known;
  Array *A = nullptr;
  bool Watches = false, IsSetup = false;
  size_t Room = 0;
  {
    const Hold Guard(P, LostLockNs);
    if (!Guard)
      return nullptr;
    A = P.find(W);
    if (!A)
      A = P.add(W);
    if (!A || A->IsMaking)
      return nullptr;
    A->note(AskedAs);
    if (A->List && A->List->Watched)
      A->Watching.fail();
    P.drop(std::move(A->List));
    const size_t Taken = P.bytes();
    P.Held = Taken - P.GivenUp;
    if (Taken > MaxBytes)
      return nullptr;
    Room = MaxBytes - Taken;
    A->IsMaking = true;
    Watches = A->Made > 0 && !A->Watching.skips();
    IsSetup = A->Made < 2 || Watches;
  }
  // The flag is reset in any case; until then the array is not reused.
  const auto IsOver = [](Array *Of) { Of->IsMaking = false; };
  const std::unique_ptr<Array, decltype(IsOver)> Making(A, IsOver);
  const uint64_t Begin = ticks();
  std::unique_ptr<ZeroList> New = make(W, Watches, Room);
  const uint64_t End = ticks();
  const Hold Guard(P, LostLockNs);
  if (!Guard)
    return nullptr;
  if (!New) {
    A->Listing.fail();
    return nullptr;
  }
  // Later calls do not need it again, if the array does not change.
  if (IsSetup)
    setupTicks() += End - std::min(Begin, End);
  ++A->Made;
  Made.fetch_add(1, std::memory_order_relaxed);
  A->Listing.succeed();
  A->IsUnwatchable = Watches && !New->Watched;
  if (New->Fingerprint != A->Fingerprint)
    New->Watched.reset(); // the array is written between the calls
  A->Fingerprint = New->Fingerprint;
  New->Users.fetch_add(1);
  P.Held += New->bytes();
  A->List = std::move(New);
  return A->List.get();
}

/// Returns the existing list, with a user added. Sets \p MayMake if one may be made.
ZeroList *findFor(const specrt_zeros_walk &W, uint32_t AskedAs, bool &MayMake) {
  Process *const P = TheProcess.known();
  MayMake = !P;
  if (!P)
    return nullptr;
  ZeroList *Known = nullptr;
  {
    const Hold Guard(*P);
    if (!Guard)
      return nullptr;
    Array *A = P->find(W);
    if (A && A->Listing.skips())
      return nullptr;
    MayMake = !A || !A->IsMaking;
    if (A)
      A->note(AskedAs);
    if (A && A->List && A->List->Watched) {
      Known = A->List.get();
      Known->Users.fetch_add(1);
    }
  }
  if (!Known || Known->Watched->unchanged())
    return Known;
  Known->Users.fetch_sub(1);
  return nullptr;
}

/// Checks all elements, and watches them if that should be tried.
bool lookAtAll(Process &P, const specrt_zeros_walk &W, const specrt_zeros_walk &Key) {
  std::shared_ptr<Watch> Watched;
  bool Watches = false;
  {
    const Hold Guard(P, LostLockNs);
    Array *A = Guard ? P.find(Key) : nullptr;
    if (Guard && !A)
      A = P.add(Key);
    if (A && A->Finite)
      A->Watching.fail();
    if (A) {
      A->Finite = nullptr;
      Watches = A->Made++ > 0 && !A->Watching.skips();
    }
  }
  if (Watches)
    Watched = watchElements(W, hullOf(W));
  if (!fits(W, SPECRT_ZEROS_FINITE))
    return false;
  const Hold Guard(P, LostLockNs);
  if (Array *A = Guard ? P.find(Key) : nullptr)
    A->Finite = std::move(Watched);
  return true;
}

/// Returns whether all elements are finite, from watches if these report no change.
bool isStillFinite(const specrt_zeros_walk &W) {
  specrt_zeros_walk Key = keyOf(W);
  Key.array = 1; // distinguishes the key from that of a list
  Process *const P = TheProcess.get();
  if (!P)
    return fits(W, SPECRT_ZEROS_FINITE);
  std::shared_ptr<Watch> Known;
  {
    const Hold Guard(*P);
    if (!Guard)
      return fits(W, SPECRT_ZEROS_FINITE);
    if (Array *A = P->find(Key))
      Known = A->Finite;
  }
  return (Known && Known->unchanged()) || lookAtAll(*P, W, Key);
}

/// Returns whether all elements are finite, for large arrays, of which not all are checked in each
/// call.
bool isFinite(const specrt_zeros_walk &W) noexcept {
  const int SavedErrno = errno;
  QuietTime Quiet;
  Quiet.begin();
  bool Result = false;
  try {
    Result = Quiet.inHandler() ? fits(W, SPECRT_ZEROS_FINITE) : isStillFinite(W);
  } catch (const std::bad_alloc &) {
    Result = false;
  }
  Quiet.end();
  errno = SavedErrno;
  return Result;
}

bool isLarge(const specrt_zeros_walk &W) {
  uint64_t Bytes = elementBytes(W.kind);
  for (uint32_t D = 0; D < W.num_loops; ++D)
    Bytes *= static_cast<uint64_t>(std::clamp<int64_t>(W.loops[D].trips, 1, 1 << 15));
  return Bytes >= BytesWorthWatching;
}

const ZeroList *begin(const specrt_zeros_walk &Walk) noexcept {
  const int SavedErrno = errno;
  const specrt_zeros_walk W = keyOf(Walk);
  bool MayMake = false;
  ZeroList *List = findFor(W, Walk.array, MayMake);
  if (List) {
    Reused.fetch_add(1, std::memory_order_relaxed);
  } else if (MayMake) {
    QuietTime Quiet;
    Quiet.begin();
    if (!Quiet.inHandler()) {
      try {
        List = makeFor(W, Walk.array);
      } catch (const std::bad_alloc &) {
        List = nullptr;
      }
    }
    Quiet.end();
  }
  if (!List)
    Refused.fetch_add(1, std::memory_order_relaxed);
  errno = SavedErrno;
  return List;
}

} // namespace

const specrt_zeros_list *beginZeros(const specrt_zeros_walk *Walk) {
  return uncancelled([&]() noexcept { return begin(*Walk); });
}

const specrt_zeros_list *fitZeros(const specrt_zeros_list *List, const specrt_zeros_walk *Walk,
                                  uint32_t Demand) {
  if (!List)
    return List;
  const bool IsKept = Demand == SPECRT_ZEROS_FINITE && isLarge(*Walk);
  if (IsKept ? uncancelled([&]() noexcept { return isFinite(*Walk); }) : fits(*Walk, Demand))
    return List;
  Unfit.fetch_add(1, std::memory_order_relaxed);
  return nullptr;
}

void endZeros(const specrt_zeros_list *List) {
  if (List)
    const_cast<ZeroList *>(static_cast<const ZeroList *>(List))->Users.fetch_sub(1);
}

ShownList listOf(uint32_t Array) {
  Process *const P = TheProcess.known();
  ShownList Found;
  if (!P)
    return Found;
  ZeroList *Latest = nullptr;
  {
    const LosableLock::Guard Guard(P->Lock, SpareDataNs);
    uint64_t LastUse = 0;
    if (!Guard)
      return Found;
    for (const auto &A : P->Arrays)
      if (A->List && A->LastUse > LastUse &&
          std::find(A->AskedAs.begin(), A->AskedAs.end(), Array) != A->AskedAs.end()) {
        Latest = A->List.get();
        LastUse = A->LastUse;
        Found.Walk = A->Walk;
        Found.Elements = Latest->Elements;
        Found.Listed = Latest->Listed;
        Found.IsUnwatchable = A->IsUnwatchable;
      }
    if (Latest)
      Latest->Users.fetch_add(1);
  }
  if (Latest)
    Found.List = {Latest, [](const specrt_zeros_list *Done) { endZeros(Done); }};
  return Found;
}

ZeroFigures zeroFigures() { return {Made.load(), Reused.load(), Refused.load(), Unfit.load()}; }

} // namespace specrt
