//===- instrument/select/eligibility.h - code that cannot or should not be a region ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions return reasons, in plain words, why a function or a loop nest is not instrumented.
// -Rpass-missed=specrt prints them.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_SELECT_ELIGIBILITY_H
#define SPECRT_INSTRUMENT_SELECT_ELIGIBILITY_H

#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace llvm {
class BasicBlock;
class CallBase;
class Function;
class Instruction;
class Loop;
class LoopInfo;
class ScalarEvolution;
class TargetLibraryInfo;
} // namespace llvm

namespace specrt {

class Recursion;

/// A reason, and the instruction that it is about, if any. An empty Text means eligible.
struct Refusal {
  std::string Text;
  const llvm::Instruction *Where = nullptr;
  explicit operator bool() const { return !Text.empty(); }
};

/// The attribute of functions whose loops are all short (unprofitable.h), so that they may be part
/// of the nests that call them.
inline constexpr const char *ShortLoopsAttribute = "specrt-short-loops";
/// The attribute of functions with short loops that are part of a nest.
inline constexpr const char *PartOfNestAttribute = "specrt-part-of-nest";

/// Returns why no loop of \p F may be moved out of it; an empty reason if loops may be.
Refusal refuseFunction(const llvm::Function &F, const llvm::LoopInfo &LI);

/// Returns why \p Blocks, which are in a loop or between two, cannot be moved. \p Distant are calls
/// in them of functions that other files may define.
Refusal refuseBlocks(llvm::ArrayRef<llvm::BasicBlock *> Blocks, const Recursion &Calls,
                     llvm::ArrayRef<llvm::CallBase *> Distant);

/// Returns why \p L with all its inner loops cannot be moved, or would not pay as a region. \p
/// Distant are calls in it of functions that other files may define. If \p Requested, the user has
/// marked the function, and profit is not considered.
Refusal refuseLoop(const llvm::Loop &L, llvm::ScalarEvolution &SE, const Recursion &Calls,
                   llvm::ArrayRef<llvm::CallBase *> Distant, bool Requested);

/// Returns why the code of \p F, which may have loops, cannot be part of nests in other files.
Refusal refuseCallee(const llvm::Function &F, const llvm::TargetLibraryInfo &TLI);

} // namespace specrt

#endif
