//===- specializer/sparse/inspect/leap_code.h - what lets an inspector leap over rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inspector of a linear loop also writes where what decides was read and what was compared
// (specrt_row_phase), and who listens may have it leap over rows.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_INSPECT_LEAP_CODE_H
#define SPECRT_SPECIALIZER_SPARSE_INSPECT_LEAP_CODE_H

#include "specializer/sparse/loops/row_loop.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace specrt {

/// What is written of an entry besides its value.
struct RowOrigin {
  llvm::Value *Place = nullptr, *Other = nullptr; ///< null: nothing
};

/// Of \p Rows, which are linear. \p Map has the copies of their instructions.
class LeapCode {
public:
  /// \p B stands where the inspector begins.
  LeapCode(const RowLoop &Rows, const llvm::ValueToValueMapTy &Map, llvm::IRBuilderBase &B,
           llvm::Value *Trace);

  /// A row of \p OfPhase begins.
  void beginRow(llvm::Value *OfPhase) { Phase = OfPhase; }
  static RowOrigin ofCarried(llvm::IRBuilderBase &B, const llvm::PHINode &Phi);
  /// \p Load reads what is at \p Address.
  RowOrigin ofLoad(llvm::IRBuilderBase &B, const llvm::Instruction &Load,
                   llvm::Value *Address) const;
  /// \p Branch, of the original, is executed.
  RowOrigin ofBranch(llvm::IRBuilderBase &B, const llvm::BranchInst &Branch) const;
  void write(llvm::IRBuilderBase &B, llvm::Value *At, const RowOrigin &From) const;

  /// Before \p Latch, the copy of the loop's, control comes from \p Passed, where nobody was told
  /// of the row, or from \p Told, where \p GoOn, an i32, is what row() has returned. The header
  /// gets what the row that comes next has. Is there one?
  llvm::Value *goOn(llvm::BranchInst &Latch, llvm::Instruction &Passed, llvm::Instruction &Told,
                    llvm::Value *GoOn);

private:
  const RowLoop &Rows;
  const llvm::ValueToValueMapTy &Map;
  llvm::Value *const Trace;
  llvm::AllocaInst *RowsLeft;
  llvm::Value *Phase = nullptr; ///< the row's
};

} // namespace specrt

#endif
