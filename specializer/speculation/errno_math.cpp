//===- specializer/speculation/errno_math.cpp - frees math functions from errno -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/speculation/errno_math.h"
#include "guards/disjoint.h"
#include "specializer/module/optimize.h"
#include "specializer/polyhedral/model/unordered_calls.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace specrt {
namespace {

/// Size of errno, an int.
constexpr uint64_t ErrnoBytes = 4;

bool isNamedMemory(const Value *Pointer) {
  const Value *Object = getUnderlyingObject(Pointer);
  return isa<AllocaInst>(Object) || isa<GlobalVariable>(Object);
}

/// Returns whether \p I accesses a member of a structure, according to TBAA.
bool isMember(const Instruction &I) {
  const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
  return Tag && Tag->getNumOperands() >= 3 && Tag->getOperand(0) != Tag->getOperand(1);
}

/// Returns whether \p I accesses memory that cannot be errno, or more bytes than an int.
bool missesErrno(const AnyMemIntrinsic &I) {
  unsigned Zeros = computeKnownBits(I.getLength(), I.getDataLayout()).countMinTrailingZeros();
  if (Zeros >= 63 || (uint64_t{1} << Zeros) > ErrnoBytes)
    return true;
  auto *Transfer = dyn_cast<AnyMemTransferInst>(&I);
  return isNamedMemory(I.getRawDest()) && (!Transfer || isNamedMemory(Transfer->getRawSource()));
}

/// Returns whether \p I may read or write errno or return its address, if no range of \p Others
/// contains errno. Adds the argument through which \p I accesses memory to \p Others if needed.
bool mayTouchErrno(Instruction &I, const AccessSummary &Accesses, BasesBesideErrno &Others) {
  if (auto *Memory = dyn_cast<AnyMemIntrinsic>(&I))
    return !missesErrno(*Memory);
  if (isa<IntrinsicInst>(I))
    return false;
  if (auto *Call = dyn_cast<CallBase>(&I))
    return !Call->doesNotAccessMemory() || Call->getType()->isPointerTy();
  if (isa<LoadInst, StoreInst>(I)) {
    if (!mayAccessErrno(I))
      return false;
    const auto *Base = find_if(Accesses.Bases, [&](const BaseAccesses &Each) {
      return Each.Base.kind == SPECRT_BASE_ARGUMENT && Each.isBounded() &&
             is_contained(Each.Instructions, &I);
    });
    const bool IsKnown = Base != Accesses.Bases.end();
    if (IsKnown)
      Others.insert(Base);
    return !IsKnown;
  }
  return I.mayReadOrWriteMemory();
}

/// Returns a function that calls \p Root with a negative number if its argument is not zero. It is
/// not inlined, because models of the loops would take a branch at their end for a part of them.
Function *errorReporter(Function &User, FunctionCallee Root) {
  LLVMContext &Context = User.getContext();
  IRBuilder<> B(Context);
  auto *Report =
      Function::Create(FunctionType::get(B.getVoidTy(), {B.getInt8Ty()}, false),
                       GlobalValue::InternalLinkage, User.getName() + ".errno", User.getParent());
  Report->addFnAttr(Attribute::NoInline);
  Report->setMemoryEffects(MemoryEffects::errnoMemOnly(ModRefInfo::Mod));
  Report->addFnAttr(Attribute::NoUnwind);
  auto *Entry = BasicBlock::Create(Context, "", Report);
  auto *Set = BasicBlock::Create(Context, "", Report);
  auto *End = BasicBlock::Create(Context, "", Report);
  B.SetInsertPoint(Entry);
  B.CreateCondBr(B.CreateIsNotNull(Report->getArg(0)), Set, End);
  B.SetInsertPoint(Set);
  // The optimizer keeps the call because it sets errno.
  B.CreateCall(Root, {ConstantFP::get(Root.getFunctionType()->getReturnType(), -1)});
  B.CreateBr(End);
  B.SetInsertPoint(End);
  B.CreateRetVoid();
  return Report;
}

} // namespace

bool isRoot(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->isIntrinsic() || !Callee->isDeclaration() || Call.isNoBuiltin() ||
      Call.isStrictFP() || Call.onlyReadsMemory() || Call.arg_size() != 1)
    return false;
  Type *T = Call.getType();
  if (T != Call.getArgOperand(0)->getType())
    return false;
  return (Callee->getName() == "sqrt" && T->isDoubleTy()) ||
         (Callee->getName() == "sqrtf" && T->isFloatTy());
}

// LLVM recognised the function when it derived its memory effects. nobuiltin of the call does not
// matter, because markUnordered() sets it.
bool reportsRangeOnly(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->isIntrinsic() || !Callee->isDeclaration() ||
      Callee->hasFnAttribute(Attribute::NoBuiltin) || Call.isStrictFP() || Call.arg_size() != 1 ||
      Call.use_empty() ||
      !Call.getMemoryEffects().getWithoutLoc(IRMemLocation::ErrnoMem).doesNotAccessMemory())
    return false;
  Type *T = Call.getType();
  if (T != Call.getArgOperand(0)->getType() || !(T->isDoubleTy() || T->isFloatTy()))
    return false;
  StringRef Name = Callee->getName();
  if (T->isFloatTy() && !Name.consume_back("f"))
    return false;
  return is_contained({"exp", "exp2", "expm1", "sinh", "cosh"}, Name);
}

