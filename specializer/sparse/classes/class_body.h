//===- specializer/sparse/classes/class_body.h - the rows of a class, one by one ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_CLASSES_CLASS_BODY_H
#define SPECRT_SPECIALIZER_SPARSE_CLASSES_CLASS_BODY_H

#include "specializer/sparse/classes/class_script.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace specrt {

/// Copies what a row executes. Values that are known to be affine take the place of the loads.
class ClassBody {
public:
  /// \p Outer maps the loop's inputs to values of the function that is built.
  ClassBody(const RowLoop &Rows, const specrt_row_class &Class, const ClassScript &Script,
            const llvm::ValueToValueMapTy &Outer)
      : Rows(Rows), Class(Class), Script(Script), Outer(Outer) {}

  /// Appends a row to the block of \p B and leaves \p B where it ends. \p Row is its number, \p T
  /// its number in the segment, \p Origins [i] what entry i was in the segment's first row; both
  /// are i64.
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

  llvm::ValueToValueMapTy Map; ///< what is known in the row that is built
  /// Narrow values as i64, sign-extended.
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Wide;
  llvm::SmallVector<llvm::Value *> Notes; ///< stored so far
  llvm::Value *T = nullptr;
  llvm::ArrayRef<llvm::Value *> Origins;
};

} // namespace specrt

#endif
