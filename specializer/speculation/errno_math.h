//===- specializer/speculation/errno_math.h - mathematics that reports errors ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sqrt is an instruction, but a call where the program may look at errno, and a call ends every
// model of a loop nest. errno has one bit to tell: whether any argument was negative. So roots
// become instructions, a local flag remembers, and where the function returns errno is set.
//
// exp and its like stay calls. Where they are all that touches errno, its value in the end does not
// depend on their order: each leaves it alone or sets it to ERANGE.
//
// The loop itself may look at errno, and not only through a call: LLVM moves the call that tells
// its address out of loops, so that any int behind a pointer from outside may be it.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_ERRNO_MATH_H
#define SPECRT_SPECIALIZER_SPECULATION_ERRNO_MATH_H

#include "analysis/memory/access_ranges.h"
#include "specializer/speculation/speculation.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class CallInst;
class Instruction;
} // namespace llvm

namespace specrt {

/// May this load or store access errno? False for members of structures, for what is no integer of
/// an int's size or less, and for variables that have a name.
bool mayAccessErrno(const llvm::Instruction &LoadOrStore);

/// Is \p I a call that may change errno?
bool setsErrno(const llvm::Instruction &I);

/// Is \p Call one of the C library's sqrt or sqrtf? It leaves errno alone or sets it to EDOM.
bool isRoot(const llvm::CallInst &Call);

/// Is \p Call one of a function of the C library, like exp, that leaves errno alone or sets it to
/// ERANGE?
bool reportsRangeOnly(const llvm::CallInst &Call);

/// Returns what \p F accesses through arguments, which guards can compare with errno.
AccessSummary accessesThroughArguments(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Bases in an AccessSummary whose ranges must not contain errno.
using BasesBesideErrno = llvm::SmallSetVector<const BaseAccesses *, 4>;

/// Rewrites the calls of sqrt and sqrtf in \p F that may set errno. Returns their number. Returns 0
/// and does not change \p F if \p F may access errno in another way (mayAccessErrno, or another
/// call). Accesses through an argument to bytes that \p Accesses knows are allowed and added to \p
/// Others. After a call of \p F, errno has the same value as after the original.
unsigned replaceErrnoMath(llvm::Function &F, const AccessSummary &Accesses,
                          BasesBesideErrno &Others);

/// Lets calls of functions that report ERANGE and nothing else change places (unordered_calls.h).
/// Returns their number; 0, and \p F is unchanged, when something else in it may touch errno.
unsigned freeRangeMath(llvm::Function &F, const AccessSummary &Accesses, BasesBesideErrno &Others);

/// Applies both, with guards for accesses that might touch errno.
const Speculation &errnoMath();

} // namespace specrt

#endif
