//===- jit/code/masked_stores.h - stores that LLVM 22 would make too wide -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_JIT_CODE_MASKED_STORES_H
#define SPECRT_JIT_CODE_MASKED_STORES_H

namespace llvm {
class Module;
}

namespace specrt {

/// Writes masked stores of which one known lane is active, and blends that take one known lane, as
/// what they are: one element. The last thing before code generation, for every module.
///
/// LLVM's code generator for x86 does the same to masked stores, but after it has combined the
/// store with a truncation of the stored vector, and then stores the element in its width before
/// the truncation: it overwrites what follows (llvm/llvm-project issue 179489, mended after LLVM
/// 22). Other masks, masked loads, compressing stores and scatters are not concerned.
void splitMaskedStores(llvm::Module &M);

} // namespace specrt

#endif
