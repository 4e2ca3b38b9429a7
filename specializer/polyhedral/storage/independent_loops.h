//===- specializer/polyhedral/storage/independent_loops.h - parallel loops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which value is read where takes too long to compute for bodies of hundreds of accesses. In the
// order of the source less is enough: do two iterations of an outermost loop touch the same
// element of an array, of which one writes it?
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
/// \p Shared becomes the name of an array that orders the iterations of some other loop; "" if
/// there is none.
LoopSet independentLoops(polly::Scop &S, unsigned long MaxOperations, std::string &Shared);

} // namespace specrt

#endif
