//===- specializer/loops/loop_shape.h - canonical loops with counters -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_LOOPS_LOOP_SHAPE_H
#define SPECRT_SPECIALIZER_LOOPS_LOOP_SHAPE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"
#include <cstdint>

namespace llvm {
class AllocaInst;
class Instruction;
class Loop;
class LoopInfo;
class PHINode;
class SCEV;
class SCEVAddRecExpr;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

/// Brings the loops of \p F into canonical form (LoopSimplify and LCSSA) and forgets its analyses.
/// Does so even if the compile budget is used up, because callers rely on the form.
void simplifyLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Does the same as simplifyLoops(), then moves invariant code in front of loops and keeps memory
/// with invariant addresses in registers (LICM).
void hoistInvariants(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Returns whether \p Holds returns true for all accesses to \p Room and its address does not
/// escape. Computing an address is not an access.
bool areAllAccesses(const llvm::AllocaInst &Room,
                    llvm::function_ref<bool(const llvm::Instruction &)> Holds);

/// Returns whether \p L is in canonical form and left behind its latch only.
bool isLeftBehindLatch(const llvm::Loop &L);

/// Returns whether each cycle of blocks in \p L is a loop, which is entered at its header only.
bool isReducible(const llvm::Loop &L, const llvm::LoopInfo &LI);

/// Returns the number of backedges that \p L takes, an unsigned number of at most 64 bits that is
/// known when the loop begins. Returns null unless isLeftBehindLatch() and the number is known.
const llvm::SCEV *backedgesOf(const llvm::Loop &L, llvm::ScalarEvolution &SE);

/// Returns the number of iterations of \p L as an i64; null if backedgesOf() returns null.
const llvm::SCEV *tripsOf(const llvm::Loop &L, llvm::ScalarEvolution &SE);

/// The lower or upper end of the values that an expression has while loops run.
enum class Extreme : uint8_t { Least, Most };

/// Returns a bound of the values that \p S has in the iterations of the loops in \p Nest, or of all
/// loops if \p Nest is null. Assumes that S does not wrap. Returns null if S is not affine in the
/// counters, or if the sign of a step or a trip count is unknown.
const llvm::SCEV *boundOf(const llvm::SCEV *S, Extreme End, const llvm::Loop *Nest,
                          llvm::ScalarEvolution &SE);

/// Returns whether \p S can be computed before \p L begins.
bool isKnownBefore(const llvm::Loop &L, const llvm::SCEV *S, llvm::ScalarEvolution &SE);

/// Returns the recurrence Start + i * Step of \p Phi, a phi in the header of \p L, if it counts the
/// iterations of \p L with a Step that is known before; null if it does anything else, such as
/// counting a loop around \p L.
const llvm::SCEVAddRecExpr *counterOf(llvm::PHINode &Phi, const llvm::Loop &L,
                                      llvm::ScalarEvolution &SE);

} // namespace specrt

#endif
