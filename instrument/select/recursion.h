//===- instrument/select/recursion.h - loops that call their own function -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region that is entered again while it runs keeps the frames of its stub, its thunk and
// libspecrt on the stack for every level: several times as much as the recursion itself. Deep ones
// that fit the stack without libspecrt must still fit, so such loops are not made regions.
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

/// Who calls whom in a module. Built before the first loop is moved, when stubs are still calls.
class Recursion {
public:
  Recursion(const llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

  /// The first call in \p Blocks of a function by which it may be entered again before it returns;
  /// null if there is none. \p Distant calls do not count: where they may do so, libspecrt is not
  /// called.
  const llvm::CallBase *findCall(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
                                 llvm::ArrayRef<llvm::CallBase *> Distant) const;

private:
  struct Callees {
    llvm::SmallSetVector<const llvm::Function *, 4> Known;
    bool HasUnknown = false; ///< calls what may call anything back
  };
  static void add(Callees &To, const llvm::CallBase &Call, const llvm::TargetLibraryInfo &TLI);
  bool reaches(const Callees &From, const llvm::Function &F) const;

  llvm::FunctionAnalysisManager &FAM;
  llvm::DenseMap<const llvm::Function *, Callees> Graph;
};

} // namespace specrt

#endif
