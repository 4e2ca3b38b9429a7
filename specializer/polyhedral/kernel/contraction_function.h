//===- specializer/polyhedral/kernel/contraction_function.h - the function around a kernel ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_KERNEL_CONTRACTION_FUNCTION_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_KERNEL_CONTRACTION_FUNCTION_H

#include "specializer/polyhedral/kernel/contraction_kernel.h"
#include "specializer/polyhedral/kernel/function_emitter.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

namespace specrt {

/// Common base of all kernels: emits a function that receives the values it needs as arguments, and
/// computes operands at points of the iteration space.
class ContractionFunction : protected FunctionEmitter {
protected:
  ContractionFunction(const Contraction &C, const ContractionBlock &Outside,
                      const TilingTarget &Target, const llvm::Function &User,
                      llvm::IRBuilderBase &Caller);

  /// Creates the function; the builder stands in its empty entry block, and \c Block has the values
  /// inside of the function. See emitContraction for the arguments.
  void begin(BaseOf baseOf, UniformOf uniform);
  /// Calls the function.
  void finish();

  /// Returns the address of an access of the contraction at i = j = k = 0.
  llvm::Value *base(const LinearAddress &Address) { return inside(BaseOutside.lookup(&Address)); }
  /// Returns the address of an access of the contraction. Null coordinates count as zero.
  llvm::Value *address(const LinearAddress &Address, llvm::Value *I, llvm::Value *J,
                       llvm::Value *K);
  /// Returns \p V inside of the function if it is uniform in the block, otherwise null.
  llvm::Value *uniformAt(llvm::Value *V);
  /// Returns the value of an operand at one point.
  llvm::Value *scalarAt(llvm::Value *Operand, llvm::Value *I, llvm::Value *J, llvm::Value *K);
  /// Returns stack memory for \p Elements elements, valid until the function returns.
  llvm::Value *takeStack(int64_t Elements);
  /// Returns memory of this thread for \p Elements elements, null if there is none.
  llvm::Value *takeScratch(int64_t Elements);
  /// Frees all memory from takeScratch.
  void giveScratch();
  /// Returns the address of an element of a buffer.
  llvm::Value *place(llvm::Value *Buffer, llvm::Value *Index, int64_t Offset = 0);
  /// Accesses a vector in memory. Lanes outside of \p Mask, unless it is null, are zero or not
  /// written, and their memory is not accessed.
  llvm::Instruction *loadVector(unsigned Lanes, llvm::Value *From, llvm::Value *Mask);
  llvm::Instruction *storeVector(llvm::Value *Vector, llvm::Value *To, llvm::Value *Mask);
  /// Returns whether the operand is one load that is consecutive along k but not along j.
  bool isTransposed(llvm::Value *Operand) const;
  /// Copies such an operand: the value of column Js[l] in iteration \p K0 + k becomes element l + k
  /// * PerK of \p To, for k < \p Length. There are as many columns as a vector has lanes.
  void transposeInto(llvm::Value *Operand, llvm::ArrayRef<llvm::Value *> Js, llvm::Value *K0,
                     llvm::Value *Length, llvm::Value *To, int64_t PerK);
  /// Returns \p Lanes results, updated from \p Before. \p operand returns the vectors of operands,
  /// and null for other values.
  llvm::Value *update(unsigned Lanes, llvm::Value *Before,
                      llvm::function_ref<llvm::Value *(llvm::Value *)> operand);

  /// Calls \p each with the number, counted row by row, and the address of each of \p Height rows
  /// of \p Width vectors of \p Result, from row \p I0 and column \p J0 on, Lanes columns apart.
  void forVectors(const LinearAddress &Result, llvm::Value *I0, llvm::Value *J0, int64_t Height,
                  int64_t Width, llvm::function_ref<void(size_t, llvm::Value *)> each);
  /// Does the same for all addresses of the results.
  void forWrites(llvm::Value *I0, llvm::Value *J0, int64_t Height, int64_t Width,
                 llvm::function_ref<void(size_t, llvm::Value *)> each);

  const Contraction &C;
  const TilingTarget &Target;
  const llvm::Function &User;
  llvm::Type *Element;
  int64_t Bytes;          ///< of an element
  unsigned Lanes;         ///< of the widest vector
  ContractionBlock Block; ///< values inside of the function

private:
  void capture(llvm::Value *V);
  void captureAll(BaseOf baseOf, UniformOf uniform);
  void createFunction();
  /// Returns the function's argument for a value of the caller.
  llvm::Value *inside(llvm::Value *V) {
    return llvm::isa<llvm::Constant>(V) ? V : Arguments.lookup(V);
  }

  const ContractionBlock &Outside;
  llvm::IRBuilderBase &Caller;
  llvm::SmallSetVector<llvm::Value *, 16> Captured;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Arguments; ///< by the value of the caller
  /// By the value in the statement.
  llvm::DenseMap<const llvm::Value *, llvm::Value *> UniformValue;
  llvm::DenseMap<const LinearAddress *, llvm::Value *> BaseOutside;
  llvm::SmallVector<llvm::Value *, 1> Scratch;
};

} // namespace specrt

#endif
