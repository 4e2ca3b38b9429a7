//===- runtime/record/instrumented_call.h - one call that shows what it accesses ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An instrumented version is reached through the thunk, as candidates on trial are, by one call.
// What that call records in its windows goes into memory that the worker mapped before, and the
// worker looks at it afterwards. Nothing of the call counts as a time.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_RECORD_INSTRUMENTED_CALL_H
#define SPECRT_RUNTIME_RECORD_INSTRUMENTED_CALL_H

#include "guards/guard_list.h"
#include "runtime/record/row_recording.h"
#include "runtime/record/window_plan.h"
#include "specrt/recording.h"
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace specrt {

class LoadedVersion;

/// The version, its memory and its call. Created by the worker and freed by it when no call can be
/// inside.
class InstrumentedCall : public specrt_recording {
public:
  static constexpr size_t NumWords = size_t{8} << 20;
  /// In less time nothing is seen.
  static constexpr double LeastNs = 2e6;

  /// Null when there is no memory for the words.
  static std::unique_ptr<InstrumentedCall> create();
  ~InstrumentedCall();
  InstrumentedCall(const InstrumentedCall &) = delete;
  InstrumentedCall &operator=(const InstrumentedCall &) = delete;

  /// The version that was made to write here, with room for a region with so many arguments.
  void setVersion(void *Body, std::shared_ptr<LoadedVersion> Stored, GuardList Guards,
                  uint32_t WordsPerIteration, uint32_t NumArguments);

  /// A call of the region takes so long otherwise (0: unknown; only windows count as longer), and
  /// may be longer by \p MaxNs at most.
  void setBounds(double CallNs, double MaxNs) {
    UsualNs = CallNs;
    MostNs = MaxNs;
  }

  enum class State : uint32_t {
    Waiting, ///< for a call
    Running,
    Ended, ///< its words can be read
    Given  ///< up: no call that fits has come, or the one that came does not end
  };
  State state() const { return Now.load(std::memory_order_acquire); }

  /// Async-signal-safe. The body for a call with these arguments; null when it is not for this one.
  /// \p ShouldDecide tells that the worker should look.
  void *beginCall(const specrt_region &Region, const uint64_t *Packed, bool &ShouldDecide);
  /// That call ends, and was as much longer than usual as the process has spent on it. False when
  /// it was given up meanwhile.
  bool endCall();

  /// Of an ended call.
  std::span<const uint64_t> words() const { return {Memory, static_cast<size_t>(next - Memory)}; }
  /// There are so many row loops, whose rows are to be walked.
  void prepareRows(uint32_t Loops) {
    NumRowLoops = Loops;
    Rows.prepare(Loops, IsAhead);
  }
  /// Before either: memory gets its pages when it is written, by the thread that does.
  void touchNothingAhead() { IsAhead = false; }
  /// What touching ahead takes, about.
  static constexpr uint64_t TouchNs = 10'000'000;
  const RowRecording &rows() const { return Rows; }
  const std::vector<uint64_t> &arguments() const { return Arguments; }
  double callNs() const;
  double windowNs() const;
  double excessNs() const { return ExcessNs; }

  std::vector<specrt_recorded_access> Accesses;
  std::vector<specrt_recorded_loop> Loops;
  std::vector<specrt_carried_value> Carried;
  double CompileMs = 0;
  bool WasTaken = false; ///< by the worker: all that it has shown

private:
  explicit InstrumentedCall(uint64_t *Memory);
  static uint64_t nextWindow(specrt_recording *R, uint32_t Loop, uint64_t Iteration,
                             uint64_t Trips);
  static uint32_t moreRoom(specrt_recording *R);
  uint64_t planWindow(WindowPlan &Plan, uint64_t Iteration, uint64_t Trips);
  void closeWindow(uint64_t Ticks);
  bool extend();
  uint64_t ticksOfRows() const { return Limit.Ticks / 2 / std::max(1U, NumRowLoops); }
  uint64_t ticksForWindows() const;

  static void walkRows(specrt_recording *R, uint32_t Loop, const specrt_rows_site *Site,
                       const uint64_t *Inputs, uint64_t NumRows);

  uint64_t *const Memory;
  bool IsAhead; ///< its memory has pages before it is written
  RowRecording Rows;
  uint32_t NumRowLoops = 0;
  uint64_t *UsableEnd = nullptr;
  void *Body = nullptr;
  std::shared_ptr<LoadedVersion> Stored; ///< with Body
  GuardList Guards;
  std::atomic<State> Now{State::Waiting};
  std::atomic<uint32_t> Misses{0};
  std::vector<uint64_t> Arguments;
  std::atomic<uint64_t> BeginTicks{0};
  uint64_t EndTicks = 0;
  double UsualNs = 0, MostNs = std::numeric_limits<double>::infinity(), ExcessNs = 0;
  uint64_t ProcessorBeginNs = 0;
  // Of the call that runs.
  std::array<WindowPlan, SPECRT_MAX_RECORDED_LOOPS> Plans{};
  RecordingCost AtLoopBegin, Limit; ///< what loops before this one took; what all may take
  uint64_t WindowBegin = 0;         ///< ticks; 0: outside of a window
  uint64_t WindowTicks = 0;         ///< of the windows that are over, and of walks outside
  uint64_t FewTicks = 0;
};

} // namespace specrt

#endif
