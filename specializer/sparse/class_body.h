//===- specializer/sparse/class_body.h - the rows of a class, straight on ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_CLASS_BODY_H
#define SPECRT_SPECIALIZER_SPARSE_CLASS_BODY_H

#include "specializer/sparse/row_loop.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace specrt {

/// Copies what a row executes, block after block, as the trace of a class says: branches and inner
/// loops disappear, but for opaque loops, and values that are known to be affine take the place of
/// the loads.
class ClassBody {
public:
  /// \p Outer maps the loop's inputs to values of the function that is built.
  ClassBody(const RowLoop &Rows, const llvm::LoopInfo &LI, const specrt_row_class &Class,
            const llvm::ValueToValueMapTy &Outer)
      : Rows(Rows), LI(LI), Class(Class), Outer(Outer) {}

  /// Does the trace lead from the beginning of a row to its end?
  bool fits();

  /// Appends a row to the block of \p B and leaves \p B where it ends. \p Row is its number, \p T
  /// its number in the segment, \p Origins [i] what entry i was in the segment's first row; both
  /// are i64.
  void build(llvm::IRBuilderBase &B, llvm::Value *Row, llvm::Value *T,
             llvm::ArrayRef<llvm::Value *> Origins);

private:
  struct Walk;
  bool walk(Walk &W);
  bool step(Walk &W, const llvm::BasicBlock *BB, const llvm::BasicBlock *&Next);
  const specrt_row_entry *take(Walk &W, uint32_t Kind) const;
  llvm::Value *affine(Walk &W, unsigned Entry, llvm::Type *Wanted) const;
  static bool storeNote(Walk &W, const llvm::Instruction &I);
  bool takeSource(Walk &W, const llvm::Instruction &Load, const specrt_row_entry *&Source) const;
  static llvm::Value *extended(const Walk &W, const llvm::Instruction &I);
  void mapHeader(Walk &W);
  const llvm::BasicBlock *copyOpaque(Walk &W, const llvm::Loop &Inner);

  const RowLoop &Rows;
  const llvm::LoopInfo &LI;
  const specrt_row_class &Class;
  const llvm::ValueToValueMapTy &Outer;
};

} // namespace specrt

#endif
