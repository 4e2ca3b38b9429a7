//===- runtime/call/osr.h - on-stack replacement: a version takes over from a running call ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program may call a region only once, for a long time. While the call runs in the original, it
// calls specrt_poll at iterations that are set in advance (specrt_region::poll_at). The first polls
// come soon and measure the call's speed. Once the call has lasted SPECRT_HOT, the next poll is set
// so far ahead that the worker can compile the rest of the nest before. There the version replaces
// the call, if the version's guards hold for it.
//
//   Watching -> Asking -> Compiling -> Ready            the next poll replaces the call
//      ^                      |  \
//      |   (not worth it)     |   -> Late -> Again      the poll came too early: a later iteration
//      +----------------------+-> Over                  no version can or may replace the call
//
// If much of the call is left, the version first executes a small part of it, the probe. Its time
// decides whether the same candidate executes the remainder, or code in the original's order.
//
// Program threads move the state out of Watching, Again and (to Late) Compiling; the worker makes
// all other transitions. Only the target's guards decide whether a replacement is valid; the rest
// decides when it takes place. So several threads inside the region may falsify times, but never
// results.
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

/// The first part of the rest of a call. Its time decides about the candidate.
struct OsrProbe {
  uint64_t End = 0;           ///< the first iteration behind it
  double ExpectedNs = 0;      ///< time of these iterations in the original
  CompiledBody Same;          ///< executes the remainder by the candidate's code
  CompiledBody InSourceOrder; ///< executes the remainder about as fast as the original
};

/// Code for the rest of a call. The region's detail owns it until the process ends; the code that
/// Body points to may be released earlier, see Reclaimer.
struct OsrTarget : CompiledBody {
  OsrTarget() = default;
  explicit OsrTarget(CompiledBody B) : CompiledBody(std::move(B)) {}

  uint64_t Iteration = 0;        ///< the first one that Body executes
  uint64_t Iterations = 0;       ///< number of iterations of a whole call; 0: unknown
  double ExpectedNs = 0;         ///< estimate of the rest in the original; 0: unknown
  std::optional<OsrProbe> Probe; ///< the part that Body executes; if not set, all of the rest
  Assumptions Assumed;
  bool Told = false; ///< the worker has reported it

  // Data of the first call that handed over. Its thread writes them; they are valid once Done.
  std::atomic<bool> Taken{false}, Done{false};
  uint64_t AtNs = 0; ///< CLOCK_MONOTONIC of the replacement
  std::atomic<bool> WasSlow{
      false}; ///< in the probe, so that Probe->InSourceOrder executed the remainder
  std::atomic<uint64_t> TicksBefore{0}, TicksAfter{0};
  std::atomic<double> AtLeast{0}, AtMost{0}; ///< estimates of the rest in the original; 0: unknown
};

/// The progress of a call. It is part of RegionState, so all-zero bytes are a valid initial state.
struct OnStackReplacement {
  std::atomic<OsrState> State;
  std::atomic<uint32_t> Waiters;
  std::atomic<uint32_t> Taken;       ///< calls that handed over
  std::atomic<uint32_t> Attempts;    ///< compilations requested
  std::atomic<uint64_t> Begin;       ///< ticks when the watched call began; 0: no call is watched
  std::atomic<uint64_t> Clock;       ///< CallRecord::ProcessorNs of that call
  std::atomic<uint32_t> Preemptions; ///< of the call's thread when the call began
  std::atomic<const void *> Thread;  ///< the thread of the call
  std::atomic<uint64_t> Waited;      ///< ticks that the call has slept
  std::atomic<uint64_t> Iteration;   ///< at which the call hands over
  std::atomic<double> TicksPerIteration;
  std::atomic<double> TicksGrowth;    ///< ticks of an iteration, divided by its number; 0: none
  std::atomic<uint64_t> Asked;        ///< ticks when the rest was requested
  std::atomic<uint64_t> CompileTicks; ///< duration of the last compilation; 0: there was none
  std::atomic<uint64_t> Iterations;   ///< of the call, computed by the worker; 0: unknown
  std::atomic<uint32_t> Compilations; ///< number that the next replacement needs; 0: one
  /// The share of its time in which the watched call had a processor before the request.
  std::atomic<double> ProcessorShare;
  std::atomic<OsrTarget *> Target;
  /// The last two polls, the later one in [1]: iterations, and ticks since Begin.
  std::atomic<uint64_t> SeenIteration[2], SeenTicks[2];
  std::atomic<bool> Short; ///< the last sampled call was short
  /// Ticks of the last call that handed over: those before it did, and an estimate of those of the
  /// whole call in the original.
  std::atomic<uint64_t> TicksBefore, OriginalTicks;
};

/// Begins to watch a sampled call of the original, so that it calls specrt_poll. Async-signal-safe.
void watchCall(RegionState &S, specrt_region &Region, const CallRecord &Record);

/// Returns whether the watched call has waited for a version, or a version has executed its rest:
/// then the original did not run from its begin to its end.
bool wasInterrupted(const RegionState &S, const CallRecord &Record);
/// Returns the ticks that the call, which has just ended, has slept waiting for a version.
uint64_t sleptTicks(const RegionState &S, const CallRecord &Record);

/// Prevents a call of the original that is timed in a trial from being handed over.
/// Async-signal-safe.
void keepInOriginal(const RegionState &S);

/// Implements specrt_poll for a registered region. Returns the version that executes the call from
/// \p Iteration on, and writes its record to \p Call; null if the original goes on.
void *pollOsr(RegionState &S, specrt_region &Region, const uint64_t *Packed, uint64_t Iteration,
              specrt_call *Call);

/// Returns the code that executes the remainder after the version that took over has returned; null
/// if nothing remains. Async-signal-safe.
void *continueOsr(CallRecord &Record);

/// Ends a handed-over call after all code that took over has returned. That code ran for \p Ticks.
void leaveOsr(RegionState &S, const CallRecord &Record, uint64_t Ticks);

/// Chooses whether the rest begins with a probe: if the compilations that this needs in addition
/// take a small share of the rest, at \p TicksPerIteration. Async-signal-safe.
void chooseProbe(OnStackReplacement &Osr, const specrt_region &Region, double TicksPerIteration);
/// Returns whether the next replacement begins with a probe.
bool hasProbe(const OnStackReplacement &Osr);

/// The expected time of a compilation of unknown length, including the start of the compiler.
constexpr double FirstCompileNs = 200e6;
/// The number of compilations of a replacement that begins with a probe.
inline constexpr uint32_t CompilationsWithProbe = 3;

/// Returns the expected time of one compilation, in nanoseconds.
double expectedCompileNs(const OnStackReplacement &Osr);
/// Returns the expected time of all compilations that the next replacement needs, in nanoseconds.
double expectedOsrNs(const OnStackReplacement &Osr);

/// Stops watching a sampled call of the original, which has ended after \p Ticks, not counting
/// sleptTicks(). Returns the ticks that the original alone would have needed, as far as these are
/// known. Async-signal-safe.
uint64_t endWatch(RegionState &S, specrt_region &Region, const CallRecord &Record, uint64_t Ticks);

/// Sets the state and wakes a call that waits for it.
void setOsrState(OnStackReplacement &Osr, OsrState State);
/// Does the same if the state is \p From; otherwise returns false.
bool moveOsrState(OnStackReplacement &Osr, OsrState From, OsrState To);

} // namespace specrt

#endif
