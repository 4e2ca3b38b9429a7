//===- runtime/parallel/parallel.cpp - the entry points of parallel loops -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop runs completely inside `start`, so it needs no state between the calls that Polly emits:
// it is on start's stack, TBB joins before start returns, and the fn(data) that the caller makes
// afterwards only has to learn that no iteration is left.
//
//===----------------------------------------------------------------------===//
#include "runtime/parallel/parallel.h"

#include "runtime/parallel/fp_environment.h"
#include "runtime/parallel/left_errno.h"
#include "runtime/parallel/loop.h"
#include "runtime/parallel/loop_memory.h"
#include "runtime/parallel/pieces.h"
#include "runtime/parallel/quiet_arena.h"
#include "runtime/parallel/sanitizer.h"
#include "runtime/parallel/surroundings.h"
#include "support/attempt.h"
#include "support/quiet_time.h"
#include <atomic>
#include <cerrno>
#include <climits>
#include <ctime>
#include <memory>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <unistd.h>
#include <utility>

#define SPECRT_EXPORT extern "C" __attribute__((visibility("default")))

namespace specrt {
namespace {

/// The model is initial-exec: a region may run in a signal handler, where the loader must not
/// allocate TLS.
#define SPECRT_THREAD_LOCAL thread_local __attribute__((tls_model("initial-exec")))

constexpr unsigned NoRange = UINT_MAX;

/// This thread's part in the innermost loop whose body it is running.
struct Participation {
  ParallelLoop *Loop = nullptr;
  unsigned Thread = 0;        ///< its number among the threads of the loop
  void *Private = nullptr;    ///< its memory for the loop
  unsigned Range = NoRange;   ///< the range that it has taken, if the loop is a pipeline
  LeftErrno *Errno = nullptr; ///< of the loop, if several threads share it
  uint64_t First = 0;         ///< the first iteration of its chunk
  NestRange Chunk;            ///< the rest of its chunk, if the iterations are ranks of a nest
};
SPECRT_THREAD_LOCAL Participation Current;
/// The number of this thread's loops between the return from start and end: their next call returns
/// false. It exceeds one only when a signal handler runs a loop of its own.
SPECRT_THREAD_LOCAL unsigned Finished = 0;

std::atomic<unsigned> Limit{0}; ///< 0: not known yet
/// Held by the thread that runs a loop in parallel; guards Arena.
std::atomic<bool> Busy{false};
std::atomic<uint64_t> NumShared{0}; ///< number of loops that threads have begun to share
/// Failed means that it had no memory or no thread. It is not used again then, because objects that
/// it was making remain incomplete.
enum class Tbb { Unused, Started, Failed };
std::atomic<Tbb> StateOfTbb{Tbb::Unused};

bool hasTbbFailed() { return StateOfTbb.load(std::memory_order_relaxed) == Tbb::Failed; }
std::atomic<bool> HasEnded{false}; ///< Limit stays 1

unsigned limit() {
  unsigned Known = Limit.load(std::memory_order_relaxed);
  if (Known == 0) {
    unsigned Read = limitFromEnvironment();
    // An explicit configuration that was made meanwhile has priority.
    if (Limit.compare_exchange_strong(Known, Read))
      Known = Read;
  }
  return Known;
}

uint64_t roughNs() {
  timespec Now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &Now);
  return static_cast<uint64_t>(Now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(Now.tv_nsec);
}

/// Returns whether other threads of the program run loops of ours, too. After two have met, all run
/// serially for a while: the program has work for its processors, and a loop would wait for helpers
/// that get none. There is no count of threads that are inside, because siglongjmp may leave loops.
bool isCrowded() {
  constexpr uint64_t WhileNs = 10'000'000; // some time slices of the system
  static std::atomic<uint64_t> LastMet{0};
  uint64_t Now = roughNs();
  if (!Busy.load(std::memory_order_relaxed))
    return Now - LastMet.load(std::memory_order_relaxed) < WhileNs;
  LastMet.store(Now, std::memory_order_relaxed);
  return true;
}

/// Returns the largest number of threads for a loop that wants at most Wanted (0: any number),
/// without system calls.
unsigned mostThreads(unsigned Wanted) {
  if (Current.Loop || isForkedChild() || hasTbbFailed() || isCrowded())
    return 1;
  return Wanted ? std::min(Wanted, limit()) : limit();
}

/// Returns the number of threads for a loop of this thread, at most Most. Asks the system, the
/// loader and TBB.
unsigned threadsHere(unsigned Most) {
  Most = Most > 1 ? std::min(Most, allowedProcessors()) : 1;
  return Most > 1 && !hostIsParallel() ? Most : 1;
}

/// Runs the loop's body on this thread until no chunk is left.
void work(ParallelLoop &Loop, unsigned Thread = 0, void *Private = nullptr,
          LeftErrno *Errno = nullptr) {
  const Participation Outer = Current;
  const unsigned OuterFinished = Finished;
  Current = {.Loop = &Loop, .Thread = Thread, .Private = Private, .Errno = Errno, .Chunk = {}};
  Finished = 0;
  Loop.callBody();
  Current = Outer;
  Finished = OuterFinished;
}

/// Guarded by Busy. It is not destroyed at exit, because its threads may outlive any order of
/// destruction.
QuietArena *Kept = nullptr;

unsigned KeptSize = 0; ///< the number of threads of Kept, if there is one
/// The largest number of threads, the caller included, that a loop has waited for since TBB was
/// started.
unsigned NumAwaited = 1;

/// Returns the arena for this many threads. The caller holds Busy.
tbb::task_arena &arena(unsigned Threads) {
  if (!Kept || KeptSize != Threads) {
    auto Fresh = std::make_unique<QuietArena>(Threads);
    StateOfTbb.store(Tbb::Started, std::memory_order_relaxed);
    delete Kept;
    Kept = Fresh.release();
    KeptSize = Threads;
  }
  return Kept->Arena;
}

/// Ends TBB's use. Its threads end now, or with the last thread of the program that has used TBB.
/// The caller holds Busy.
void endTbb() noexcept {
  if (!canThrow())
    return;
  try {
    delete std::exchange(Kept, nullptr);
    NumAwaited = 1;
    tbb::task_scheduler_handle Handle{tbb::attach{}};
    (void)tbb::finalize(Handle, std::nothrow);
  } catch (...) {
    // Without memory the threads stay.
  }
}

/// The data that threads of a parallel loop share besides its chunks.
struct Team {
  ParallelLoop &Loop;
  QuietTime &Quiet;            ///< the caller's
  const uint64_t PrivateBytes; ///< bytes for each thread
  void *const CallersMemory;   ///< the caller's own PrivateBytes
  const FpEnvironment Caller = FpEnvironment::current();
  std::atomic<uint32_t> Flags{0}; ///< floating-point exceptions of all threads
  LeftErrno Errno{};

