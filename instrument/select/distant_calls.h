//===- instrument/select/distant_calls.h - calls of functions in other files ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugin does not know what a function of another file does, but libspecrt may know when the
// program is loaded: if that file is instrumented too, the code of its small functions is found by
// their addresses. So a nest may contain such calls. If the code of one is not found, the nest runs
// its original.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_SELECT_DISTANT_CALLS_H
#define SPECRT_INSTRUMENT_SELECT_DISTANT_CALLS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class CallBase;
class Function;
class Loop;
class TargetLibraryInfo;
} // namespace llvm

namespace specrt {

class Rounding;
class Selection;

/// Returns whether the code of the callee of \p Call may be found in another file.
bool isDistantCall(const llvm::CallBase &Call, const llvm::TargetLibraryInfo &TLI);

/// Returns the calls in \p L for which isDistantCall() holds, if they make \p L worth being a
/// region: some instruction of \p L handles floating-point numbers, and every innermost loop
/// contains such calls. Returns nothing otherwise: loops around calls of other kinds are frequent,
/// and few of them gain.
llvm::SmallVector<llvm::CallBase *> findDistantCalls(const llvm::Loop &L,
                                                     const llvm::TargetLibraryInfo &TLI);

/// Returns the functions of \p M whose code nests of other files may use.
llvm::SmallVector<llvm::Function *> findDistantFunctions(llvm::Module &M,
                                                         llvm::FunctionAnalysisManager &FAM,
                                                         const Selection &Wanted,
                                                         const Rounding &Bits);

} // namespace specrt

#endif
