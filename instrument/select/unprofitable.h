//===- instrument/select/unprofitable.h - nests that no version can help --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Watching a nest costs little, but not nothing, and what is compiled for it in vain costs more. So
// nests are left alone whose work no version can do otherwise: those that run fewer instructions
// than a call through their slot takes, whose numbers only follow from each other, that move texts
// and keys.
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

/// Returns whether the nest takes about a microsecond at most, whatever its inputs are.
bool isShort(const llvm::Loop &L, llvm::ScalarEvolution &SE);

/// Why no version of the nest can pay; "" when one may.
std::string whyUnprofitable(const llvm::Loop &L, llvm::ScalarEvolution &SE);

} // namespace specrt

#endif
