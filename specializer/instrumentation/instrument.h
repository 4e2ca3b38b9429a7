//===- specializer/instrumentation/instrument.h - the instrumented version of a region ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What static analysis cannot tell of a nest, a call shows: which addresses it accesses, and what
// the integers and pointers are that decide about them. An instrumented version is neither fast nor
// a candidate: one call of the region runs it, and it is gone.
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

/// Before code generation.
struct InstrumentedModule {
  std::unique_ptr<llvm::LLVMContext> Context;
  std::unique_ptr<llvm::Module> M;
  GuardList Guards; ///< what its results rely on, in the order in which they must be checked
  RecordedFunction Recorded;
  unsigned NumRowLoops = 0;
};

/// The region of \p Request, with the same results bit for bit, and code that writes to \p Into. Of
/// the request only region, fp_mode and dump_directory matter.
llvm::Expected<InstrumentedModule> instrument(const specrt_jit_request &Request,
                                              const specrt_recording &Into, llvm::TargetMachine &TM,
                                              CompileBudget &Budget, Dump &Files);

} // namespace specrt

#endif
