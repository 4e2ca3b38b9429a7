//===- analysis/resumption.h - nests that can resume at any iteration -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If memory carries everything from one iteration of the outermost loop to the next, and scalars
// only count iterations, "the rest from iteration K on" is the same function with other initial
// values. This allows a version to take over from a running call of the original. The plugin checks
// it before it emits the test for handing over, and the specializer builds the rest; both use the
// same bitcode and count iterations from 0 at the loop's header.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ANALYSIS_RESUMPTION_H
#define SPECRT_ANALYSIS_RESUMPTION_H

#include <cstdint>

namespace llvm {
class Function;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

/// Returns the only outermost loop of \p F, if the code before it neither accesses memory nor
/// allocates any, and each scalar that it carries is an affine function of the iteration number;
/// otherwise null.
llvm::Loop *findResumableLoop(llvm::Function &F, llvm::LoopInfo &LI, llvm::ScalarEvolution &SE);

/// Returns whether resumeAt() can make \p L end anywhere: only its latch leaves it, the number of
/// its iterations is known when it begins, and its function returns nothing or a constant.
bool canLimitIterations(const llvm::Loop &L, llvm::ScalarEvolution &SE);

/// Makes \p L, which findResumableLoop() returned, begin with iteration \p First and, unless \p End
/// is 0, end before iteration \p End, if it does not end earlier. \p End is greater than \p First
/// and requires canLimitIterations(). Where that holds, a call in which there is no iteration \p
/// First does nothing; otherwise such a call is undefined. Analyses of the function are invalid
/// afterwards.
void resumeAt(llvm::Loop &L, llvm::ScalarEvolution &SE, uint64_t First, uint64_t End = 0);

} // namespace specrt

#endif
