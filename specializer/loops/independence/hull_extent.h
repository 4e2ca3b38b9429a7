//===- specializer/loops/independence/hull_extent.h - bounds of an access ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_LOOPS_INDEPENDENCE_HULL_EXTENT_H
#define SPECRT_SPECIALIZER_LOOPS_INDEPENDENCE_HULL_EXTENT_H

namespace llvm {
class DominatorTree;
class Instruction;
class Loop;
class LoopInfo;
class SCEV;
class SCEVExpander;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

/// Replaces the bounds for one iteration of \p Inner by those for all its iterations. Returns false
/// if they are not known when \p Inner begins.
bool leaveOut(const llvm::Loop &Inner, const llvm::SCEV *&Low, const llvm::SCEV *&High,
              llvm::ScalarEvolution &SE);

/// Returns the first place in an iteration of \p In where both bounds are known, behind loops
/// inside that compute them; null if there is none.
llvm::Instruction *placeFor(const llvm::SCEV *Low, const llvm::SCEV *High, const llvm::Loop &In,
                            const llvm::DominatorTree &DT, const llvm::LoopInfo &LI,
                            llvm::SCEVExpander &Expander);

} // namespace specrt

#endif
