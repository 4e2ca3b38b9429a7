//===- specializer/polyhedral/kernel/function_emitter.h - loops and conditions in IR ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_KERNEL_FUNCTION_EMITTER_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_KERNEL_FUNCTION_EMITTER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace specrt {

/// Emits structured control flow over 64-bit integers into one function. Callbacks emit the bodies;
/// afterwards the builder stands behind the loop or condition.
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
  /// Emits for (V = Begin; V < End; V += Step) Body(V).
  void loop(llvm::Value *Begin, llvm::Value *End, llvm::Value *Step, const llvm::Twine &Name,
            llvm::function_ref<void(llvm::Value *)> Body);
  /// Like loop, but the body runs at least once and replaces \p Carried by the values for the next
  /// iteration. Afterwards \p Carried has the values of the last iteration. They stay in registers.
  void reduce(llvm::Value *Begin, llvm::Value *End, int64_t Step,
              llvm::MutableArrayRef<llvm::Value *> Carried, const llvm::Twine &Name,
              llvm::function_ref<void(llvm::Value *)> Body);
  void when(llvm::Value *Condition, llvm::function_ref<void()> Then,
            llvm::function_ref<void()> Else = nullptr);

  llvm::IRBuilder<> B;
  llvm::Function *F = nullptr; ///< set before the first loop
  /// Disables LLVM's unrolling and vectorisation of the loops.
  bool KeepsLoops = false;
};

} // namespace specrt

#endif
