//===- specializer/loops/distribution/chosen_addresses.h - data that choose among addresses ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_LOOPS_DISTRIBUTION_CHOSEN_ADDRESSES_H
#define SPECRT_SPECIALIZER_LOOPS_DISTRIBUTION_CHOSEN_ADDRESSES_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class DominatorTree;
class LoadInst;
class Loop;
class LoopInfo;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace specrt {

/// Returns whether \p Load reads only memory that its loop inside \p L reads in any case, in this
/// iteration or in earlier ones, although data choose the address. An example is the best element
/// so far, which is compared with each next one:
///
///   for (c = 1; c < n; ++c)
///     if (distance(p, x[c]) < distance(p, x[best]))
///       best = c;
///
/// The loop reads x[c] in each iteration and x[0] in the first one. So whatever the comparisons
/// say, x[best] may be read. \p IsCertain returns whether a value is what it is in the source.
bool readsWhatIsReadAnyway(const llvm::LoadInst &Load, const llvm::Loop &L,
                           llvm::function_ref<bool(const llvm::Value &)> IsCertain,
                           const llvm::LoopInfo &LI, const llvm::DominatorTree &DT,
                           llvm::ScalarEvolution &SE);

} // namespace specrt

#endif
