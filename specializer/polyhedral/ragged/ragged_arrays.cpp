//===- specializer/polyhedral/ragged/ragged_arrays.cpp - ragged arrays in models ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/ragged/ragged_arrays.h"
#include "analysis/merged_values.h"
#include "specializer/polyhedral/ragged/address_rewriter.h"
#include "specializer/polyhedral/ragged/row_pointers.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {

static void writeAsRagged(const RaggedArray &Array, ScalarEvolution &SE) {
  SCEVExpander Expander(SE, "row");
  for (const RaggedAccess &Row : Array.Accesses) {
    IRBuilder<> B(Row.Access);
    SmallVector<Value *, 3> Indices;
    for (const SCEV *Index : Row.Rows)
      Indices.push_back(Expander.expandCodeFor(Index, B.getInt64Ty(), Row.Access->getIterator()));
    Indices.push_back(
        Expander.expandCodeFor(Row.Column, B.getInt64Ty(), Row.Access->getIterator()));
    Use &Pointer =
        Row.Access->getOperandUse(isa<LoadInst>(Row.Access) ? LoadInst::getPointerOperandIndex()
                                                            : StoreInst::getPointerOperandIndex());
    // Not inbounds, as there is no such object.
    Type *Type = ArrayType::get(getLoadStoreType(Row.Access), uint64_t(Array.Pitch));
    for (const RowPointers &Level :
         reverse(ArrayRef(Array.Pointers).drop_front(Array.Pointers.empty() ? 0 : 1)))
      Type = ArrayType::get(Type, uint64_t(Level.Count));
    Pointer.set(B.CreateGEP(Type, Array.Base, Indices));
  }
}

/// Removes the former computations of addresses.
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

/// Rewrites accesses behind row pointers, whose loads the model does not need.
static SmallVector<RaggedArray, 2> writeTables(Function &F, FunctionAnalysisManager &FAM) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  RowPointerFinder Tables(F, SE, FAM.getResult<LoopAnalysis>(F));
  SmallVector<RaggedArray, 2> Arrays = Tables.find();
  if (Arrays.empty())
    return Arrays;
  SmallVector<WeakTrackingVH, 16> Unused;
  for (const RaggedArray &Array : Arrays)
    for (const RaggedAccess &Row : Array.Accesses)
      Unused.push_back(getLoadStorePointerOperand(Row.Access));
  for (const RaggedArray &Array : Arrays)
    writeAsRagged(Array, SE);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Unused);
  invalidateValues(F, FAM);
  return Arrays;
}

SmallVector<RaggedArray, 2> writeAsRagged(Function &F, FunctionAnalysisManager &FAM) {
  SmallVector<RaggedArray, 2> Arrays = writeTables(F, FAM);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  if (!hasCurvedSubscripts(F, FAM.getResult<ScalarEvolutionAnalysis>(F), LI))
    return Arrays;
  if (computeMergedValues(F, FAM.getResult<DominatorTreeAnalysis>(F)))
    invalidateValues(F, FAM);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  SmallVector<RaggedArray, 2> Curved = findQuadraticRows(F, SE, LI);
  for (const RaggedArray &Array : Curved)
    writeAsRagged(Array, SE);
  for (const RaggedArray &Array : Curved)
    removeUnused(Array.Base);
  if (!Curved.empty())
    invalidateValues(F, FAM);
  Arrays.append(Curved);
  return Arrays;
}

bool restoreAddresses(Function &F, FunctionAnalysisManager &FAM, ArrayRef<RaggedArray> Arrays) {
  return all_of(Arrays, [&](const RaggedArray &Array) {
    return !Array.Base || AddressRewriter(Array, FAM).placeAll(F, *Array.Base);
  });
}

} // namespace specrt
