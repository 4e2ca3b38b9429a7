//===- runtime/call/osr.h - on-stack replacement: a version takes over from a running call ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call may be the only one, and last. While it runs in the original it comes by specrt_poll at
// iterations of its choice (specrt_region::poll_at): first soon, to learn how fast it is, then,
// once it has lasted SPECRT_HOT, at an iteration so far ahead that the worker can have compiled the
// rest of the nest by then. There the version replaces it, if the version's guards hold for it.
//
//   Watching -> Asking -> Compiling -> Ready            the call comes by and is replaced
//      ^                      |  \
//      |   (not worth it)     |   -> Late -> Again      it came by too early: a later iteration
//      +----------------------+-> Over                  nothing to replace it with, or no longer
//
// If much of the call is left, the version first does a small part of it, the probe. Its time
// decides whether the same candidate does what is left, or code in the original's order.
//
// Program threads move the state out of Watching, Again and (to Late) Compiling, the worker does
// the rest. Everything here but the target's guards only decides when; several threads inside the
// region at once may confuse times, never results.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CALL_OSR_H
#define SPECRT_RUNTIME_CALL_OSR_H

#include "profiler/plans/assumptions.h"
#include "runtime/call/compiled_body.h"
#include "specrt/jit_api.h"
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace specrt {

struct CallRecord;
struct RegionState;

enum class OsrState : uint32_t { Watching, Asking, Compiling, Ready, Late, Again, Over };

/// A first part of the rest of a call, by which the candidate is judged.
struct OsrProbe {
  uint64_t End = 0;           ///< the first iteration behind it
  double ExpectedNs = 0;      ///< in the original
  CompiledBody Same;          ///< does what is left, as the candidate does it
  CompiledBody InSourceOrder; ///< does what is left about as fast as the original
};

/// Code for the rest of a call. Owned by the region's detail until the process ends; what Body
/// points to may be released earlier, see Reclaimer.
struct OsrTarget : CompiledBody {
  OsrTarget() = default;
  explicit OsrTarget(CompiledBody B) : CompiledBody(std::move(B)) {}

  uint64_t Iteration = 0;        ///< the first that Body does
  uint64_t Iterations = 0;       ///< of a whole call; 0: unknown
  double ExpectedNs = 0;         ///< of the rest in the original, when it was asked for; 0: unknown
  std::optional<OsrProbe> Probe; ///< that Body does; without one Body does all of the rest
  Assumptions Assumed;
  bool Told = false; ///< the worker has reported it

  // Of the first call that handed over, written by its thread; valid once Done.
  std::atomic<bool> Taken{false}, Done{false};
  uint64_t AtNs = 0; ///< CLOCK_MONOTONIC of the replacement
  std::atomic<bool> WasSlow{
      false}; ///< in the probe, so that Probe->InSourceOrder did what was left
  std::atomic<uint64_t> TicksBefore{0}, TicksAfter{0};
  std::atomic<double> AtLeast{0}, AtMost{0}; ///< estimates of the rest in the original; 0: unknown
};

/// How a call progresses; part of RegionState, so all-zero bytes are a valid start.
struct OnStackReplacement {
  std::atomic<OsrState> State;
  std::atomic<uint32_t> Waiters;
  std::atomic<uint32_t> Taken;       ///< calls that handed over
  std::atomic<uint32_t> Attempts;    ///< compilations asked for
  std::atomic<uint64_t> Begin;       ///< ticks when the watched call began; 0: none is
  std::atomic<uint64_t> Clock;       ///< CallRecord::ProcessorNs of that call
  std::atomic<uint32_t> Preemptions; ///< of its thread at its begin
  std::atomic<const void *> Thread;  ///< that it runs on
  std::atomic<uint64_t> Waited;      ///< ticks that it has slept
  std::atomic<uint64_t> Iteration;   ///< to hand over at
  std::atomic<double> TicksPerIteration;
  std::atomic<double> TicksGrowth;    ///< of an iteration, per number; 0: none
  std::atomic<uint64_t> Asked;        ///< ticks
  std::atomic<uint64_t> CompileTicks; ///< that the last compilation took; 0: none did
  std::atomic<uint32_t> Compilations; ///< that the next replacement needs; 0: one
  /// Part of its time in which the watched call had its processor, when it asked.
  std::atomic<double> ProcessorShare;
  std::atomic<OsrTarget *> Target;
  /// The last two places where the call came by, the later in [1]: iterations, ticks since Begin.
  std::atomic<uint64_t> SeenIteration[2], SeenTicks[2];
  std::atomic<bool> Short; ///< the last sampled call was
  /// Ticks of the last call that handed over: until it did, and, as an estimate, what the whole
  /// call would have taken in the original.
  std::atomic<uint64_t> TicksBefore, OriginalTicks;
};

/// A sampled call of the original begins: let it come by specrt_poll. Async-signal-safe.
void watchCall(RegionState &S, specrt_region &Region, const CallRecord &Record);

/// Did the watched call wait for a version, or did one do its rest? Then it was not the original
/// from its begin to its end.
bool wasInterrupted(const RegionState &S, const CallRecord &Record);
/// Ticks that the call, which has just ended, has slept in wait for a version.
uint64_t sleptTicks(const RegionState &S, const CallRecord &Record);

/// A call of the original begins that is timed in a trial: it is not handed over.
/// Async-signal-safe.
void keepInOriginal(const RegionState &S);

/// specrt_poll of a registered region.
void *pollOsr(RegionState &S, specrt_region &Region, const uint64_t *Packed, uint64_t Iteration,
              specrt_call *Call);

/// The version that took over has returned. Returns who does what is left; null: nothing is.
/// Async-signal-safe.
void *continueOsr(CallRecord &Record);

/// All that took over has returned, after Ticks.
void leaveOsr(RegionState &S, const CallRecord &Record, uint64_t Ticks);

/// What one compilation is expected to take.
double expectedCompileNs(const OnStackReplacement &Osr);
/// The same for all that the next replacement needs.
double expectedOsrNs(const OnStackReplacement &Osr);

/// A sampled call of the original is over after Ticks, not counting sleptTicks(): nobody is watched
/// any more. Returns what the original alone would have needed, as far as that is known.
/// Async-signal-safe.
uint64_t endWatch(RegionState &S, specrt_region &Region, const CallRecord &Record, uint64_t Ticks);

/// The worker's side: sets the state and wakes a call that waits for it.
void setOsrState(OnStackReplacement &Osr, OsrState State);
/// Only if the state is From; false otherwise.
bool moveOsrState(OnStackReplacement &Osr, OsrState From, OsrState To);

} // namespace specrt

#endif
