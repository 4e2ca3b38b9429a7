//===- runtime/capture/capture.cpp - captures a call so that it can be replayed ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/capture/capture.h"
#include "runtime/base/clock.h"
#include "runtime/base/config.h"
#include "runtime/capture/described_call.h"
#include "support/content_hash.h"
#include "support/file_start.h"
#include "support/memory/pages.h"
#include "support/process/own_descriptors.h"
#include "support/quiet_call.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <limits>
#include <optional>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace specrt {
namespace {

/// Costs in nanoseconds per byte, as bench.sh capture measures them: copying into a new page;
/// copying into an existing page and hashing it; cloning a process, per byte that is resident.
constexpr double CopyNs = 0.5, HashNs = 0.25, CloneNs = 0.022;
/// Fixed costs in nanoseconds, measured by the same command: of a capture, and of a clone.
constexpr double BeginNs = 100e3, LeastCloneNs = 150e3;

/// Bounds the descriptors that stay open. Programs rarely have more hot regions of few calls.
constexpr uint32_t MaxCaptures = 8;
/// Bounds the memory of a capture to that of the cache (the default of SPECRT_CACHE_LIMIT).
constexpr uint64_t MaxBytes = uint64_t{256} << 20;

/// The buffer for hashing lies between the head and the segments.
constexpr uint64_t BufferOffset = wholePages(sizeof(CapturedCall));

bool isWithinLimits(const AccessedBytes &Of) { return Of.Written > 0 && Of.All <= MaxBytes; }

/// Returns the memory that the process uses, in bytes.
double residentBytes() {
  const std::optional<uint64_t> Pages = numberIn("/proc/self/statm", " ");
  return static_cast<double>(Pages.value_or(0)) * PageBytes;
}

/// A model of what a capture costs the program, in nanoseconds.
class Costs {
public:
  explicit Costs(const AccessedBytes &Of)
      : Before(BeginNs + static_cast<double>(Of.Written) * CopyNs),
        After(static_cast<double>(Of.All - Of.Written) * CopyNs +
              static_cast<double>(Of.Written) * HashNs),
        Cloning(LeastCloneNs + residentBytes() * CloneNs +
                static_cast<double>(Of.Written) * CopyNs) {}

  bool prefersClone() const { return usableProcessors() > 1 && Cloning < After; }
  double total() const { return Before + (prefersClone() ? Cloning : After); }

private:
  const double Before; ///< time before the call
  const double After;  ///< time after the call, if the calling thread does the work
  /// The time after the call, if a clone does the work. While the clone exists, each page that the
  /// program writes is copied; it is assumed to write what the call has written once more.
  const double Cloning;
};

/// Returns whether the process is traced or not dumpable. Debuggers would take a clone for a thread
/// of the program. The memory of a process that is not dumpable is hidden from the user's other
/// processes.
bool isPrivate() {
  return prctl(PR_GET_DUMPABLE) != 1 ||
         numberIn("/proc/self/status", "TracerPid:").value_or(0) != 0;
}

bool hasFileLimit() {
  rlimit Limit{};
  return getrlimit(RLIMIT_FSIZE, &Limit) != 0 || Limit.rlim_cur != RLIM_INFINITY;
}

/// Returns whether the machine and the container have several times as much memory left.
bool hasMemoryFor(uint64_t Bytes) {
  constexpr uint64_t Fraction = 4; // the program may need the rest
  const std::optional<uint64_t> Kilobytes = numberIn("/proc/meminfo", "MemAvailable:");
  if (!Kilobytes || Bytes > *Kilobytes * 1024 / Fraction)
    return false;
  const std::optional<uint64_t> Limit = numberIn("/sys/fs/cgroup/memory.max", ""),
                                Used = numberIn("/sys/fs/cgroup/memory.current", "");
  return !Limit || !Used || (*Used < *Limit && Bytes <= (*Limit - *Used) / Fraction);
}

} // namespace

const char *words(CaptureRefusal Why) {
  switch (Why) {
  case CaptureRefusal::None:
    return "";
  case CaptureRefusal::UnknownAccesses:
    return "accesses memory whose bounds are not known before the call";
  case CaptureRefusal::WritesNothing:
    return "writes nothing";
  case CaptureRefusal::TooLarge:
    return "accesses more memory than a copy may take";
  case CaptureRefusal::TooCostly:
    return "would take longer to capture than the region's time so far allows";
  case CaptureRefusal::FileLimit:
    return "is made under a limit on the size of files";
  case CaptureRefusal::Private:
    return "belongs to a process that is traced or not dumpable";
  case CaptureRefusal::Unavailable:
    return "could not be copied";
  }
  return "";
}

class Capture {
public:
  enum class State : uint32_t { Free, Running, Kept, Taken };

