//===- specializer/sparse/inspect/run_prediction_code.h - emits run prediction ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inspector of a linear loop also records where deciding values were read and what branches
// compared (specrt_row_phase), so that libspecrt.so can tell it to skip rows.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_INSPECT_RUN_PREDICTION_CODE_H
#define SPECRT_SPECIALIZER_SPARSE_INSPECT_RUN_PREDICTION_CODE_H

#include "specializer/sparse/loops/row_loop.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace specrt {

/// The words that the inspector records for an entry besides its value.
struct RowOrigin {
  llvm::Value *Place = nullptr, *Other = nullptr; ///< null: nothing
};

/// Emits this code for \p Rows, which are linear. \p Map has the copies of their instructions.
class RunPredictionCode {
public:
  /// \p B stands at the begin of the inspector.
  RunPredictionCode(const RowLoop &Rows, const llvm::ValueToValueMapTy &Map, llvm::IRBuilderBase &B,
                    llvm::Value *Trace);

  /// Begins a row of phase \p OfPhase.
  void beginRow(llvm::Value *OfPhase) { Phase = OfPhase; }
  static RowOrigin ofCarried(llvm::IRBuilderBase &B, const llvm::PHINode &Phi);
  /// Returns the origin of \p Load, which reads from \p Address.
  RowOrigin ofLoad(llvm::IRBuilderBase &B, const llvm::Instruction &Load,
                   llvm::Value *Address) const;
  /// Returns the origin of \p Branch, an instruction of the original.
  RowOrigin ofBranch(llvm::IRBuilderBase &B, const llvm::BranchInst &Branch) const;
  void write(llvm::IRBuilderBase &B, llvm::Value *At, const RowOrigin &From) const;

  /// Emits, before \p Latch, the terminator of the copied loop's latch, the advance to the next
  /// row. Control comes from \p Passed if the row was not reported, or from \p Reported if it was
  /// and \p GoOn, an i32, is the result of row(). Gives the header the next row's values. Returns
  /// an i1 that is true if there is a next row.
  llvm::Value *goOn(llvm::BranchInst &Latch, llvm::Instruction &Passed, llvm::Instruction &Reported,
                    llvm::Value *GoOn);

private:
  const RowLoop &Rows;
  const llvm::ValueToValueMapTy &Map;
  llvm::Value *const Trace;
  llvm::AllocaInst *RowsLeft;
  llvm::Value *Phase = nullptr; ///< of the current row
};

} // namespace specrt

#endif
