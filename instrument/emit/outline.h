//===- instrument/emit/outline.h - outlines a copy of a loop nest into a function -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies a loop nest into a function of its own and keeps what the surrounding function knows about
// its inputs: alignment, aliasing, value ranges. Versions are compiled from the bitcode of the
// copy, for which the compiler generates no code. The nest itself stays in place and must be
// compiled as if it had no copy.
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
  /// Internal, never inlined. Returns the number of the exit (enum specrt_left).
  llvm::Function *Body = nullptr;
  /// Represents a call of Body in the parent, beside the nest. Its result is void, or the number of
  /// the exit as i1 or i16, from 0.
  llvm::CallInst *Call = nullptr;
  /// The branch in front of both, with a constant condition: to the nest if true, otherwise to
  /// Call.
  llvm::BranchInst *Choice = nullptr;
  /// Blocks of the nest in place: Entry is the block in front of its loops, Header the header of
  /// the first loop. Control leaves the nest through one of Exits, each of which has one successor.
  llvm::BasicBlock *Entry = nullptr, *Header = nullptr;
  llvm::SmallVector<llvm::BasicBlock *> Exits;
  /// Arguments of Call that the parent loads only for Call, in front of it. The nest in place does
  /// not write their memory, so they may be loaded again inside of the nest.
  llvm::SmallVector<llvm::LoadInst *> Loaded;
  /// True if the nest and its copy use the same memory, so that the copy can continue a call that
  /// the nest has begun.
  bool CanGoOnElsewhere = false;
  /// Argument names in the bitcode, and so part of the region's identity; "" where unknown.
  std::vector<std::string> ArgNames;
  /// Argument names for people.
  std::vector<SourceValue> Args;
};

/// Outlines a copy of \p Loops as "<function>.specrt.<Number>", with \p JoinComdat in the comdat of
/// its parent. refuseLoop() must have accepted each loop, and each loop must be entered whenever
/// the one before it is left. \p Writer: see sourceValue. On failure, returns an error that says
/// why, and leaves the function valid and equivalent. Invalidates all cached analyses of the
/// function either way.
llvm::Expected<OutlinedRegion> outlineLoops(llvm::ArrayRef<llvm::Loop *> Loops, unsigned Number,
                                            bool JoinComdat, const llvm::DISubprogram *Writer,
                                            llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