  void participate(unsigned Thread) {
    acquireFrom(this);
    // The caller has requested all threads from TBB by now.
    if (Thread == 0)
      Quiet.admitRequests();
    if (!Loop.exhausted()) {
      const FpEnvironment Own = FpEnvironment::current();
      Caller.enter();
      errno = 0;
      workWithMemory(Thread);
      Errno.take(/*First=*/0); // of a pipeline, which sets errno to one value only
      Flags.fetch_or(FpEnvironment::flags(), std::memory_order_relaxed);
      Own.restore();
    }
    releaseTo(this);
  }

private:
  /// Works on the loop, unless this thread gets no memory: the others do its part then. The caller
  /// has memory.
  void workWithMemory(unsigned Thread) {
    if (Thread == 0)
      return work(Loop, Thread, CallersMemory, &Errno);
    const LoopMemory Own(PrivateBytes);
    if (Own.isThere())
      work(Loop, Thread, Own.get(), &Errno);
  }
};

void runOnArena(Team &All, unsigned Threads) {
  releaseTo(&All);
  releaseTo(&All.Loop);
  // A thread that comes late finds the chunks taken and is done.
  auto Piece = [&All](const Pieces &) SPECRT_HANDED_OVER_BY_TBB {
    // The caller is always 0, and threads return to their places.
    All.participate(static_cast<unsigned>(tbb::this_task_arena::current_thread_index()));
  };
  // The context is isolated: a cancellation in the host must not drop iterations.
  tbb::task_group_context Context(tbb::task_group_context::isolated);
  arena(Threads).execute([&] {
    tbb::parallel_for(Pieces(All.Loop, Threads), Piece, tbb::simple_partitioner(), Context);
  });
  acquireFrom(&All);
}

/// Runs \p Work, which uses TBB, unless TBB has failed before or this thread cannot throw. The
/// caller holds Busy.
template <typename Fn> void withTbb(Fn Work) noexcept {
  const Tbb State = StateOfTbb.load(std::memory_order_relaxed);
  if (State == Tbb::Failed)
    return;
  // If TBB was started, only this thread runs without it. Otherwise it may be too late to start it
  // for a later loop (see startTbb).
  const bool HasFailed = canThrow() ? attempt(Work) != nullptr : State == Tbb::Unused;
  if (HasFailed)
    StateOfTbb.store(Tbb::Failed, std::memory_order_relaxed);
}

/// True if this thread holds Busy over a fork.
SPECRT_THREAD_LOCAL bool IsForking = false;

/// TBB's destructors run after this library's, and TBB cannot be started again then.
std::atomic<bool> IsExiting{false};
[[gnu::destructor]] void noteExit() { IsExiting.store(true, std::memory_order_relaxed); }

/// Ends TBB's threads before a fork. A forked child has a copy of the locks of TBB's allocator, but
/// none of TBB's threads. A thread that starts or allocates at that moment would leave such a lock
/// locked, and the child's exit, which takes it, would never end. Threads remain if a loop is
/// running or the program uses TBB itself.
void restBeforeFork() noexcept {
  // A child of _Fork would wait for its parent's threads.
  if (isForkedChild() || IsExiting.load(std::memory_order_relaxed) || hostIsParallel())
    return;
  QuietTime Quiet;
  Quiet.begin();
  if (!Quiet.inHandler() && !Busy.exchange(true, std::memory_order_acquire)) {
    // After a failure TBB's threads remain, so this is needed then, too.
    IsForking = Kept != nullptr;
    if (IsForking)
      endTbb();
    else
      Busy.store(false, std::memory_order_release);
  }
  Quiet.end();
}

/// Allows loops again. The next one starts TBB: starting it here would make every fork of the
/// program wait.
void resumeAfterFork() noexcept {
  if (std::exchange(IsForking, false))
    Busy.store(false, std::memory_order_release);
}

/// Returns whether a fork has ended TBB and the process is too far in its exit to start it again.
/// The caller holds Busy.
bool isTooLateForTbb() {
  return !Kept && StateOfTbb.load(std::memory_order_relaxed) == Tbb::Started &&
         IsExiting.load(std::memory_order_relaxed);
}

void forgetAfterFork() noexcept {
  noteForkedChild();
  IsForking = false;
  Busy.store(false, std::memory_order_relaxed);
}

/// Returns whether this thread may use TBB now; it holds Busy then. Registers the fork handlers
/// before it takes Busy: a child forked while Busy is held must recognise itself as one and ignore
/// Busy.
bool claimTbb() noexcept {
  return watchForks(restBeforeFork, resumeAfterFork, forgetAfterFork) &&
         !Busy.exchange(true, std::memory_order_acquire);
}

/// Runs the loop within a QuietTime of the caller. Returns the value that the loop leaves in errno;
/// 0: none.
int runInParallel(ParallelLoop &Loop, unsigned Threads, uint64_t PrivateBytes, void *CallersMemory,
                  QuietTime &Quiet) noexcept {
  Team All{Loop, Quiet, PrivateBytes, CallersMemory};
  withTbb([&] {
    if (isTooLateForTbb())
      return;
    const unsigned Given = givenByTbb(Threads);
    if (Given <= 1)
      return;
    tbb::task_arena &Arena = arena(Given);
    if (Given > NumAwaited) {
      NumAwaited = Given;
      constexpr std::chrono::milliseconds Most(2);
      awaitThreads(Arena, Given, Most);
    }
    runOnArena(All, Given);
  });
  // This does the whole loop if TBB was not used. If it failed, chunks already taken are complete,
  // because TBB waits before it throws; the rest follows here.
  All.participate(/*Thread=*/0);
  FpEnvironment::addFlags(All.Flags.load(std::memory_order_relaxed));
  return All.Errno.value();
}

/// Returns true when the loop is done. TBB allocates, which a thread may not do within a signal
/// handler. This is a separate function, because a cancelled thread must be able to unwind through
/// its caller.
[[gnu::noinline]] bool tryInParallel(ParallelLoop &Loop, unsigned Most, uint64_t PrivateBytes,
                                     bool IsPipeline, QuietTime &Quiet) noexcept {
  // System calls and TBB may change errno.
  const int Before = errno;
  unsigned Threads = Quiet.inHandler() || !hasStackForTbb() ? 1 : threadsHere(Most);
  const LoopMemory Own(Threads > 1 ? PrivateBytes : 0);
  const LoopMemory Counters(Threads > 1 && IsPipeline ? Pipeline::bytes(Threads) : 0);
  const bool IsParallel = Threads > 1 && Own.isThere() && Counters.isThere() && claimTbb();
  if (IsParallel) {
    IsPipeline ? Loop.setPipeline(Threads, Counters.get()) : Loop.setThreads(Threads);
    NumShared.fetch_add(1, std::memory_order_relaxed);
  }
  const int Left = IsParallel ? runInParallel(Loop, Threads, PrivateBytes, Own.get(), Quiet) : 0;
  if (IsParallel)
    Busy.store(false, std::memory_order_release);
  errno = Left != 0 ? Left : Before;
  return IsParallel;
}

/// Runs \p Loop on at most \p Threads threads, which mostThreads() has returned. It is complete on
/// return.
void runOn(ParallelLoop &Loop, unsigned Threads, uint64_t PrivateBytes, bool IsPipeline) {
  const uint64_t Most = std::min<uint64_t>(Threads, Loop.total());
  bool Done = Most == 0;
  if (Most > 1) {
    QuietTime Quiet;
    Quiet.beginForThreads();
    Done = tryInParallel(Loop, static_cast<unsigned>(Most), PrivateBytes, IsPipeline, Quiet);
    Quiet.end();
  }
  if (!Done)
    work(Loop);
  ++Finished;
}

void run(ParallelLoop &Loop, unsigned Wanted, uint64_t PrivateBytes, bool IsPipeline) {
  runOn(Loop, mostThreads(Wanted), PrivateBytes, IsPipeline);
}

/// Takes a range for this thread. Its previous range, if any, is complete.
bool takeRange(Pipeline &Order, long &From, long &To) {
  if (Current.Range != NoRange)
    Order.end(Current.Range);
  Current.Range = Current.Loop->takeRange(From, To).value_or(NoRange);
  return Current.Range != NoRange;
}

/// Takes a chunk for this thread. Its previous chunk, if any, is complete.
bool takeChunk(long &From, long &To) {
  if (Current.Errno)
    Current.Errno->take(Current.First);
  const std::optional<uint64_t> First = Current.Loop->take(Current.Thread, From, To);
  Current.First = First.value_or(0);
  return First.has_value();
}

/// Returns a run of iterations for this thread; Level is 0 if none is left.
LoopRun takeRun() {
  ParallelLoop &Loop = *Current.Loop;
  LoopRun Run = Current.Chunk.take();
  for (long From, To; Run.Level == 0 && takeChunk(From, To);) {
    if (!Loop.nest())
      return {.Level = 1, .Begin = From, .End = To};
    const MaskedExceptions Quiet;
    Current.Chunk = Loop.nest()->chunk(uint64_t(From), uint64_t(To));
    Run = Current.Chunk.take();
  }
  return Run;
}

/// Starts TBB before the first loop, once. It keeps its resources until its last arena is
/// destroyed, but cannot be started any more once its destructors have run, and regions are called
/// until the process ends. It is started only once, because a loop that began meanwhile would find
/// it busy and run serially.
void startTbb() noexcept {
  if (StateOfTbb.load(std::memory_order_relaxed) != Tbb::Unused)
    return;
  unsigned Threads = isForkedChild() ? 1 : std::min(limit(), allowedProcessors());
  if (Threads <= 1 || !claimTbb())
    return;
  withTbb([&] {
    if (const unsigned Given = givenByTbb(Threads); Given > 1)
      arena(Given);
  });
  Busy.store(false, std::memory_order_release);
}

} // namespace
} // namespace specrt