bool mayAccessErrno(const Instruction &LoadOrStore) {
  Type *T = getLoadStoreType(&LoadOrStore);
  return T->isIntegerTy() && LoadOrStore.getDataLayout().getTypeStoreSize(T) <= ErrnoBytes &&
         !isMember(LoadOrStore) && !isNamedMemory(getLoadStorePointerOperand(&LoadOrStore));
}

bool setsErrno(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && isModSet(Call->getMemoryEffects().getModRef(IRMemLocation::ErrnoMem));
}

AccessSummary accessesThroughArguments(Function &F, FunctionAnalysisManager &FAM) {
  return computeAccesses(F, FAM.getResult<ScalarEvolutionAnalysis>(F),
                         FAM.getResult<LoopAnalysis>(F), /*AssumeNoWrap=*/false,
                         [](const GlobalValue &) { return std::nullopt; });
}

unsigned replaceErrnoMath(Function &F, const AccessSummary &Accesses, BasesBesideErrno &Others) {
  SmallVector<CallInst *, 4> Roots;
  SmallVector<ReturnInst *, 2> Returns;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (Call && isRoot(*Call))
      Roots.push_back(Call);
    else if (mayTouchErrno(I, Accesses, Others))
      return 0;
    else if (auto *Return = dyn_cast<ReturnInst>(&I))
      Returns.push_back(Return);
  }
  if (Roots.empty())
    return 0;
  FunctionCallee Library(Roots.front()->getFunctionType(), Roots.front()->getCalledFunction());
  IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
  AllocaInst *Flag = B.CreateAlloca(B.getInt8Ty(), nullptr, "domain.error");
  B.CreateStore(B.getInt8(0), Flag);
  for (CallInst *Root : Roots) {
    B.SetInsertPoint(Root);
    Value *X = Root->getArgOperand(0);
    Value *Negative = B.CreateFCmpOLT(X, ConstantFP::getZero(X->getType()));
    Value *Known = B.CreateLoad(B.getInt8Ty(), Flag);
    B.CreateStore(B.CreateOr(Known, B.CreateZExt(Negative, B.getInt8Ty())), Flag);
    auto *New = B.CreateUnaryIntrinsic(Intrinsic::sqrt, X, Root);
    Root->replaceAllUsesWith(New);
    Root->eraseFromParent();
  }
  Function *Report = errorReporter(F, Library);
  for (ReturnInst *Return : Returns) {
    B.SetInsertPoint(Return);
    B.CreateCall(Report, {B.CreateLoad(B.getInt8Ty(), Flag)});
  }
  return unsigned(Roots.size());
}

bool setsErrnoOnly(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  const auto IsNumber = [](const Value *V) {
    return V->getType()->isIntegerTy() || V->getType()->isFloatingPointTy();
  };
  const MemoryEffects Effects = Call.getMemoryEffects();
  return Callee && Callee->isDeclaration() && !Callee->isIntrinsic() &&
         !Callee->hasFnAttribute(Attribute::NoBuiltin) && !Call.isStrictFP() && Call.willReturn() &&
         Call.doesNotThrow() && !Call.use_empty() && IsNumber(&Call) &&
         all_of(Call.args(), IsNumber) &&
         Effects.getWithoutLoc(IRMemLocation::ErrnoMem).doesNotAccessMemory() &&
         Effects.getModRef(IRMemLocation::ErrnoMem) == ModRefInfo::Mod;
}

unsigned freeErrnoMath(Function &F, const AccessSummary &Accesses, BasesBesideErrno &Others) {
  SmallVector<CallInst *, 4> Calls;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (Call && !Call->doesNotAccessMemory() && (reportsRangeOnly(*Call) || setsErrnoOnly(*Call)))
      Calls.push_back(Call);
    else if (mayTouchErrno(I, Accesses, Others))
      return 0;
  }
  const bool HaveOneValue =
      all_of(Calls, [](const CallInst *Call) { return reportsRangeOnly(*Call); });
  for (CallInst *Call : Calls)
    HaveOneValue ? markUnordered(*Call) : markErrnoOnly(*Call);
  return unsigned(Calls.size());
}

namespace {

class ErrnoMath final : public Speculation {
  Applied apply(Speculative &On) const override {
    if (none_of(instructions(On.F), setsErrno))
      return Applied::Nothing;
    const AccessSummary Accesses = accessesThroughArguments(On.F, On.Passes.functions());
    On.Passes.forget();
    BasesBesideErrno Others;
    if (replaceErrnoMath(On.F, Accesses, Others) + freeErrnoMath(On.F, Accesses, Others) == 0)
      return Applied::Nothing;
    const specrt_polynomial Begin = constantPolynomial(0), End = constantPolynomial(ErrnoBytes);
    for (const BaseAccesses *Each : Others)
      appendDisjoint(On.Known.Guards, {Each->Base, Each->Begin, Each->End},
                     {{SPECRT_BASE_ERRNO, 0, 0}, Begin, End});
    return Applied::Done;
  }
};

} // namespace

const Speculation &errnoMath() {
  static constexpr ErrnoMath Only;
  return Only;
}

} // namespace specrt
