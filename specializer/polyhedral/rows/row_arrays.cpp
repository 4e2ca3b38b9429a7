//===- specializer/polyhedral/rows/row_arrays.cpp - rows as a model and as memory ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/rows/row_arrays.h"
#include "specializer/polyhedral/rows/merged_values.h"
#include "specializer/polyhedral/rows/row_places.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {

static void writeByRows(const RowArray &Array, ScalarEvolution &SE) {
  SCEVExpander Expander(SE, "row");
  for (const RowAccess &Row : Array.Accesses) {
    IRBuilder<> B(Row.Access);
    Value *Indices[] = {
        Expander.expandCodeFor(Row.Row, B.getInt64Ty(), Row.Access->getIterator()),
        Expander.expandCodeFor(Row.Column, B.getInt64Ty(), Row.Access->getIterator())};
    Use &Pointer =
        Row.Access->getOperandUse(isa<LoadInst>(Row.Access) ? LoadInst::getPointerOperandIndex()
                                                            : StoreInst::getPointerOperandIndex());
    // Not in bounds: there is no such object.
    auto *Type = ArrayType::get(getLoadStoreType(Row.Access), uint64_t(Array.Pitch));
    Pointer.set(B.CreateGEP(Type, Array.Base, Indices));
  }
}

/// What computed the addresses before.
static void removeUnused(Value *Base) {
  SmallVector<WeakTrackingVH, 8> Followed{Base}, Unused;
  for (size_t N = 0; N < Followed.size(); ++N)
    for (User *By : Followed[N]->users())
      if (isa<GetElementPtrInst, PHINode>(By) && !is_contained(Followed, By))
        Followed.push_back(By), Unused.push_back(By);
  for (const WeakTrackingVH &Pointer : Unused)
    if (auto *Phi = dyn_cast_or_null<PHINode>(Pointer))
      RecursivelyDeleteDeadPHINode(Phi);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Unused);
}

static void invalidateValues(Function &F, FunctionAnalysisManager &FAM) {
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  FAM.invalidate(F, Kept);
}

SmallVector<RowArray, 2> writeByRows(Function &F, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  if (!hasCurvedSubscripts(F, FAM.getResult<ScalarEvolutionAnalysis>(F), LI))
    return {};
  if (computeMergedValues(F, FAM.getResult<DominatorTreeAnalysis>(F)))
    invalidateValues(F, FAM);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  SmallVector<RowArray, 2> Arrays = findRowArrays(F, SE, LI);
  for (const RowArray &Array : Arrays)
    writeByRows(Array, SE);
  for (const RowArray &Array : Arrays)
    removeUnused(Array.Base);
  if (!Arrays.empty())
    invalidateValues(F, FAM);
  return Arrays;
}

bool placeRows(Function &F, FunctionAnalysisManager &FAM, ArrayRef<RowArray> Arrays) {
  return all_of(Arrays, [&](const RowArray &Array) {
    return !Array.Base || RowPlaces(Array, FAM).placeAll(F, *Array.Base);
  });
}

} // namespace specrt
