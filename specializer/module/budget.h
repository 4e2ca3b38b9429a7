//===- specializer/module/budget.h - when to stop compiling ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_MODULE_BUDGET_H
#define SPECRT_SPECIALIZER_MODULE_BUDGET_H

#include <chrono>
#include <ctime>

namespace llvm {
class PassInstrumentationCallbacks;
}

namespace specrt {

/// What a compile may take of a processor. The compiler looks at it between passes and phases; what
/// looks at no clock by itself, as isl's operations do, ends with the process that compiles
/// (runtime/server/serve_request).
class CompileBudget {
public:
  /// \p Limit is processor time of the constructing thread: a thread of idle priority must not lose
  /// its work because it had to wait for a processor, however long. Zero or less is used up at
  /// once.
  explicit CompileBudget(std::chrono::milliseconds Limit);

  /// Any thread, while the constructing one exists. \p Grace: and so much more.
  bool expired(std::chrono::milliseconds Grace = {}) const;
  /// Why expired() holds, as part of a sentence.
  static const char *reason() { return "the compile budget was used up"; }
  double elapsedMs() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - Start).count();
  }

  /// Pipelines run under \p PIC skip their optional passes once the budget is used up, which
  /// leaves valid code behind. Both must outlive \p PIC.
  void attach(llvm::PassInstrumentationCallbacks &PIC);

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point Start;
  clockid_t Processor; ///< time of the constructing thread
  std::chrono::nanoseconds ProcessorDeadline;
};

} // namespace specrt

#endif
