//===- specializer/sparse/table_code.h - rows done as a table says --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_TABLE_CODE_H
#define SPECRT_SPECIALIZER_SPARSE_TABLE_CODE_H

#include "specializer/sparse/loops/row_loop.h"
#include "llvm/IR/IRBuilder.h"

namespace specrt {

/// Has tables of one loop done, by one thread or by several, as its site says when they are.
class TableCode {
public:
  /// \p Runner: see buildRunner. \p MayShare: threads may. \p Rows is used as long as this is.
  TableCode(const RowLoop &Rows, llvm::GlobalVariable &Site, llvm::Function &Runner, bool MayShare)
      : Rows(Rows), Site(Site), Runner(Runner), MayShare(MayShare) {}

  /// Adds code where \p B stands, at the end of a block, and leaves it at the end of one. The
  /// inputs are where the loop begins, and packed in \p Words.
  void run(llvm::IRBuilder<> &B, llvm::Value *Words, llvm::Value *Table);
  /// The same where the inputs are in \p Words only.
  void runPacked(llvm::IRBuilder<> &B, llvm::Value *Words, llvm::Value *Table);

private:
  void choose(llvm::IRBuilder<> &B, llvm::Value *Words, llvm::Value *Table,
              llvm::function_ref<void()> Alone);
  void runInParallel(llvm::IRBuilderBase &B, llvm::Value *Words, llvm::Value *Table);
  llvm::Function &segments();
  llvm::Function &worker();

  const RowLoop &Rows;
  llvm::GlobalVariable &Site;
  llvm::Function &Runner;
  const bool MayShare;
  llvm::Function *Segments = nullptr, *Worker = nullptr; ///< null: not made yet
};

} // namespace specrt

#endif
