//===- runtime/capture/capture.cpp - keeps one call for replays -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/capture/capture.h"
#include "runtime/base/clock.h"
#include "runtime/base/config.h"
#include "runtime/capture/described_call.h"
#include "support/content_hash.h"
#include "support/own_descriptors.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <limits>
#include <optional>
#include <string_view>
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

/// Measured on a Zen 5 in a virtual machine, in nanoseconds per byte: what the kernel takes to copy
/// into a new page of a file in memory; to copy into a page that exists, and hash it there; and to
/// clone a process, of the memory that it uses. And what it takes to begin a capture and to clone a
/// small process, in nanoseconds.
constexpr double CopyNs = 0.4, HashNs = 0.25, CloneNs = 0.022, BeginNs = 100e3,
                 LeastCloneNs = 150e3;

/// Captured calls that wait for the end of the program.
constexpr uint32_t MaxCaptures = 8;
/// Bytes of a capture: few kernels of programs that end within seconds use more.
constexpr uint64_t MaxBytes = uint64_t{256} << 20;

constexpr uint64_t PageBytes = 4096;
constexpr uint64_t roundUp(uint64_t Bytes) {
  return (Bytes + PageBytes - 1) / PageBytes * PageBytes;
}

/// Where bytes are hashed, between the head and the segments.
constexpr uint64_t RoomOffset = roundUp(sizeof(CapturedCall));
constexpr uint64_t MappedBytes = RoomOffset + CapturedCall::HashedBytes;

/// Calls must not see that anything was done between two of their instructions.
class PreservedErrno {
public:
  ~PreservedErrno() { errno = Saved; }

private:
  const int Saved = errno;
};

bool isOfUse(const AccessedBytes &Of) { return Of.Written > 0 && Of.All <= MaxBytes; }

/// The number behind \p Name in a small file of numbers; nothing when there is none.
std::optional<uint64_t> numberIn(const char *Path, std::string_view Name) {
  char Text[256]; // /proc/meminfo begins with what is asked for
  const int File = open(Path, O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return std::nullopt;
  const ssize_t Bytes = read(File, Text, sizeof(Text));
  close(File);
  std::string_view Read(Text, static_cast<size_t>(std::max<ssize_t>(Bytes, 0)));
  const size_t At = Read.find(Name);
  if (At == Read.npos)
    return std::nullopt;
  Read.remove_prefix(At + Name.size());
  Read.remove_prefix(std::min(Read.find_first_not_of(" \t"), Read.size()));
  uint64_t Number = 0;
  if (std::from_chars(Read.data(), Read.data() + Read.size(), Number).ec != std::errc())
    return std::nullopt;
  return Number;
}

/// Returns the memory that the process uses, in bytes.
double residentBytes() {
  const std::optional<uint64_t> Pages = numberIn("/proc/self/statm", " ");
  return static_cast<double>(Pages.value_or(0)) * PageBytes;
}

/// What capturing a call costs the program, in nanoseconds.
struct Costs {
  explicit Costs(const AccessedBytes &Of)
      : Before(BeginNs + static_cast<double>(Of.Written) * CopyNs),
        Behind(static_cast<double>(Of.All - Of.Written) * CopyNs +
               static_cast<double>(Of.Written) * HashNs),
        Cloning(LeastCloneNs + residentBytes() * CloneNs + Behind / 2) {}

  const double Before; ///< the call
  const double Behind; ///< the call, by the thread that makes it
  /// By a clone, on another processor, instead. As long as it exists, what the program writes has
  /// to be copied for it: a program that does nothing else takes twice its time.
  const double Cloning;
  bool prefersClone() const { return usableProcessors() > 1 && Cloning < Behind; }
  double all() const { return Before + (prefersClone() ? Cloning : Behind); }
};

/// A debugger would take a clone for a thread of the program. And what the user's other processes
/// may not read is not given to them.
bool isPrivateOrTraced() {
  return prctl(PR_GET_DUMPABLE) != 1 ||
         numberIn("/proc/self/status", "TracerPid:").value_or(0) != 0;
}

/// Returns whether a file of \p Bytes may be made: of what the machine and the container have left,
/// the program may need the rest.
bool hasRoomFor(uint64_t Bytes) {
  constexpr uint64_t Fraction = 4;
  // A file that is larger than the limit is a signal.
  if (rlimit Limit{}; getrlimit(RLIMIT_FSIZE, &Limit) != 0 || Limit.rlim_cur != RLIM_INFINITY)
    return false;
  const std::optional<uint64_t> Kilobytes = numberIn("/proc/meminfo", "MemAvailable:");
  if (!Kilobytes || Bytes > *Kilobytes * 1024 / Fraction)
    return false;
  const std::optional<uint64_t> Most = numberIn("/sys/fs/cgroup/memory.max", ""),
                                Used = numberIn("/sys/fs/cgroup/memory.current", "");
  return !Most || !Used || (*Used < *Most && Bytes <= (*Most - *Used) / Fraction);
}

} // namespace

