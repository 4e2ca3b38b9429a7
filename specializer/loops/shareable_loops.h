//===- specializer/loops/shareable_loops.h - which loops threads share ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_LOOPS_SHAREABLE_LOOPS_H
#define SPECRT_SPECIALIZER_LOOPS_SHAREABLE_LOOPS_H

#include "specializer/polyhedral/parallel_loops.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/ValueHandle.h"
#include <string>

namespace llvm {
class BasicBlock;
class Loop;
} // namespace llvm

namespace specrt {

/// Numbers of loops that threads share.
struct SharedLoops {
  unsigned All = 0;
  unsigned Outermost = 0; ///< those that are in no other loop
};

/// The independent loops of a function, found before anything changes in them. The function has to
/// be in canonical form; share() leaves it so.
class ShareableLoops {
public:
  /// With \p MayTransform there are loops among them whose addresses an inspector has to look at,
  /// or that have to be split, and nothing may change in these before share().
  ShareableLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM, bool MayTransform);

  /// Looks for more: loops outside of all others that begin with one of \p Headers and of which a
  /// model shows that they are independent, with work arrays for each thread. isl may use
  /// \p MaxOperations for each array.
  void addModelled(const llvm::SmallPtrSetImpl<const llvm::BasicBlock *> &Headers,
                   unsigned long MaxOperations, llvm::function_ref<bool()> Expired);
  bool contains(const llvm::BasicBlock *Header) const;
  /// Why some loop is not among those that addModelled has added; "" if none is missing.
  const std::string &note() const { return Note; }

  /// Has threads share the loops for which \p Pays returns true.
  SharedLoops share(llvm::function_ref<bool(const llvm::Loop &)> Pays);

private:
  struct Shareable {
    llvm::BasicBlock *Header;
    llvm::WeakTrackingVH AreApart; ///< known in the preheader: the iterations are independent
    bool IsInspected;              ///< if an inspector says so, too
    bool HasSums;                  ///< which have to be split off
    llvm::SmallVector<WorkArray, 2> Arrays;
  };

  llvm::Function &F;
  llvm::FunctionAnalysisManager &FAM;
  llvm::SmallVector<Shareable, 4> Loops;
  std::string Note;
};

/// What became of the loops of a function.
struct SharingOutcome {
  SharedLoops Shared;
  unsigned NumWorthwhile = 0; ///< loops in no other one that have enough to do for threads
  std::string Note;           ///< why some loop is not shared; "": not known
};

/// Has threads share each loop of \p F that has enough to do. \p NsPerCall is what a call of the
/// original takes, 0 if that is not known. For the rest see addModelled().
SharingOutcome shareLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM, double NsPerCall,
                          unsigned long MaxOperations, llvm::function_ref<bool()> Expired);

} // namespace specrt

#endif
