//===- instrument/select/following_nests.h - nests that follow each other at a distance ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second stage of a filter needs some rows of the first one's results around each of its own,
// and the black points of a relaxation need red ones above and below. Such nests cannot be fused.
// In one region they may take turns: the second nest stays some rows behind the first, and the rows
// between them are in a cache.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_SELECT_FOLLOWING_NESTS_H
#define SPECRT_INSTRUMENT_SELECT_FOLLOWING_NESTS_H

namespace llvm {
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

/// Returns the nest that is entered whenever the nest \p L is left (findNextLoop()), if both go
/// through an array at the same speed, one of them writes it, and one accesses several rows of it
/// in an iteration. Returns null otherwise.
llvm::Loop *findFollowingNest(const llvm::Loop &L, const llvm::LoopInfo &LI,
                              llvm::ScalarEvolution &SE);

} // namespace specrt

#endif