class Capture {
public:
  enum class State : uint32_t { Free, Running, Kept, Taken };

  bool open(const specrt_region &Region, const uint64_t *Packed, const Footprint &Of);
  bool begin(bool WithClone);
  bool finish(uint64_t Nanoseconds);
  void close();
  int release();
  void discard();
  void forgetClone() { Clone = 0; }
  bool isOlderThan(uint64_t Ns) const { return monotonicNs() - KeptSinceNs >= Ns; }

  std::atomic<State> Now{State::Free};
  std::atomic<const void *> Key{nullptr};

private:
  bool isTheFile(int Number) const;
  bool isOpen() const { return isTheFile(File); }
  void waitForClone();
  void leave();
  bool copy(const CapturedSegment &From) const;
  bool copyAll(bool Written) const;
  bool hash(const CapturedSegment &From) const;
  bool hashAll() const;
  bool complete() const;
  void completeInClone();

  int File = -1; ///< in the program's table; may be left over from a capture that was taken
  dev_t Device = 0;
  ino_t Inode = 0;
  CapturedCall *Head = nullptr; ///< mapped
  bool UsesClone = false;
  pid_t Clone = 0; ///< which nobody has waited for
  uint64_t KeptSinceNs = 0;
};

/// Is the number that of the file? The program may have closed it and opened another one.
bool Capture::isTheFile(int Number) const {
  struct stat Status;
  return Number >= 0 && fstat(Number, &Status) == 0 && Status.st_dev == Device &&
         Status.st_ino == Inode;
}

bool Capture::copy(const CapturedSegment &From) const {
  const char *Next = reinterpret_cast<const char *>(From.Begin);
  for (uint64_t Done = 0; Done < From.size();) {
    const ssize_t Written =
        pwrite(File, Next + Done, From.size() - Done, static_cast<off_t>(From.Bytes + Done));
    if (Written <= 0)
      return false;
    Done += static_cast<uint64_t>(Written);
  }
  return true;
}

bool Capture::copyAll(bool Written) const {
  return std::all_of(Head->Segments, Head->Segments + Head->NumSegments,
                     [&](const CapturedSegment &S) { return S.IsWritten != Written || copy(S); });
}

bool Capture::hash(const CapturedSegment &From) const {
  const char *const Room = reinterpret_cast<const char *>(Head) + RoomOffset;
  uint64_t Offset = From.Hashes;
  for (uint64_t Next = From.Begin; Next < From.End; Next += CapturedCall::HashedBytes) {
    const uint64_t Bytes = std::min(CapturedCall::HashedBytes, From.End - Next);
    if (pwrite(File, reinterpret_cast<const void *>(Next), Bytes, RoomOffset) !=
        static_cast<ssize_t>(Bytes))
      return false;
    const ContentHash Hash = contentHash({Room, Bytes});
    if (pwrite(File, &Hash, sizeof(Hash), static_cast<off_t>(Offset)) != sizeof(Hash))
      return false;
    Offset += sizeof(Hash);
  }
  return true;
}

bool Capture::hashAll() const {
  return std::all_of(Head->Segments, Head->Segments + Head->NumSegments,
                     [&](const CapturedSegment &S) { return !S.IsWritten || hash(S); });
}

/// What is to be done behind the call.
bool Capture::complete() const {
  if (!copyAll(/*Written=*/false) || !hashAll())
    return false;
  __atomic_store_n(&Head->IsComplete, 1U, __ATOMIC_RELEASE);
  return true;
}

