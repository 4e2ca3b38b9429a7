//===- jit/code/masked_stores.h - splits stores that LLVM 22 would make too wide ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_JIT_CODE_MASKED_STORES_H
#define SPECRT_JIT_CODE_MASKED_STORES_H

namespace llvm {
class Module;
}

namespace specrt {

/// Replaces masked stores with one known active lane, and selects that take one known lane, by
/// accesses of that element. Must be the last pass before code generation, for every module.
///
/// LLVM's code generator for x86 does the same to masked stores, but after it has combined the
/// store with a truncation of the stored vector. It then stores the element in its width before the
/// truncation and overwrites the bytes behind it (llvm/llvm-project issue 179489, fixed after LLVM
/// 22). Other masks, masked loads, compressing stores and scatters are not affected.
void splitMaskedStores(llvm::Module &M);

} // namespace specrt

#endif
