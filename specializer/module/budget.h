//===- specializer/module/budget.h - when to stop compiling ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compile runs in the background of somebody else's program. It must end when its time is used
// up, and it must get out of LLVM when the process exits, because LLVM's static destructors run
// then while the compile thread still exists. It makes room when the program needs the processors.
//
// CompileControl is the process's one switch: cancel() makes every compile drain, and with Park it
// stops the compile thread for good at its next checkpoint. A checkpoint lies in our own code
// between two passes, or where LLVM is about to allocate (jit/allocation_points.h), so a parked
// thread holds no lock of the allocator or the C library. CompileBudget adds the deadline of one
// compile.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_MODULE_BUDGET_H
#define SPECRT_SPECIALIZER_MODULE_BUDGET_H

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>

namespace llvm {
class LLVMContext;
class PassInstrumentationCallbacks;
} // namespace llvm

namespace specrt {

class CompileControl {
public:
  /// Marks the time in which a thread is inside the compiler, which it may enter again from there.
  /// One thread at a time.
  class Running {
  public:
    explicit Running(CompileControl &C);
    ~Running();
    Running(const Running &) = delete;
    Running &operator=(const Running &) = delete;

  private:
    CompileControl &Control;
    const bool IsOutermost;
  };

  /// Any thread. Every current and later compile drains; with \p Park the compiling thread does not
  /// return from its next checkpoint before this is called without. True when no thread is
  /// compiling or it is parked; false after \p Timeout.
  bool cancel(bool Park, std::chrono::milliseconds Timeout);

  /// Any thread. From now on the compiling thread sleeps at its checkpoints, until this is called
  /// with false or a compile is cancelled.
  void rest(bool Rest);

  bool isCancelled() const { return Cancelled.load(std::memory_order_acquire); }

  /// Sleeps while it is to rest or to be parked.
  void checkpoint();

  /// The same for code that LLVM calls, on any thread: nothing outside of the compiler.
  static void checkpointOfThisThread() {
    if (AnyRequest.load(std::memory_order_relaxed))
      obeyOnThisThread();
  }

private:
  static void obeyOnThisThread();
  void park();

  static inline constinit std::atomic<bool> AnyRequest{false}; ///< to rest or to park
  enum class State : uint32_t { Idle, Compiling, Resting, Parked };
  std::atomic<State> Current{State::Idle};
  std::atomic<bool> Cancelled{false};
  std::atomic<bool> ParkRequested{false};
  std::atomic<bool> RestRequested{false};
};

class CompileBudget {
public:
  /// \p Limit is processor time of the constructing thread: a thread of idle priority must not lose
  /// its work because it had to wait for a processor, however long. Zero or less is used up at
  /// once.
  CompileBudget(CompileControl &Control, std::chrono::milliseconds Limit);

  /// Any thread, while the constructing one exists.
  bool expired() const;
  /// Why expired() holds, as part of a sentence.
  const char *reason() const {
    return Control.isCancelled() ? "the compile was cancelled" : "the compile budget was used up";
  }
  void checkpoint() { Control.checkpoint(); }
  double elapsedMs() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - Start).count();
  }

  /// Pipelines run under \p PIC skip their optional passes once the budget is used up, which
  /// leaves valid code behind, and pass a checkpoint before each pass. Both must outlive \p PIC.
  void attach(llvm::PassInstrumentationCallbacks &PIC);
  /// The same for code generation, which has no optional passes: a checkpoint only.
  void attach(llvm::LLVMContext &Context);

private:
  using Clock = std::chrono::steady_clock;
  CompileControl &Control;
  Clock::time_point Start;
  clockid_t Processor; ///< time of the constructing thread
  std::chrono::nanoseconds ProcessorDeadline;
};

} // namespace specrt

#endif
