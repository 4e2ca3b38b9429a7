//===- specializer/polyhedral/storage/independent_loops.h - parallel loops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For bodies with hundreds of accesses it takes too long to compute which read gets which value.
// The order of the source needs less: whether two iterations of an outermost loop access the same
// element of an array and one of them writes it.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_STORAGE_INDEPENDENT_LOOPS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_STORAGE_INDEPENDENT_LOOPS_H

#include "llvm/ADT/SmallPtrSet.h"
#include <string>

namespace llvm {
class Loop;
}
namespace polly {
class Scop;
}

namespace specrt {

using LoopSet = llvm::SmallPtrSet<const llvm::Loop *, 4>;

/// Returns the outermost loops of \p S of which no iteration writes an element of an array that
/// another one accesses. isl may use \p MaxOperations; loops for which it needs more are missing.
/// Sets \p Shared to the name of an array that makes another loop serial; "" if there is none.
LoopSet independentLoops(polly::Scop &S, unsigned long MaxOperations, std::string &Shared);

} // namespace specrt

#endif
