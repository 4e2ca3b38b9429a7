//===- specializer/sparse/table_code.h - executes rows by a table ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_TABLE_CODE_H
#define SPECRT_SPECIALIZER_SPARSE_TABLE_CODE_H

#include "specializer/sparse/loops/row_loop.h"
#include "llvm/IR/IRBuilder.h"

namespace specrt {

/// Emits code that executes tables of one loop, by one thread or by several, as its record says at
/// run time.
class TableCode {
public:
  /// \p Runner: see buildRunner. \p MayShare: whether several threads may. \p Rows must outlive
  /// this object.
  TableCode(const RowLoop &Rows, llvm::GlobalVariable &SparseLoop, llvm::Function &Runner,
            bool MayShare)
      : Rows(Rows), SparseLoop(SparseLoop), Runner(Runner), MayShare(MayShare) {}

  /// Emits code at \p B, which stands at the end of a block, and leaves it at the end of one. The
  /// inputs are available as values, and packed in \p Words.
  void run(llvm::IRBuilder<> &B, llvm::Value *Words, llvm::Value *Table);
  /// Emits the same code where the inputs are only available in \p Words.
  void runPacked(llvm::IRBuilder<> &B, llvm::Value *Words, llvm::Value *Table);

private:
  void choose(llvm::IRBuilder<> &B, llvm::Value *Words, llvm::Value *Table,
              llvm::function_ref<void()> Alone);
  void runInParallel(llvm::IRBuilderBase &B, llvm::Value *Words, llvm::Value *Table);
  llvm::Function &segments();
  llvm::Function &worker();

  const RowLoop &Rows;
  llvm::GlobalVariable &SparseLoop;
  llvm::Function &Runner;
  const bool MayShare;
  llvm::Function *Segments = nullptr, *Worker = nullptr; ///< null: not yet built
};

} // namespace specrt

#endif
