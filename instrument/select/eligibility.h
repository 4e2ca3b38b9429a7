//===- instrument/select/eligibility.h - what cannot or should not be a region ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reasons, in plain words, why a function or a loop nest is left alone. They are printed with
// -Rpass-missed=specrt.
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

/// A reason and the instruction it is about, if it is about one. An empty Text means: eligible.
struct Refusal {
  std::string Text;
  const llvm::Instruction *Where = nullptr;
  explicit operator bool() const { return !Text.empty(); }
};

/// The attribute of functions whose loops are all short (unprofitable.h), so that they may be part
/// of the nests that call them.
inline constexpr const char *ShortLoopsAttribute = "specrt-short-loops";
/// The attribute of those that are.
inline constexpr const char *PartOfNestAttribute = "specrt-part-of-nest";

/// Whether any loop of \p F may be moved out of it.
Refusal refuseFunction(const llvm::Function &F, const llvm::LoopInfo &LI);

/// Whether \p Blocks, which are in a loop or between two, can be moved, when \p Distant in them are
/// calls of functions that other files may define.
Refusal refuseBlocks(llvm::ArrayRef<llvm::BasicBlock *> Blocks, const Recursion &Calls,
                     llvm::ArrayRef<llvm::CallBase *> Distant);

/// Whether \p L with all its inner loops can be moved and may pay, when \p Distant in it are calls
/// of functions that other files may define. \p Requested: the user asked for it, so whether it
/// pays is not asked.
Refusal refuseLoop(const llvm::Loop &L, llvm::ScalarEvolution &SE, const Recursion &Calls,
                   llvm::ArrayRef<llvm::CallBase *> Distant, bool Requested);

/// Whether the code of \p F, which may have loops, can be part of nests in other files.
Refusal refuseCallee(const llvm::Function &F, const llvm::TargetLibraryInfo &TLI);

} // namespace specrt

#endif
