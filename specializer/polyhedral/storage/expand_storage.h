//===- specializer/polyhedral/storage/expand_storage.h - places for values ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scalar or a small array that every iteration of a loop uses anew ("sum = 0; ... ; x[i] = sum")
// forbids to run iterations side by side although no value passes between them. Here such storage
// gets further dimensions, one for each loop that its values do not leave. What the program can see
// afterwards is copied back. (Feautrier, "Array expansion".)
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_STORAGE_EXPAND_STORAGE_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_STORAGE_EXPAND_STORAGE_H

namespace polly {
class Scop;
}

namespace specrt {

/// Expands scalars of \p S by all loops their values stay in, and arrays that accumulate along one
/// dimension by as many as make a contraction with rows and columns of them. New arrays are marked
/// as on the heap; altogether they take at most MaxExpandedBytes. Dependences must be computed
/// afterwards. isl may use \p MaxOperations for each; one that needs more stays as it is. Returns
/// the number of expanded scalars and arrays.
unsigned expandStorage(polly::Scop &S, unsigned long MaxOperations);

inline constexpr long MaxExpandedBytes = 64L * 1024 * 1024;

} // namespace specrt

#endif
