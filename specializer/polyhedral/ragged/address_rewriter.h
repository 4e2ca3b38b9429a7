//===- specializer/polyhedral/ragged/address_rewriter.h - restores element addresses ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_RAGGED_ADDRESS_REWRITER_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_RAGGED_ADDRESS_REWRITER_H

#include "specializer/polyhedral/ragged/quadratic_rows.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class CallInst;
class Value;
} // namespace llvm

namespace specrt {

/// Follows the addresses into one ragged array through a function and its callees.
class AddressRewriter {
public:
  AddressRewriter(const RaggedArray &Array, llvm::FunctionAnalysisManager &FAM)
      : Array(Array), FAM(FAM) {}

  /// Replaces all addresses; \p Base is the array's base in \p F. See restoreAddresses.
  bool placeAll(llvm::Function &F, llvm::Value &Base) { return place(F, Base, Base); }

private:
  struct Uses;
  bool place(llvm::Function &F, llvm::Value &Root, llvm::Value &Base);
  bool placeInBody(llvm::Use &Stored);
  bool placeInCallee(llvm::CallInst &Call, llvm::ArrayRef<unsigned> Arguments, llvm::Value &Base);

  const RaggedArray &Array;
  llvm::FunctionAnalysisManager &FAM;
};

} // namespace specrt

#endif
