//===- jit/containment.h - LLVM's fatal errors end a compile, not a program ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM reports what it considers a bug or cannot handle with report_fatal_error, which ends the
// process. Here the compiler is a guest: the handler jumps back to where our code entered LLVM and
// the compile fails with LLVM's message. Destructors between the two places do not run, so what
// LLVM was working on is leaked and its locks may stay taken; the compiler counts as broken from
// then on and is never entered again. std::bad_alloc, for which LLVM's code is not compiled, is
// taken for the same, and so is an allocation of libLLVM that fails (jit/allocation_points.h).
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_JIT_CONTAINMENT_H
#define SPECRT_JIT_CONTAINMENT_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace specrt {

/// Holds one sentence about a failure. Its size is fixed: it must not allocate when memory is out.
class Failure {
public:
  Failure() = default;
  explicit Failure(const char *Why) { set(Why); }

  void set(const char *Why);
  const char *c_str() const { return Text; }

  bool IsOfMemory = false; ///< there was none

private:
  char Text[512] = "";
};

/// Installs the handlers, unless they are. Call before the first compile. False when an abort in
/// libLLVM will end the process.
bool installContainment();

/// Runs \p Work on this thread. True when it came to its end; false when LLVM gave up, with LLVM's
/// message in \p Why. Throws nothing and allocates nothing. A fatal error on a thread that is not
/// inside runContained is the program's own use of libLLVM: it ends as it would without us.
bool runContained(llvm::function_ref<void()> Work, Failure &Why) noexcept;

/// For libLLVM's allocations: C code in it, above all isl, returns null where it gets none, which
/// its callers do not expect. Gives up the contained work of this thread; returns where there is
/// none.
void giveUpWithoutMemory();

} // namespace specrt

#endif
