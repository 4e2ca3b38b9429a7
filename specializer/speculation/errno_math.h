//===- specializer/speculation/errno_math.h - frees math functions from errno -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sqrt is an instruction, but becomes a call if the program may read errno, and calls prevent
// models of a loop nest. For sqrt, errno depends on one bit: whether any argument was negative. So
// roots become instructions, a local flag records negative arguments, and errno is set before the
// function returns.
//
// exp and similar functions stay calls. If nothing else accesses errno, its final value does not
// depend on their order: each leaves it unchanged or sets it to ERANGE. Other functions, such as
// log and pow, set it to different values. Then the last call that sets it matters, and threads may
// execute the calls if each takes consecutive iterations.
//
// The loop itself may access errno without a call: LLVM hoists the call that returns its address
// out of loops, so any pointer to int from outside may point to it.
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

/// Returns whether this load or store may access errno. Returns false for members of structures,
/// for anything but integers of at most the size of an int, and for named variables.
bool mayAccessErrno(const llvm::Instruction &LoadOrStore);

/// Returns whether \p I is a call that may change errno.
bool setsErrno(const llvm::Instruction &I);

/// Returns whether \p Call is a call of the C library's sqrt or sqrtf, which leaves errno unchanged
/// or sets it to EDOM.
bool isRoot(const llvm::CallInst &Call);

/// Returns whether \p Call is a call of a C library function that, like exp, leaves errno unchanged
/// or sets it to ERANGE.
bool reportsRangeOnly(const llvm::CallInst &Call);

/// Returns what \p F accesses through arguments; guards can compare these ranges with errno.
AccessSummary accessesThroughArguments(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Bases in an AccessSummary whose ranges must not contain errno.
using BasesBesideErrno = llvm::SmallSetVector<const BaseAccesses *, 4>;

/// Rewrites the calls of sqrt and sqrtf in \p F that may set errno. Returns their number. Returns 0
/// and does not change \p F if \p F may access errno in another way (mayAccessErrno, or another
/// call). Accesses through an argument to bytes that \p Accesses knows are allowed and added to \p
/// Others. After a call of \p F, errno has the same value as after the original.
unsigned replaceErrnoMath(llvm::Function &F, const AccessSummary &Accesses,
                          BasesBesideErrno &Others);

/// Returns whether \p Call is a call of a function of numbers that returns one, and has no effect
/// but to set errno.
bool setsErrnoOnly(const llvm::CallInst &Call);

/// Marks calls that only set errno (unordered_calls.h): if all report only ERANGE, they may be
/// reordered. Returns their number; returns 0 and leaves \p F unchanged if something else in it may
/// access errno.
unsigned freeErrnoMath(llvm::Function &F, const AccessSummary &Accesses, BasesBesideErrno &Others);

/// Applies both, with guards for accesses that might touch errno.
const Speculation &errnoMath();

} // namespace specrt

#endif