  bool begin(const specrt_region &Region, const uint64_t *Packed, const CallFootprint &Of,
             bool WithClone);
  bool finish(uint64_t Nanoseconds);
  void close();
  void discard();
  int release();
  void forgetClone() { Clone = 0; }
  uint64_t ageNs() const { return monotonicNs() - KeptSinceNs; }

  std::atomic<State> Now{State::Free};
  std::atomic<const void *> Key{nullptr};

private:
  bool isTheFile(int Number) const;
  bool isOpen() const { return isTheFile(File); }
  bool create();
  void layOut(const specrt_region &Region, const uint64_t *Packed, const CallFootprint &Of);
  bool write(const void *From, uint64_t Bytes, uint64_t Offset) const;
  bool writeHead() const { return write(&Head, sizeof(Head), 0); }
  bool copySegments(bool Written) const;
  bool hashSegments(const char *Buffer) const;
  bool complete() const;
  bool completeInClone();
  void reapClone();
  void leave();

  /// The program's descriptor. It may be left from a capture that another thread has taken.
  int File = -1;
  dev_t Device = 0;
  ino_t Inode = 0;
  CapturedCall Head{};
  bool UsesClone = false;
  pid_t Clone = 0; ///< 0 unless it has to be waited for
  uint64_t KeptSinceNs = 0;
};

/// Returns whether the number belongs to the file. The program may have closed it and reused the
/// number.
bool Capture::isTheFile(int Number) const {
  struct stat Status;
  return Number >= 0 && fstat(Number, &Status) == 0 && Status.st_dev == Device &&
         Status.st_ino == Inode;
}