/// The same in a clone of the process: with the memory as it is now, while the program goes on. The
/// clone has no exit signal, so that no wait of the program returns for it, no signals, and of the
/// descriptors the file alone.
void Capture::completeInClone() {
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
}

bool Capture::open(const specrt_region &Region, const uint64_t *Packed, const Footprint &Of) {
  if (isOpen())
    ::close(File);
  File = moveUp(memfd_create("specrt-call", MFD_CLOEXEC));
  struct stat Status;
  if (File < 0 || fstat(File, &Status) != 0)
    return false;
  Device = Status.st_dev;
  Inode = Status.st_ino;
  uint64_t End = roundUp(MappedBytes);
  CapturedCall Call{};
  Call.Magic = CapturedCall::Expected;
  Call.NumArguments = Region.num_args;
  Call.NumSymbols = Region.num_symbols;
  Call.NumSegments = Of.Count;
  Call.Mxcsr = __builtin_ia32_stmxcsr();
  std::copy_n(Packed, Region.num_args, Call.Packed);
  std::copy_n(Of.Segments.begin(), Of.Count, Call.Segments);
  for (uint32_t I = 0; I < Of.Count; ++I) {
    CapturedSegment &Segment = Call.Segments[I];
    Segment.Bytes = End;
    End = roundUp(End + Segment.size());
    if (!Segment.IsWritten)
      continue;
    Segment.Hashes = End;
    const uint64_t Hashes =
        (Segment.size() + CapturedCall::HashedBytes - 1) / CapturedCall::HashedBytes;
    End = roundUp(End + Hashes * sizeof(ContentHash));
  }
  Call.Symbols = End;
  Call.FileBytes = roundUp(End + Region.num_symbols * sizeof(uint64_t));
  if (ftruncate(File, static_cast<off_t>(Call.FileBytes)) != 0)
    return false;
  for (uint32_t I = 0; I < Region.num_symbols; ++I)
    if (pwrite(File, &Region.symbols[I].address, sizeof(uint64_t),
               static_cast<off_t>(Call.Symbols + I * sizeof(uint64_t))) != sizeof(uint64_t))
      return false;
  void *const Memory = mmap(nullptr, MappedBytes, PROT_READ | PROT_WRITE, MAP_SHARED, File, 0);
  if (Memory == MAP_FAILED)
    return false;
  Head = static_cast<CapturedCall *>(Memory);
  *Head = Call;
  return true;
}

/// Keeps what the call may write.
bool Capture::begin(bool WithClone) {
  UsesClone = WithClone;
  return copyAll(/*Written=*/true);
}

bool Capture::finish(uint64_t Nanoseconds) {
  if (!isOpen())
    return false;
  Head->Nanoseconds = Nanoseconds;
  KeptSinceNs = monotonicNs();
  if (!UsesClone)
    return complete();
  completeInClone();
  return Clone > 0;
}

/// Takes some ms at most.
void Capture::waitForClone() {
  if (Clone > 0)
    waitpid(Clone, nullptr, __WCLONE);
  Clone = 0;
}

/// Makes the place free. The program's descriptor stays.
void Capture::leave() {
  if (Head)
    munmap(Head, MappedBytes);
  Head = nullptr;
  Key.store(nullptr, std::memory_order_relaxed);
  Now.store(State::Free, std::memory_order_release);
}

void Capture::close() {
  waitForClone();
  if (isOpen())
    ::close(File);
  File = -1;
  leave();
}

/// As close, for any thread: another one's descriptor cannot be closed, but the file be emptied.
void Capture::discard() {
  if (!hasOwnDescriptors())
    return close();
  waitForClone();
  const ProgramDescriptor Copy(File);
  if (isTheFile(Copy.get())) {
    [[maybe_unused]] const int Failed = ftruncate(Copy.get(), 0);
  }
  leave();
}

