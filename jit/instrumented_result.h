//===- jit/instrumented_result.h - the answer to a request for an instrumented version ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_JIT_INSTRUMENTED_RESULT_H
#define SPECRT_JIT_INSTRUMENTED_RESULT_H

#include "guards/guard_list.h"
#include "specrt/jit_api.h"
#include <string>
#include <vector>

namespace specrt {

/// A specrt_jit_instrumented with everything it points to. It is filled and then sealed.
class InstrumentedResult : public specrt_jit_instrumented {
public:
  InstrumentedResult() : specrt_jit_instrumented{} {}
  InstrumentedResult(const InstrumentedResult &) = delete;
  InstrumentedResult &operator=(const InstrumentedResult &) = delete;

  GuardList Guards;
  std::vector<specrt_recorded_access> Accesses;
  std::vector<specrt_recorded_loop> Loops;
  std::vector<specrt_carried_value> Carried;

  /// Completes the plain result and returns it. With an \p Error other than "" it has no code.
  const specrt_jit_instrumented *seal(const std::string &Error, double TotalMs) {
    Problem = Error;
    error = Error.empty() ? nullptr : Problem.c_str();
    guards = Guards.plain();
    accesses = Accesses.data();
    num_accesses = uint32_t(Accesses.size());
    loops = Loops.data();
    num_loops = uint32_t(Loops.size());
    carried = Carried.data();
    num_carried = uint32_t(Carried.size());
    compile_ms = TotalMs;
    return this;
  }

private:
  std::string Problem;
};

} // namespace specrt

#endif
