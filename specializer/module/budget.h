//===- specializer/module/budget.h - limits the time of a compilation -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_MODULE_BUDGET_H
#define SPECRT_SPECIALIZER_MODULE_BUDGET_H

#include <chrono>
#include <ctime>

namespace llvm {
class PassInstrumentationCallbacks;
}

namespace specrt {

/// A limit on the processor time of a compilation. The compiler checks it between passes and
/// phases. Operations that do not check it, such as isl's, end when the server ends the compiling
/// process (runtime/server/serve_request).
class CompileBudget {
public:
  /// \p Limit is processor time of the constructing thread: a thread of idle priority must not lose
  /// its work because it waited for a processor. A limit of zero or less is used up at once.
  explicit CompileBudget(std::chrono::milliseconds Limit);

  /// Returns whether the limit plus \p Grace is used up. Any thread, while the constructing one
  /// exists.
  bool expired(std::chrono::milliseconds Grace = {}) const;
  /// Returns the reason for expired() as part of a sentence.
  static const char *reason() { return "the compile budget was used up"; }
  double elapsedMs() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - Start).count();
  }

  /// Makes pipelines that run under \p PIC skip their optional passes once the budget is used up,
  /// which leaves valid code. This object must outlive \p PIC.
  void attach(llvm::PassInstrumentationCallbacks &PIC);

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point Start;
  clockid_t Processor; ///< clock of the constructing thread
  std::chrono::nanoseconds ProcessorDeadline;
};

} // namespace specrt

#endif
