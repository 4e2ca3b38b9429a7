//===- instrument/select/unprofitable.h - nests that no version can help --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Observing a nest costs a little, and versions compiled in vain cost more. So nests are not made
// regions if no version can improve them: nests that run fewer instructions than a call through
// their slot takes, nests whose numbers each depend on the previous one, and nests that process
// texts and keys.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_SELECT_UNPROFITABLE_H
#define SPECRT_INSTRUMENT_SELECT_UNPROFITABLE_H

#include <string>

namespace llvm {
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

/// Returns whether the nest takes at most about a microsecond for all inputs.
bool isShort(const llvm::Loop &L, llvm::ScalarEvolution &SE);

/// Returns why no version of the nest can pay; "" if one may.
std::string whyUnprofitable(const llvm::Loop &L, llvm::ScalarEvolution &SE);

} // namespace specrt

#endif