using namespace specrt;

SPECRT_EXPORT void specrt_parallel_configure(unsigned threads) {
  if (HasEnded.load(std::memory_order_relaxed))
    return;
  Limit.store(threads ? threads : UINT_MAX, std::memory_order_relaxed);
  startTbb();
}

SPECRT_EXPORT void specrt_parallel_end_threads(void) {
  HasEnded.store(true, std::memory_order_relaxed);
  Limit.store(1, std::memory_order_relaxed);
  if (isForkedChild())
    return;
  constexpr useconds_t PauseUs = 100; // as long as a short loop
  while (Busy.exchange(true, std::memory_order_acquire))
    usleep(PauseUs);
  if (Kept)
    endTbb();
  Busy.store(false, std::memory_order_release);
}

SPECRT_EXPORT uint64_t specrt_parallel_loops(void) {
  return 2 * NumShared.load(std::memory_order_relaxed) - Busy.load(std::memory_order_relaxed);
}

SPECRT_EXPORT int specrt_parallel_failed(void) { return hasTbbFailed(); }

SPECRT_EXPORT unsigned specrt_parallel_threads(void) { return threadsHere(mostThreads(0)); }

SPECRT_EXPORT void specrt_parallel_loop_runtime_start(void (*fn)(void *), void *data,
                                                      unsigned threads, long begin, long end,
                                                      long step) {
  specrt_parallel_private_loop_start(fn, data, threads, begin, end, step, /*bytes=*/0);
}

