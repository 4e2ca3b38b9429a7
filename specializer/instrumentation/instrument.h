//===- specializer/instrumentation/instrument.h - the instrumented version of a region ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recorded call shows what static analysis cannot determine about a nest: which addresses it
// accesses, and the integers and pointers that determine these. An instrumented version is not
// optimised for speed and is not a candidate; one call of the region runs it, and then it is
// discarded.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_INSTRUMENTATION_INSTRUMENT_H
#define SPECRT_SPECIALIZER_INSTRUMENTATION_INSTRUMENT_H

#include "guards/guard_list.h"
#include "specializer/instrumentation/recording_code.h"
#include "specializer/module/budget.h"
#include "specializer/module/dump.h"
#include "specrt/jit_api.h"
#include "llvm/IR/Module.h"
#include <memory>

namespace llvm {
class TargetMachine;
}

namespace specrt {

/// An instrumented version before code generation.
struct InstrumentedModule {
  std::unique_ptr<llvm::LLVMContext> Context;
  std::unique_ptr<llvm::Module> M;
  GuardList Guards; ///< guards of its results, in the order in which they must be checked
  RecordedFunction Recorded;
  unsigned NumRowLoops = 0;
};

/// Builds the region of \p Request, with the same results bit for bit, and code that writes to \p
/// Into. Only region, fp_mode and dump_directory of the request matter.
llvm::Expected<InstrumentedModule> instrument(const specrt_jit_request &Request,
                                              const specrt_recording &Into, llvm::TargetMachine &TM,
                                              CompileBudget &Budget, Dump &Files);

} // namespace specrt

#endif