bool Capture::create() {
  if (isOpen())
    ::close(File);
  File = moveUp(memfd_create("specrt-call", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  struct stat Status;
  if (File < 0 || fstat(File, &Status) != 0)
    return false;
  Device = Status.st_dev;
  Inode = Status.st_ino;
  return true;
}

/// Fills in the head of the file.
void Capture::layOut(const specrt_region &Region, const uint64_t *Packed, const CallFootprint &Of) {
  Head = {};
  Head.Magic = CapturedCall::Expected;
  Head.NumArguments = Region.num_args;
  Head.NumSymbols = Region.num_symbols;
  Head.NumSegments = Of.Count;
  Head.Mxcsr = __builtin_ia32_stmxcsr();
  std::copy_n(Packed, Region.num_args, Head.Packed);
  std::copy_n(Of.Segments.begin(), Of.Count, Head.Segments);
  uint64_t End = wholePages(BufferOffset + CapturedCall::HashedBytes);
  for (uint32_t I = 0; I < Of.Count; ++I) {
    CapturedSegment &Segment = Head.Segments[I];
    Segment.Bytes = End;
    End = wholePages(End + Segment.size());
    if (!Segment.IsWritten)
      continue;
    Segment.Hashes = End;
    const uint64_t Hashes =
        (Segment.size() + CapturedCall::HashedBytes - 1) / CapturedCall::HashedBytes;
    End = wholePages(End + Hashes * sizeof(ContentHash));
  }
  Head.Symbols = End;
  Head.FileBytes = wholePages(End + Region.num_symbols * sizeof(uint64_t));
}

/// Writes bytes of the program's memory. Returns false if they cannot be read or there is no
/// memory.
bool Capture::write(const void *From, uint64_t Bytes, uint64_t Offset) const {
  const auto *Next = static_cast<const char *>(From);
  while (Bytes > 0) {
    const ssize_t Written = pwrite(File, Next, Bytes, static_cast<off_t>(Offset));
    if (Written <= 0)
      return false;
    Next += Written;
    Offset += static_cast<uint64_t>(Written);
    Bytes -= static_cast<uint64_t>(Written);
  }
  return true;
}

/// Copies the segments that are \p Written, or those that are only read.
bool Capture::copySegments(bool Written) const {
  return std::all_of(Head.Segments, Head.Segments + Head.NumSegments,
                     [&](const CapturedSegment &S) {
                       return S.IsWritten != Written ||
                              write(reinterpret_cast<const void *>(S.Begin), S.size(), S.Bytes);
                     });
}

/// Hashes the written segments. \p Buffer is the mapped buffer of the file: the kernel copies each
/// part there, so that reading it cannot fault.
bool Capture::hashSegments(const char *Buffer) const {
  for (uint32_t I = 0; I < Head.NumSegments; ++I) {
    const CapturedSegment &Segment = Head.Segments[I];
    uint64_t Offset = Segment.Hashes;
    for (uint64_t At = Segment.Begin; Segment.IsWritten && At < Segment.End;
         At += CapturedCall::HashedBytes) {
      const uint64_t Bytes = std::min(CapturedCall::HashedBytes, Segment.End - At);
      if (!write(reinterpret_cast<const void *>(At), Bytes, BufferOffset))
        return false;
      const ContentHash Hash = contentHash({Buffer, Bytes});
      if (!write(&Hash, sizeof(Hash), Offset))
        return false;
      Offset += sizeof(Hash);
    }
  }
  return true;
}

/// Does what is left to do after the call.
bool Capture::complete() const {
  if (!copySegments(/*Written=*/false))
    return false;
  void *const Buffer =
      mmap(nullptr, CapturedCall::HashedBytes, PROT_READ, MAP_SHARED, File, BufferOffset);
  if (Buffer == MAP_FAILED)
    return false;
  const bool IsHashed = hashSegments(static_cast<const char *>(Buffer));
  munmap(Buffer, CapturedCall::HashedBytes);
  constexpr uint32_t Yes = 1;
  return IsHashed && write(&Yes, sizeof(Yes), offsetof(CapturedCall, IsComplete));
}

/// Calls complete() in a clone of the process, which has the memory as it is now, while the program
/// goes on. The clone has no exit signal, so no wait of the program returns for it. It blocks all
/// signals and keeps no descriptor but the file. Returns false if there is no clone.
bool Capture::completeInClone() {
  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  Clone = static_cast<pid_t>(syscall(SYS_clone, 0UL, nullptr, nullptr, nullptr, 0UL));
  if (Clone == 0) {
    const bool IsOurs = isOpen() && dup2(File, 0) == 0;
    closeFrom(1);
    File = 0;
    _exit(IsOurs && complete() ? 0 : 1);
  }
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  return Clone > 0;
}

bool Capture::begin(const specrt_region &Region, const uint64_t *Packed, const CallFootprint &Of,
                    bool WithClone) {
  reapClone();
  UsesClone = WithClone;
  if (!create())
    return false;
  layOut(Region, Packed, Of);
  if (ftruncate(File, static_cast<off_t>(Head.FileBytes)) != 0)
    return false;
  for (uint32_t I = 0; I < Region.num_symbols; ++I)
    if (!write(&Region.symbols[I].address, sizeof(uint64_t), Head.Symbols + I * sizeof(uint64_t)))
      return false;
  return writeHead() && copySegments(/*Written=*/true);
}

bool Capture::finish(uint64_t Nanoseconds) {
  if (!isOpen())
    return false;
  Head.Nanoseconds = Nanoseconds;
  KeptSinceNs = monotonicNs();
  return writeHead() && (UsesClone ? completeInClone() : complete());
}

/// Removes the clone's entry from the process table if it has ended. Does not wait: a clone may be
/// stopped, or wait for a page.
void Capture::reapClone() {
  if (Clone > 0 && waitpid(Clone, nullptr, __WCLONE | WNOHANG) != 0)
    Clone = 0;
}

/// Makes the place available.
void Capture::leave() {
  reapClone();
  Key.store(nullptr, std::memory_order_relaxed);
  Now.store(State::Free, std::memory_order_release);
}

void Capture::close() {
  if (isOpen())
    ::close(File);
  File = -1;
  leave();
}

/// Does the same on any thread. A thread with a descriptor table of its own cannot close the
/// program's descriptor, so it empties the file and keeps a running clone from filling it again.
void Capture::discard() {
  if (!hasOwnDescriptors())
    return close();
  const ProgramDescriptor Copy(File);
  if (isTheFile(Copy.get()) && ftruncate(Copy.get(), 0) == 0)
    fcntl(Copy.get(), F_ADD_SEALS, F_SEAL_GROW);
  leave();
}

/// Returns a descriptor for the calling thread, which owns it; negative if the file is lost.
int Capture::release() {
  int Found = -1;
  if (hasOwnDescriptors()) {
    if (const ProgramDescriptor Copy(File); isTheFile(Copy.get()))
      Found = fcntl(Copy.get(), F_DUPFD_CLOEXEC, 0);
  } else if (isOpen()) {
    Found = std::exchange(File, -1);
  }
  leave();
  return Found;
}

namespace {

using State = Capture::State;
constinit Capture Captures[MaxCaptures];

/// Returns the kept capture of \p Key, which then belongs to the caller; null if there is none.
Capture *seize(const void *Key) {
  for (Capture &C : Captures)
    if (State Expected = State::Kept; C.Key.load(std::memory_order_relaxed) == Key &&
                                      C.Now.compare_exchange_strong(Expected, State::Taken))
      return &C;
  return nullptr;
}

/// Returns a free place, which then belongs to the caller; null if there is none, or \p IsKnown if
/// one has \p Key.
Capture *takePlace(const void *Key, bool &IsKnown) {
  for (const Capture &C : Captures)
    IsKnown = IsKnown || C.Key.load(std::memory_order_relaxed) == Key;
  for (Capture &C : Captures)
    if (State Expected = State::Free;
        !IsKnown && C.Now.compare_exchange_strong(Expected, State::Running)) {
      C.Key.store(Key, std::memory_order_relaxed);
      return &C;
    }
  return nullptr;
}

/// Returns whether something about the call or the process rules out a capture.
CaptureRefusal refusalOf(const std::optional<CallFootprint> &Memory, double Ns, double RegionNs) {
  if (!Memory)
    return CaptureRefusal::UnknownAccesses;
  if (Memory->Bytes.Written == 0)
    return CaptureRefusal::WritesNothing;
  if (Memory->Bytes.All > MaxBytes)
    return CaptureRefusal::TooLarge;
  if (Ns > CaptureShare * RegionNs)
    return CaptureRefusal::TooCostly;
  if (!hasMemoryFor(Memory->Bytes.All))
    return CaptureRefusal::TooLarge;
  if (hasFileLimit())
    return CaptureRefusal::FileLimit;
  return isPrivate() ? CaptureRefusal::Private : CaptureRefusal::None;
}

} // namespace

double predictedNs(const specrt_region &Region, const uint64_t *Packed) {
  // The constant lies between a vectorised product with data in the first cache (0.14 ns on a Zen 5
  // with AVX-512) and a stencil with data in memory (0.66 ns).
  constexpr double NsPerIteration = 0.25;
  return workOf(Region, Packed) * NsPerIteration;
}

double captureNs(const specrt_region &Region, const uint64_t *Packed) {
  const std::optional<AccessedBytes> Bytes = accessedBytes(Region, Packed);
  return Bytes && isWithinLimits(*Bytes) ? Costs(*Bytes).total()
                                         : std::numeric_limits<double>::infinity();
}

Capture *beginCapture(const void *Key, const specrt_region &Region, const uint64_t *Packed,
                      double RegionNs, CaptureRefusal &Why) {
  const QuietCall Quiet;
  Why = CaptureRefusal::None;
  bool IsKnown = false;
  // A thread with a descriptor table of its own is not a thread of the program.
  Capture *const Place = hasOwnDescriptors() ? nullptr : takePlace(Key, IsKnown);
  if (!Place) {
    Why = IsKnown ? CaptureRefusal::None : CaptureRefusal::Unavailable;
    return nullptr;
  }
  const std::optional<CallFootprint> Memory = footprintOf(Region, Packed);
  const Costs Expected(Memory ? Memory->Bytes : AccessedBytes{});
  Why = refusalOf(Memory, Expected.total(), RegionNs);
  if (Why == CaptureRefusal::None) {
    if (Place->begin(Region, Packed, *Memory, Expected.prefersClone()))
      return Place;
    Why = CaptureRefusal::Unavailable;
  }
  Place->close();
  return nullptr;
}

bool endCapture(Capture &Of, uint64_t Nanoseconds) {
  const QuietCall Quiet;
  const bool IsKept = Of.finish(Nanoseconds);
  if (IsKept)
    Of.Now.store(State::Kept, std::memory_order_release);
  else
    Of.close();
  return IsKept;
}

void abandonCapture(Capture &Of) {
  const QuietCall Quiet;
  Of.close();
}

bool hasCapture(const void *Key) {
  return std::any_of(std::begin(Captures), std::end(Captures), [&](const Capture &C) {
    return C.Key.load(std::memory_order_relaxed) == Key &&
           C.Now.load(std::memory_order_acquire) == State::Kept;
  });
}

int takeCapture(const void *Key) {
  const QuietCall Quiet;
  Capture *const Found = seize(Key);
  return Found ? Found->release() : -1;
}

void dropCapture(const void *Key) {
  const QuietCall Quiet;
  if (Capture *const Found = seize(Key))
    Found->discard();
}

const void *captureOlderThan(uint64_t Ns) {
  for (const Capture &C : Captures)
    if (C.Now.load(std::memory_order_acquire) == State::Kept && C.ageNs() >= Ns)
      return C.Key.load(std::memory_order_relaxed);
  return nullptr;
}

uint32_t msUntilCaptureIs(uint64_t Ns) {
  uint64_t Least = 0;
  for (const Capture &C : Captures)
    if (C.Now.load(std::memory_order_acquire) == State::Kept) {
      const uint64_t Ms = (Ns - std::min(Ns, C.ageNs())) / 1'000'000 + 1;
      Least = Least == 0 ? Ms : std::min(Least, Ms);
    }
  return static_cast<uint32_t>(Least);
}

void dropCapturesAfterFork() {
  const QuietCall Quiet;
  for (Capture &C : Captures) {
    C.forgetClone(); // the parent's
    if (C.Now.load(std::memory_order_relaxed) != State::Free)
      C.close();
  }
}

} // namespace specrt
