//===- specializer/polyhedral/kernel/function_emitter.h - loops and conditions in IR ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_KERNEL_FUNCTION_EMITTER_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_KERNEL_FUNCTION_EMITTER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace specrt {

/// Writes structured control flow over 64-bit integers into one function. Bodies are written by
/// callbacks; afterwards the builder stands behind the loop or condition.
class FunctionEmitter {
public:
  explicit FunctionEmitter(llvm::LLVMContext &Context) : B(Context) {}

protected:
  llvm::Value *number(int64_t N) { return B.getInt64(uint64_t(N)); }
  llvm::Value *minimum(llvm::Value *X, llvm::Value *Y) {
    return B.CreateBinaryIntrinsic(llvm::Intrinsic::smin, X, Y);
  }
  llvm::Value *maximum(llvm::Value *X, llvm::Value *Y) {
    return B.CreateBinaryIntrinsic(llvm::Intrinsic::smax, X, Y);
  }
  /// for (V = Begin; V < End; V += Step) Body(V)
  void loop(llvm::Value *Begin, llvm::Value *End, llvm::Value *Step, const llvm::Twine &Name,
            llvm::function_ref<void(llvm::Value *)> Body);
  /// Like loop, but the body runs at least once and replaces \p Carried by what the next iteration
  /// starts with. Afterwards those are the values of the last one: they stay in registers.
  void reduce(llvm::Value *Begin, llvm::Value *End, int64_t Step,
              llvm::MutableArrayRef<llvm::Value *> Carried, const llvm::Twine &Name,
              llvm::function_ref<void(llvm::Value *)> Body);
  void when(llvm::Value *Condition, llvm::function_ref<void()> Then,
            llvm::function_ref<void()> Else = nullptr);

  llvm::IRBuilder<> B;
  llvm::Function *F = nullptr; ///< set before the first loop
  /// Loops are final: LLVM shall neither unroll nor vectorise them.
  bool KeepsLoops = false;
};

} // namespace specrt

#endif