SPECRT_EXPORT void specrt_parallel_private_loop_start(void (*fn)(void *), void *data,
                                                      unsigned threads, long begin, long end,
                                                      long step, uint64_t bytes) {
  ParallelLoop Loop(fn, data, begin, end, step);
  run(Loop, threads, bytes, /*IsPipeline=*/false);
}

SPECRT_EXPORT void specrt_parallel_pipeline_start(void (*fn)(void *), void *data, unsigned threads,
                                                  long begin, long end, long step) {
  ParallelLoop Loop(fn, data, begin, end, step);
  run(Loop, threads, /*PrivateBytes=*/0, /*IsPipeline=*/true);
}

SPECRT_EXPORT void specrt_parallel_nest_start(void (*fn)(void *), void *data, unsigned threads,
                                              const specrt_ranked_nest *nest, uint64_t bytes) {
  const unsigned Most = mostThreads(threads);
  std::optional<SharedNest> Nest;
  {
    const MaskedExceptions Quiet;
    Nest = SharedNest::of(*nest, Most > 1 ? std::min(Most, allowedProcessors()) : 1);
  }
  ParallelLoop Loop(fn, data, 0, Nest ? long(Nest->total()) : nest->extents[0].constant, 1);
  if (Nest)
    Loop.setNest(*Nest);
  runOn(Loop, Most, bytes, /*IsPipeline=*/false);
}

SPECRT_EXPORT unsigned specrt_loop_nest_next(int64_t *run) {
  if (Finished > 0 || !Current.Loop)
    return 0;
  const LoopRun Run = takeRun();
  run[0] = Run.Begin;
  run[1] = Run.End;
  std::copy(Run.Around.begin(), Run.Around.end(), run + 2);
  return Run.Level;
}

SPECRT_EXPORT void specrt_loop_step(long number) {
  if (Current.Range != NoRange)
    Current.Loop->pipeline()->begin(Current.Range, static_cast<uint32_t>(number));
}

SPECRT_EXPORT void *specrt_loop_private(void) { return Current.Private; }

SPECRT_EXPORT bool specrt_loop_runtime_next(long *begin, long *end) {
  if (Finished > 0 || !Current.Loop)
    return false;
  if (Pipeline *Order = Current.Loop->pipeline())
    return takeRange(*Order, *begin, *end);
  return takeChunk(*begin, *end);
}

SPECRT_EXPORT void specrt_loop_end_nowait(void) {}

SPECRT_EXPORT void specrt_parallel_end(void) { --Finished; }
