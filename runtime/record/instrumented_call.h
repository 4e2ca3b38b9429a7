//===- runtime/record/instrumented_call.h - runs one call of an instrumented version ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One call reaches an instrumented version through the thunk, as calls of a trial reach candidates.
// Its recording goes into memory that the worker mapped before, and the worker evaluates it
// afterwards. The time of the call is not used.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_RECORD_INSTRUMENTED_CALL_H
#define SPECRT_RUNTIME_RECORD_INSTRUMENTED_CALL_H

#include "guards/guard_list.h"
#include "runtime/base/policy/ledger.h"
#include "runtime/record/row_recording.h"
#include "runtime/record/window_plan.h"
#include "specrt/recording.h"
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace specrt {

class LoadedVersion;

/// The version, its memory and its call. The worker creates it, and frees it when no call can be
/// inside.
class InstrumentedCall : public specrt_recording {
public:
  /// The size of the recording: 64 MB of address space, of which a call writes what it records.
  static constexpr size_t NumWords = size_t{8} << 20;
  /// In less time nothing useful is recorded.
  static constexpr double LeastNs = 2e6;

  /// Returns null when there is no memory for the words.
  static std::unique_ptr<InstrumentedCall> create();
  ~InstrumentedCall();
  InstrumentedCall(const InstrumentedCall &) = delete;
  InstrumentedCall &operator=(const InstrumentedCall &) = delete;

  /// Sets the version, which was compiled to write into this object, and makes room for a region
  /// with this many arguments.
  void setVersion(void *Body, std::shared_ptr<LoadedVersion> Stored, GuardList Guards,
                  uint32_t WordsPerIteration, uint32_t NumArguments);

  /// Sets the usual time of a call (0: unknown; then only windows count as additional time), and
  /// the ledger that pays for the additional time.
  void setPayer(double CallNs, std::shared_ptr<Ledger> Account) {
    UsualNs = CallNs;
    Payer = std::move(Account);
  }

  enum class State : uint32_t {
    Waiting, ///< for a call
    Running,
    Ended, ///< its words can be read
    Given  ///< abandoned: no call that fits has come, or the one that came does not end
  };
  State state() const { return Now.load(std::memory_order_acquire); }

  /// Returns the body for a call with these arguments; null when this call is not to be recorded.
  /// \p ShouldDecide is set when the worker should check the state. Async-signal-safe.
  void *beginCall(const specrt_region &Region, const uint64_t *Packed, bool &ShouldDecide);
  /// Ends that call, for whose additional time the ledger pays. Returns false when it was abandoned
  /// meanwhile.
  bool endCall();

  /// Returns the words of an ended call.
  std::span<const uint64_t> words() const { return {Memory, static_cast<size_t>(next - Memory)}; }
  /// Prepares for the inspection of the rows of \p Loops row loops.
  void prepareRows(uint32_t Loops) {
    NumRowLoops = Loops;
    Rows.prepare(Loops, IsAhead);
  }
  /// Must be called before both: memory gets its pages when it is written, by the writing thread.
  void touchNothingAhead() { IsAhead = false; }
  /// The approximate time of touching memory ahead.
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
  bool WasTaken = false; ///< the worker has taken all its data

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

  static void walkRows(specrt_recording *R, uint32_t Loop, const specrt_sparse_loop *SparseLoop,
                       const uint64_t *Inputs, uint64_t NumRows);

  uint64_t *const Memory;
  bool IsAhead; ///< its memory gets pages before it is written
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
  std::shared_ptr<Ledger> Payer;
  double UsualNs = 0, ExcessNs = 0;
  uint64_t ProcessorBeginNs = 0;
  // The state of the running call.
  std::array<WindowPlan, SPECRT_MAX_RECORDED_LOOPS> Plans{};
  RecordingCost AtLoopBegin, Limit; ///< costs before this loop, and the limit for all loops
  uint64_t WindowBegin = 0;         ///< ticks; 0: outside of a window
  uint64_t WindowTicks = 0;         ///< in finished windows, and in inspections outside of windows
  uint64_t FewTicks = 0;
};

} // namespace specrt

#endif
