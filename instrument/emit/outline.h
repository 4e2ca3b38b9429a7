//===- instrument/emit/outline.h - a loop nest becomes a function ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives a loop nest a second copy, in a function of its own, without losing what the surrounding
// function knows about its inputs: alignment, aliasing, value ranges. Versions are made from that
// copy's bitcode; no code is generated for it. The nest itself stays in place and must be compiled
// as if it had no copy.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_EMIT_OUTLINE_H
#define SPECRT_INSTRUMENT_EMIT_OUTLINE_H

#include "instrument/source/source_names.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace llvm {
class BasicBlock;
class BranchInst;
class CallInst;
class DISubprogram;
class Function;
class LoadInst;
class Loop;
} // namespace llvm

namespace specrt {

struct OutlinedRegion {
  /// Internal, never inlined. Returns the number of the exit, an enum specrt_left.
  llvm::Function *Body = nullptr;
  /// Stands for a call of Body in the parent, beside the nest. Its result is none, or the exit as
  /// an i1 or i16, from 0.
  llvm::CallInst *Call = nullptr;
  /// The branch in front of both: to the nest if its condition holds, which is a constant, and
  /// otherwise to Call.
  llvm::BranchInst *Choice = nullptr;
  /// These three lie in the nest in place. Entry is the block in front of its loops, Header that of
  /// the first loop; control leaves the nest through one of Exits, each with one successor.
  llvm::BasicBlock *Entry = nullptr, *Header = nullptr;
  llvm::SmallVector<llvm::BasicBlock *> Exits;
  /// Call arguments that the parent loads only for the call, in front of it. The nest in place does
  /// not write their memory, so they may be loaded again inside of it.
  llvm::SmallVector<llvm::LoadInst *> Loaded;
  /// The nest and its copy use the same memory, so that one can go on where the other was left.
  bool CanGoOnElsewhere = false;
  /// Of the arguments in the bitcode, and so part of the region's identity; "" where unknown.
  std::vector<std::string> ArgNames;
  /// What people read instead.
  std::vector<SourceValue> Args;
};

/// Outlines a copy of \p Loops, which refuseLoop() accepted, of which each is entered whenever the
/// one before it is left, as "<function>.specrt.<Number>", with \p JoinComdat in the comdat of its
/// parent. \p Writer: see sourceValue. On failure the function is still valid and computes the
/// same, and the error says why. All cached analyses of the function are invalidated either way.
llvm::Expected<OutlinedRegion> outlineLoops(llvm::ArrayRef<llvm::Loop *> Loops, unsigned Number,
                                            bool JoinComdat, const llvm::DISubprogram *Writer,
                                            llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
