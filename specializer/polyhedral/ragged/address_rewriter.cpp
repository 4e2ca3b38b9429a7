//===- specializer/polyhedral/ragged/address_rewriter.cpp - restores element addresses ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/ragged/address_rewriter.h"
#include "specializer/polyhedral/parallel_start.h"
#include "specializer/polyhedral/ragged/element_addresses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace specrt {

/// The uses of addresses that are derived from one.
struct AddressRewriter::Uses {
  SmallVector<Use *, 16> Accesses; ///< as the address of an access
  SmallVector<Use *, 1> Stored;    ///< the address itself, stored into the data of a parallel loop
  SmallMapVector<CallInst *, SmallVector<unsigned, 2>, 4> Calls; ///< arguments of these
  SmallVector<WeakTrackingVH, 16> Derived;

  bool collect(const RaggedArray &Array, Value &Root, bool RootIsBase);

private:
  bool add(const RaggedArray &Array, Use &U, bool IsBase);
};

/// Returns whether \p U is the address that an intrinsic accesses.
static bool isAddressOf(const IntrinsicInst &Intrinsic, const Use &U) {
  switch (Intrinsic.getIntrinsicID()) {
  case Intrinsic::prefetch:
  case Intrinsic::masked_load:
    return U.getOperandNo() == 0;
  case Intrinsic::masked_store:
    return U.getOperandNo() == 1;
  default:
    return false;
  }
}

bool AddressRewriter::Uses::add(const RaggedArray &Array, Use &U, bool IsBase) {
  User *By = U.getUser();
  if (isa<GetElementPtrInst>(By)) {
    Derived.push_back(By);
    return U.getOperandNo() == GetElementPtrInst::getPointerOperandIndex();
  }
  if (isa<LoadInst>(By)) {
    Accesses.push_back(&U);
    return true;
  }
  if (isa<StoreInst>(By)) {
    const bool IsAddress = U.getOperandNo() == StoreInst::getPointerOperandIndex();
    if (IsAddress)
      Accesses.push_back(&U);
    else
      Stored.push_back(&U);
    return IsAddress || IsBase;
  }
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(By)) {
    Accesses.push_back(&U);
    // Masked accesses of planes are not supported: if no lane is active, no existing row is known.
    return isAddressOf(*Intrinsic, U) &&
           (Array.Pointers.size() < 2 || Intrinsic->getIntrinsicID() == Intrinsic::prefetch);
  }
  auto *Call = dyn_cast<CallInst>(By);
  if (!Call || !Call->isArgOperand(&U))
    return false;
  Calls[Call].push_back(Call->getArgOperandNo(&U));
  return true;
}

bool AddressRewriter::Uses::collect(const RaggedArray &Array, Value &Root, bool RootIsBase) {
  for (Use &U : Root.uses())
    if (!add(Array, U, RootIsBase))
      return false;
  for (size_t N = 0; N < Derived.size(); ++N)
    for (Use &U : Derived[N]->uses())
      if (!add(Array, U, /*IsBase=*/false))
        return false;
  return true;
}

bool AddressRewriter::place(Function &F, Value &Root, Value &Base) {
  Uses Found;
  if (!Found.collect(Array, Root, &Root == &Base))
    return false;
  {
    ElementAddresses Addresses(Array, F, FAM, Root, Base);
    for (Use *U : Found.Accesses)
      Addresses.replace(*U);
  }
  for (Use *U : Found.Stored)
    if (!placeInBody(*U))
      return false;
  for (const auto &[Call, Arguments] : Found.Calls)
    if (!placeInCallee(*Call, Arguments, Base))
      return false;
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Found.Derived);
  FAM.invalidate(F, PreservedAnalyses::none());
  return true;
}

