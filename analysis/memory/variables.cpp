//===- analysis/memory/variables.cpp - values that may become constants later -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/memory/variables.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace specrt {
namespace {

/// The writes to an object.
struct Writes {
  SmallVector<const Value *> Values; ///< stored values
  bool HasConstants = false;         ///< constant bytes are also written
  bool HasOthers = false;            ///< there may be other writes
};

Writes findWrites(const Value &Object) {
  Writes Result;
  SmallSetVector<const Value *, 8> Addresses;
  Addresses.insert(&Object);
  for (size_t Next = 0; Next < Addresses.size(); ++Next)
    for (const Use &U : Addresses[Next]->uses()) {
      const User *By = U.getUser();
      if (isa<GEPOperator, PHINode, SelectInst>(By))
        Addresses.insert(By);
      else if (const auto *Store = dyn_cast<StoreInst>(By);
               Store && U.getOperandNo() == StoreInst::getPointerOperandIndex())
        Result.Values.push_back(Store->getValueOperand());
      else if (isa<MemSetInst>(By) || (isa<MemTransferInst>(By) && U.getOperandNo() == 0))
        Result.HasConstants = true;
      else if (!isa<LoadInst, ICmpInst, LifetimeIntrinsic, MemTransferInst>(By))
        Result.HasOthers = true;
    }
  return Result;
}

class Search {
public:
  Search(function_ref<bool(const PHINode &)> IsVariable, bool ForLTO, bool InArray = false)
      : IsVariable(IsVariable), ForLTO(ForLTO), InArray(InArray) {}
  bool reachesVariable(const Value *V) const;

private:
  bool isVariableItself(const Value *V) const;
  bool isVariableGlobal(const GlobalVariable &V) const;
  bool isVariableArray(const AllocaInst &Array) const;

  function_ref<bool(const PHINode &)> IsVariable;
  bool ForLTO;
  bool InArray; ///< follows values stored in an array; other arrays count as constant
};

bool Search::isVariableGlobal(const GlobalVariable &V) const {
  if (V.isConstant())
    return false;
  if (!ForLTO)
    return true;
  const Writes W = findWrites(V);
  return W.HasOthers || W.HasConstants || !W.Values.empty();
}

/// Returns whether elements of \p Array are variable: with constant subscripts, elements become
/// registers.
bool Search::isVariableArray(const AllocaInst &Array) const {
  const Writes W = findWrites(Array);
  if (W.HasOthers || !Array.isStaticAlloca())
    return true;
  const Search OfStored(IsVariable, ForLTO, /*InArray=*/true);
  return !InArray && !W.HasConstants &&
         all_of(W.Values, [&](const Value *Stored) { return OfStored.reachesVariable(Stored); });
}

bool Search::isVariableItself(const Value *V) const {
  if (const auto *Load = dyn_cast<LoadInst>(V)) {
    const Value *Object = getUnderlyingObject(Load->getPointerOperand(), 0);
    if (const auto *Global = dyn_cast<GlobalVariable>(Object))
      return isVariableGlobal(*Global);
    const auto *Array = dyn_cast<AllocaInst>(Object);
    return !Array || isVariableArray(*Array);
  }
  if (isa<Argument>(V))
    return !ForLTO || V->getType()->isPointerTy();
  return isa<CallBase>(V) && !isa<IntrinsicInst>(V);
}

bool Search::reachesVariable(const Value *V) const {
  SmallSetVector<const Value *, 16> From;
  From.insert(V);
  for (size_t Next = 0; Next < From.size(); ++Next) {
    const Value *Of = From[Next];
    const auto *Phi = dyn_cast<PHINode>(Of);
    if (isVariableItself(Of) || (Phi && IsVariable(*Phi)))
      return true;
    if (const auto *I = dyn_cast<Instruction>(Of))
      From.insert(I->op_begin(), I->op_end());
  }
  return false;
}

} // namespace

bool isVariable(const Value *V, function_ref<bool(const PHINode &)> IsVariable, bool ForLTO) {
  return Search(IsVariable, ForLTO).reachesVariable(V);
}

} // namespace specrt
