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

/// What all forms of a kernel share: a function of its own, to which the values that it needs are
/// passed, and the values of operands at a place of the iteration space.
class ContractionFunction : protected FunctionEmitter {
protected:
  ContractionFunction(const Contraction &C, const ContractionBlock &Outside,
                      const TilingTarget &Target, const llvm::Function &User,
                      llvm::IRBuilderBase &Caller);

  /// Creates the function; the builder stands in its empty entry block, \c Block has the values
  /// inside. See emitContraction for the arguments.
  void begin(BaseOf baseOf, UniformOf uniform);
  /// Calls the function.
  void finish();

  /// Of an access of the contraction, at i = j = k = 0.
  llvm::Value *base(const LinearAddress &Address) { return inside(BaseOutside.lookup(&Address)); }
  /// Of an access of the contraction. Null coordinates count as zero.
  llvm::Value *address(const LinearAddress &Address, llvm::Value *I, llvm::Value *J,
                       llvm::Value *K);
  /// \p V, which is the same everywhere in the block, or null when it is not.
  llvm::Value *uniformAt(llvm::Value *V);
  /// The value of an operand at one place.
  llvm::Value *scalarAt(llvm::Value *Operand, llvm::Value *I, llvm::Value *J, llvm::Value *K);
  /// Memory for so many elements, as long as the function runs.
  llvm::Value *takeStack(int64_t Elements);
  /// Memory of this thread for so many elements, null when there is none.
  llvm::Value *takeScratch(int64_t Elements);
  /// Ends the use of all that takeScratch has given.
  void giveScratch();
  /// The element of a buffer.
  llvm::Value *place(llvm::Value *Buffer, llvm::Value *Index, int64_t Offset = 0);
  /// A vector in memory. Lanes outside of \p Mask, unless that is null, are zero or not written,
  /// and their memory is not touched.
  llvm::Instruction *loadVector(unsigned Lanes, llvm::Value *From, llvm::Value *Mask);
  llvm::Instruction *storeVector(llvm::Value *Vector, llvm::Value *To, llvm::Value *Mask);
  /// Is the operand one load that is consecutive along k but not along j?
  bool isTransposed(llvm::Value *Operand) const;
  /// Copies such an operand: that of column Js[l] and the k-th of \p Length iterations from \p K0
  /// on becomes element l + k * PerK of \p To. There are as many columns as a vector has lanes.
  void transposeInto(llvm::Value *Operand, llvm::ArrayRef<llvm::Value *> Js, llvm::Value *K0,
                     llvm::Value *Length, llvm::Value *To, int64_t PerK);
  /// \p Lanes results after the update of \p Before. \p operand gives the vectors of the operands,
  /// and null for other values.
  llvm::Value *update(unsigned Lanes, llvm::Value *Before,
                      llvm::function_ref<llvm::Value *(llvm::Value *)> operand);

  /// Calls \p each for the addresses of \p Height rows of \p Width vectors of \p Result, from row
  /// \p I0 and column \p J0 on, Lanes apart. They are counted row by row.
  void forVectors(const LinearAddress &Result, llvm::Value *I0, llvm::Value *J0, int64_t Height,
                  int64_t Width, llvm::function_ref<void(size_t, llvm::Value *)> each);
  /// The same for all places of the results.
  void forWrites(llvm::Value *I0, llvm::Value *J0, int64_t Height, int64_t Width,
                 llvm::function_ref<void(size_t, llvm::Value *)> each);

  const Contraction &C;
  const TilingTarget &Target;
  const llvm::Function &User;
  llvm::Type *Element;
  int64_t Bytes;          ///< of an element
  unsigned Lanes;         ///< of the widest vector
  ContractionBlock Block; ///< the values inside

private:
  void capture(llvm::Value *V);
  void captureAll(BaseOf baseOf, UniformOf uniform);
  void createFunction();
  /// What a value of the caller is called in the function.
  llvm::Value *inside(llvm::Value *V) {
    return llvm::isa<llvm::Constant>(V) ? V : Arguments.lookup(V);
  }

  const ContractionBlock &Outside;
  llvm::IRBuilderBase &Caller;
  llvm::SmallSetVector<llvm::Value *, 16> Captured;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Arguments; ///< by the value outside
  /// By the value in the statement.
  llvm::DenseMap<const llvm::Value *, llvm::Value *> UniformValue;
  llvm::DenseMap<const LinearAddress *, llvm::Value *> BaseOutside;
  llvm::SmallVector<llvm::Value *, 1> Scratch;
};

} // namespace specrt

#endif