/// Returns the bytes between \p Pointer and \p From; nothing if that is not a constant.
static std::optional<int64_t> distance(const Value &Pointer, const Value &From,
                                       const DataLayout &Layout) {
  APInt Offset(64, 0);
  const Value *Root = Pointer.stripAndAccumulateConstantOffsets(Layout, Offset,
                                                                /*AllowNonInbounds=*/true);
  return Root == &From ? std::optional(Offset.getSExtValue()) : std::nullopt;
}

/// Handles a base that was stored into the data of a parallel loop, whose body loads it from there.
bool AddressRewriter::placeInBody(Use &Stored) {
  auto &Store = *cast<StoreInst>(Stored.getUser());
  const DataLayout &Layout = Store.getDataLayout();
  auto *Data = dyn_cast<AllocaInst>(getUnderlyingObject(Store.getPointerOperand()));
  std::optional<int64_t> Offset =
      Data ? distance(*Store.getPointerOperand(), *Data, Layout) : std::nullopt;
  if (!Offset)
    return false;
  Function *Body = nullptr;
  for (const Use &U : Data->uses()) {
    auto *Call = dyn_cast<CallInst>(U.getUser());
    if (!Call) {
      if (!isa<GetElementPtrInst>(U.getUser()) && U.getUser() != &Store)
        if (auto *Other = dyn_cast<StoreInst>(U.getUser());
            !Other || Other->getPointerOperand() != Data)
          return false;
      continue;
    }
    if (isa<LifetimeIntrinsic>(Call))
      continue;
    Function *Callee = Call->getCalledFunction();
    if (isParallelStart(Callee))
      Callee = dyn_cast<Function>(Call->getArgOperand(0)->stripPointerCasts());
    if (!Callee || Callee->isDeclaration() || (Body && Body != Callee))
      return false;
    Body = Callee;
  }
  if (!Body || Body->arg_size() != 1)
    return false;
  SmallVector<LoadInst *, 2> Loads;
  for (BasicBlock &Block : *Body)
    for (Instruction &I : Block)
      if (auto *Load = dyn_cast<LoadInst>(&I))
        if (distance(*Load->getPointerOperand(), *Body->getArg(0), Layout) == Offset)
          Loads.push_back(Load);
  return all_of(Loads, [&](LoadInst *Load) { return place(*Body, *Load, *Load); });
}

/// Passes the base to a function that receives addresses.
bool AddressRewriter::placeInCallee(CallInst &Call, ArrayRef<unsigned> Arguments, Value &Base) {
  Function *Old = Call.getCalledFunction();
  if (!Old || Old->isDeclaration() || !Old->hasLocalLinkage() || !Old->hasOneUse() ||
      Old->isVarArg())
    return false;
  SmallVector<Type *, 16> Types(Old->getFunctionType()->params());
  Types.push_back(Base.getType());
  Function *New = Function::Create(FunctionType::get(Old->getReturnType(), Types, false),
                                   Old->getLinkage(), Old->getAddressSpace(), "", Old->getParent());
  New->copyAttributesFrom(Old);
  New->copyMetadata(Old, 0);
  New->takeName(Old);
  New->splice(New->begin(), Old);
  for (Argument &A : Old->args()) {
    A.replaceAllUsesWith(New->getArg(A.getArgNo()));
    New->getArg(A.getArgNo())->takeName(&A);
  }
  Argument *NewBase = New->getArg(Old->arg_size());
  SmallVector<Value *, 16> Passed(Call.args());
  Passed.push_back(&Base);
  CallInst *NewCall = CallInst::Create(New, Passed, "", Call.getIterator());
  NewCall->setCallingConv(Call.getCallingConv());
  NewCall->setDebugLoc(Call.getDebugLoc());
  NewCall->setAttributes(Call.getAttributes());
  Call.replaceAllUsesWith(NewCall);
  Call.eraseFromParent();
  FAM.clear(*Old, Old->getName());
  Old->eraseFromParent();
  return all_of(Arguments,
                [&](unsigned Number) { return place(*New, *New->getArg(Number), *NewBase); });
}

} // namespace specrt
