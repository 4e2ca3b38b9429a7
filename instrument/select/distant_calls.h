//===- instrument/select/distant_calls.h - calls of functions in other files ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function of another file does is not known here, but perhaps when the program is loaded:
// if that file is instrumented too, the code of its small functions is found by their addresses.
// Until then a nest may contain such calls, and where the code is not found it runs its original.
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

/// Whether the code of what \p Call reaches may be found in another file.
bool isDistantCall(const llvm::CallBase &Call, const llvm::TargetLibraryInfo &TLI);

/// The calls in \p L for which a nest is worth making: isDistantCall(), where either the call or
/// the nest handles floating-point numbers, and every innermost loop has some. Loops around calls
/// of other kinds abound, and few of them gain.
llvm::SmallVector<llvm::CallBase *> findDistantCalls(const llvm::Loop &L,
                                                     const llvm::TargetLibraryInfo &TLI);

/// The functions of \p M whose code nests of other files may use.
llvm::SmallVector<llvm::Function *> findDistantFunctions(llvm::Module &M,
                                                         llvm::FunctionAnalysisManager &FAM,
                                                         const Selection &Wanted,
                                                         const Rounding &Bits);

} // namespace specrt

#endif
