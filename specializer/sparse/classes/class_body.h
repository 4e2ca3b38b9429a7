//===- specializer/sparse/classes/class_body.h - code for single rows of a class -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_CLASSES_CLASS_BODY_H
#define SPECRT_SPECIALIZER_SPARSE_CLASSES_CLASS_BODY_H

#include "specializer/sparse/classes/class_script.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace specrt {

/// Emits the code of a row: loads of values that are known to be affine become arithmetic.
class ClassBody {
public:
  /// \p Outer maps the loop's inputs to values of the function that is built.
  ClassBody(const RowLoop &Rows, const specrt_row_class &Class, const ClassScript &Script,
            const llvm::ValueToValueMapTy &Outer)
      : Rows(Rows), Class(Class), Script(Script), Outer(Outer) {}

  /// Appends a row to the block of \p B and leaves \p B at its end. \p Row is its number, \p T its
  /// number in the segment, \p Origins[i] the value of entry i in the segment's first row, all as
  /// i64.
  void build(llvm::IRBuilderBase &B, llvm::Value *Row, llvm::Value *T,
             llvm::ArrayRef<llvm::Value *> Origins);

private:
  llvm::Value *of(llvm::Value *V) const;
  llvm::Value *affine(llvm::IRBuilderBase &B, unsigned Entry, llvm::Type *Wanted);
  llvm::Value *extended(const llvm::Instruction &I) const;
  void mapHeader(llvm::IRBuilderBase &B, llvm::Value *Row);
  void mapPhis(const RowStep &Step);
  void copy(llvm::IRBuilderBase &B, const llvm::Instruction &I);
  void copyOpaque(llvm::IRBuilderBase &B, const llvm::Loop &Inner);
  llvm::ArrayRef<RowStep> jamOf(llvm::ArrayRef<RowStep> Steps) const;
  void executeJam(llvm::IRBuilderBase &B, llvm::ArrayRef<RowStep> Steps);
  void execute(llvm::IRBuilderBase &B, const RowStep &Step);

  const RowLoop &Rows;
  const specrt_row_class &Class;
  const ClassScript &Script;
  const llvm::ValueToValueMapTy &Outer;

  llvm::ValueToValueMapTy Map; ///< values known in the current row
  /// Sign-extended i64 versions of narrower values.
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Wide;
  llvm::SmallVector<llvm::Value *> Notes; ///< notes stored so far
  llvm::Value *T = nullptr;
  llvm::ArrayRef<llvm::Value *> Origins;
};

} // namespace specrt

#endif
