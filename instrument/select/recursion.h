//===- instrument/select/recursion.h - loops that call their own function -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region that is entered again while it runs keeps the frames of its stub, its thunk and
// libspecrt on the stack for every level, several times as much as the recursion itself needs. A
// deep recursion that fits the stack without libspecrt must still fit, so such loops are not made
// regions.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_SELECT_RECURSION_H
#define SPECRT_INSTRUMENT_SELECT_RECURSION_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class BasicBlock;
class CallBase;
class TargetLibraryInfo;
} // namespace llvm

namespace specrt {

/// The call graph of a module. It must be built before the first loop is moved.
class Recursion {
public:
  Recursion(const llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

  /// Returns the first call in \p Blocks through which their function may be entered again before
  /// it returns; null if there is none. \p Distant calls do not count: if these may do so,
  /// libspecrt is not called.
  const llvm::CallBase *findCall(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
                                 llvm::ArrayRef<llvm::CallBase *> Distant) const;

private:
  struct Callees {
    llvm::SmallSetVector<const llvm::Function *, 4> Known;
    bool HasUnknown = false; ///< calls unknown code, which may call back any function
  };
  static void add(Callees &To, const llvm::CallBase &Call, const llvm::TargetLibraryInfo &TLI);
  bool reaches(const Callees &From, const llvm::Function &F) const;

  llvm::FunctionAnalysisManager &FAM;
  llvm::DenseMap<const llvm::Function *, Callees> Graph;
};

} // namespace specrt

#endif
