//===- specializer/polyhedral/ragged/element_addresses.h - addresses by row and column ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_RAGGED_ELEMENT_ADDRESSES_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_RAGGED_ELEMENT_ADDRESSES_H

#include "specializer/polyhedral/ragged/quadratic_rows.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class DominatorTree;
class Loop;
class SCEV;
class SCEVAddRecExpr;
} // namespace llvm

namespace specrt {

/// Replaces addresses by row and column by real addresses. Addresses that are not accessed may have
/// any value, as computing them is only arithmetic.
class ElementAddresses {
public:
  /// \p Root is an address by row and column in \p F, \p Base the real begin of the array.
  ElementAddresses(const RaggedArray &Array, llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                   llvm::Value &Root, llvm::Value &Base);

  /// Replaces \p Access, an address derived from the root, in a load, store or similar instruction.
  void replace(llvm::Use &Access);

private:
  /// Row and position of an address by row and column.
  struct Split {
    llvm::Value *Row;                     ///< the argument of the row function
    llvm::Value *Inside;                  ///< bytes from the beginning of the row
    const llvm::SCEV *RowTerms = nullptr; ///< the row, if it is known as a sum
  };

  llvm::Instruction *after(llvm::Value *Address);
  llvm::Value *offset(llvm::Value *Address);
  Split split(llvm::IRBuilderBase &B, llvm::Value *Offset);
  Split splitBefore(llvm::Loop &L, const llvm::SCEVAddRecExpr &Offset);
  llvm::Value *place(llvm::IRBuilderBase &B, const Split &At, int64_t MoreRows);
  llvm::Value *rowPointer(llvm::IRBuilderBase &B, llvm::Value *Row, const llvm::SCEV *Terms);
  bool isCertainlyFirst(const llvm::Instruction &User, const llvm::Loop &L) const;
  llvm::Value *placeInLoop(llvm::Use &Access);
  llvm::Value *placeAcrossRows(llvm::Use &Access);
  llvm::Value *placeHere(llvm::Use &Access, Split At, int64_t MoreRows);
  llvm::Value *placeBeside(llvm::Use &Access);

  int64_t pitchBytes() const { return Array.Pitch * Array.ElementBytes; }

  const RaggedArray &Array;
  llvm::Value &Base;
  llvm::DominatorTree &DT;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  llvm::DenseMap<llvm::Value *, llvm::Instruction *> Nexts;
  llvm::DenseMap<llvm::Value *, llvm::Value *> Offsets;
  llvm::DenseMap<llvm::Value *, Split> Splits;
  llvm::DenseMap<std::pair<llvm::Value *, int64_t>, llvm::Value *> Places;
};

} // namespace specrt

#endif