/// Returns a descriptor for the calling thread, which owns it; negative: it was lost. The clone
/// goes on.
int Capture::release() {
  int Found = -1;
  if (hasOwnDescriptors()) {
    if (const ProgramDescriptor Copy(File); isTheFile(Copy.get()))
      Found = fcntl(Copy.get(), F_DUPFD_CLOEXEC, 0);
  } else if (isOpen()) {
    Found = std::exchange(File, -1);
  }
  forgetClone();
  leave();
  return Found;
}

namespace {

using State = Capture::State;
constinit Capture Captures[MaxCaptures];

/// Makes the capture of \p Key, if there is a complete one, the caller's.
Capture *seize(const void *Key) {
  for (Capture &C : Captures)
    if (State Expected = State::Kept; C.Key.load(std::memory_order_relaxed) == Key &&
                                      C.Now.compare_exchange_strong(Expected, State::Taken))
      return &C;
  return nullptr;
}

} // namespace

double predictedNs(const specrt_region &Region, const uint64_t *Packed) {
  // A multiplication and an addition in vectors of four, from the first caches.
  constexpr double NsPerIteration = 0.25;
  return iterationsOf(Region, Packed) * NsPerIteration;
}

double captureNs(const specrt_region &Region, const uint64_t *Packed) {
  const std::optional<AccessedBytes> Bytes = accessedBytes(Region, Packed);
  return Bytes && isOfUse(*Bytes) ? Costs(*Bytes).all() : std::numeric_limits<double>::infinity();
}

Capture *beginCapture(const void *Key, const specrt_region &Region, const uint64_t *Packed,
                      double RegionNs) {
  const PreservedErrno Kept;
  // Descriptors of other threads are not this one's.
  if (hasOwnDescriptors())
    return nullptr;
  Capture *Place = nullptr;
  for (Capture &C : Captures) {
    if (C.Key.load(std::memory_order_relaxed) == Key)
      return nullptr;
    if (C.Now.load(std::memory_order_relaxed) == State::Free)
      Place = &C;
  }
  if (!Place)
    return nullptr;
  const std::optional<Footprint> Memory = footprintOf(Region, Packed);
  if (!Memory || !isOfUse(Memory->Bytes))
    return nullptr;
  const Costs Expected(Memory->Bytes);
  if (Expected.all() > CaptureShare * RegionNs || !hasRoomFor(Memory->Bytes.All) ||
      isPrivateOrTraced())
    return nullptr;
  if (State Free = State::Free; !Place->Now.compare_exchange_strong(Free, State::Running))
    return nullptr;
  Place->Key.store(Key, std::memory_order_relaxed);
  if (Place->open(Region, Packed, *Memory) && Place->begin(Expected.prefersClone()))
    return Place;
  Place->close();
  return nullptr;
}

void endCapture(Capture &Of, uint64_t Nanoseconds) {
  const PreservedErrno Kept;
  if (!Of.finish(Nanoseconds))
    return Of.close();
  Of.Now.store(State::Kept, std::memory_order_release);
}

void abandonCapture(Capture &Of) {
  const PreservedErrno Kept;
  Of.close();
}

bool hasCapture(const void *Key) {
  return std::any_of(std::begin(Captures), std::end(Captures), [&](const Capture &C) {
    return C.Key.load(std::memory_order_relaxed) == Key &&
           C.Now.load(std::memory_order_acquire) == State::Kept;
  });
}

int takeCapture(const void *Key) {
  Capture *const Found = seize(Key);
  return Found ? Found->release() : -1;
}

void dropCapture(const void *Key) {
  const PreservedErrno Kept;
  if (Capture *const Found = seize(Key))
    Found->discard();
}

bool anyCapture() {
  return std::any_of(std::begin(Captures), std::end(Captures), [](const Capture &C) {
    return C.Now.load(std::memory_order_acquire) == State::Kept;
  });
}

const void *captureOlderThan(uint64_t Ns) {
  for (const Capture &C : Captures)
    if (C.Now.load(std::memory_order_acquire) == State::Kept && C.isOlderThan(Ns))
      return C.Key.load(std::memory_order_relaxed);
  return nullptr;
}

void dropCapturesAfterFork() {
  for (Capture &C : Captures)
    if (C.Now.load(std::memory_order_relaxed) != State::Free) {
      C.forgetClone(); // it is the parent's
      C.close();
    }
}

} // namespace specrt
