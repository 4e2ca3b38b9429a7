//===- analysis/library_calls.cpp - intrinsics that end as library calls --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/library_calls.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {
namespace {

/// Returns the name of the C function for double.
StringRef baseName(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::sin:
    return "sin";
  case Intrinsic::cos:
    return "cos";
  case Intrinsic::sincos:
    return "sincos";
  case Intrinsic::sincospi:
    return "sincospi";
  case Intrinsic::tan:
    return "tan";
  case Intrinsic::asin:
    return "asin";
  case Intrinsic::acos:
    return "acos";
  case Intrinsic::atan:
    return "atan";
  case Intrinsic::atan2:
    return "atan2";
  case Intrinsic::sinh:
    return "sinh";
  case Intrinsic::cosh:
    return "cosh";
  case Intrinsic::tanh:
    return "tanh";
  case Intrinsic::pow:
    return "pow";
  case Intrinsic::exp:
    return "exp";
  case Intrinsic::exp2:
    return "exp2";
  case Intrinsic::exp10:
    return "exp10";
  case Intrinsic::log:
    return "log";
  case Intrinsic::log2:
    return "log2";
  case Intrinsic::log10:
    return "log10";
  default:
    return "";
  }
}

bool hasTwoResults(const IntrinsicInst &I) { return I.getType()->isStructTy(); }

/// Returns the scalar type that one call computes with.
Type *elementType(const IntrinsicInst &I) { return I.getArgOperand(0)->getType()->getScalarType(); }

std::string nameOfPowi(const IntrinsicInst &I) {
  if (isa<ConstantInt>(I.getArgOperand(1)))
    return "";
  Type *T = elementType(I);
  return T->isFloatTy() ? "__powisf2" : T->isX86_FP80Ty() ? "__powixf2" : "__powidf2";
}

/// Gives \p Call the intrinsic's guarantee that it does not access errno.
void copyPromises(CallInst &Call, bool WritesResults) {
  Call.setMemoryEffects(WritesResults ? MemoryEffects::argMemOnly(ModRefInfo::Mod)
                                      : MemoryEffects::none());
  Call.setDoesNotThrow();
  Call.addFnAttr(Attribute::WillReturn);
}

/// Emits the call for one element: operands that are vectors are read at \p Index.
Value *callForElement(IRBuilderBase &B, IntrinsicInst &I, FunctionCallee Callee,
                      std::optional<unsigned> Index) {
  SmallVector<Value *, 2> Arguments;
  for (Value *A : I.args())
    Arguments.push_back(Index && A->getType()->isVectorTy() ? B.CreateExtractElement(A, *Index)
                                                            : A);
  CallInst *Call = B.CreateCall(Callee, Arguments);
  copyPromises(*Call, /*WritesResults=*/false);
  if (isa<FPMathOperator>(Call))
    Call->copyFastMathFlags(&I);
  return Call;
}

FunctionType *typeForElement(const IntrinsicInst &I) {
  SmallVector<Type *, 2> Arguments;
  for (const Use &A : I.args())
    Arguments.push_back(A->getType()->getScalarType());
  return FunctionType::get(elementType(I), Arguments, /*isVarArg=*/false);
}

void replace(IntrinsicInst &I, LibraryDeclarer Declare) {
  FunctionCallee Callee = Declare(libraryFunctionFor(I), typeForElement(I));
  if (!Callee)
    return;
  IRBuilder<> B(&I);
  Value *Result;
  if (auto *Vector = dyn_cast<FixedVectorType>(I.getType())) {
    Result = PoisonValue::get(Vector);
    for (unsigned Index = 0; Index < Vector->getNumElements(); ++Index)
      Result = B.CreateInsertElement(Result, callForElement(B, I, Callee, Index), Index);
  } else {
    Result = callForElement(B, I, Callee, std::nullopt);
  }
  Result->takeName(&I);
  I.replaceAllUsesWith(Result);
  I.eraseFromParent();
}

/// Computes sine and cosine of \p X before \p Where; null if there is no function for both.
std::pair<Value *, Value *> callSinCos(Value *X, Instruction &Where, StringRef Name,
                                       LibraryDeclarer Declare) {
  Type *T = X->getType(), *Pointer = PointerType::get(X->getContext(), 0);
  FunctionCallee Callee = Declare(
      Name, FunctionType::get(Type::getVoidTy(X->getContext()), {T, Pointer, Pointer}, false));
  if (!Callee)
    return {};
  BasicBlock &Entry = Where.getFunction()->getEntryBlock();
  IRBuilder<> AtEntry(&Entry, Entry.begin());
  AllocaInst *Sine = AtEntry.CreateAlloca(T), *Cosine = AtEntry.CreateAlloca(T);
  IRBuilder<> B(&Where);
  CallInst *Call = B.CreateCall(Callee, {X, Sine, Cosine});
  copyPromises(*Call, /*WritesResults=*/true);
  for (unsigned Number : {1, 2})
    Call->addParamAttr(Number, Attribute::getWithCaptureInfo(B.getContext(), CaptureInfo::none()));
  return {B.CreateLoad(T, Sine), B.CreateLoad(T, Cosine)};
}

void replaceSinCos(IntrinsicInst &I, LibraryDeclarer Declare) {
  auto [Sine, Cosine] = callSinCos(I.getArgOperand(0), I, libraryFunctionFor(I), Declare);
  if (!Sine)
    return;
  IRBuilder<> B(&I);
  Value *Both = B.CreateInsertValue(PoisonValue::get(I.getType()), Sine, 0);
  I.replaceAllUsesWith(B.CreateInsertValue(Both, Cosine, 1));
  I.eraseFromParent();
}

bool isScalar(const IntrinsicInst &I, Intrinsic::ID ID) {
  return I.getIntrinsicID() == ID && !I.getType()->isVectorTy() && !libraryFunctionFor(I).empty();
}

void mergeSinesAndCosines(BasicBlock &Block, LibraryDeclarer Declare) {
  SmallMapVector<Value *, SmallVector<IntrinsicInst *, 2>, 4> ByArgument;
  for (Instruction &I : Block)
    if (auto *Call = dyn_cast<IntrinsicInst>(&I))
      if (isScalar(*Call, Intrinsic::sin) || isScalar(*Call, Intrinsic::cos))
        ByArgument[Call->getArgOperand(0)].push_back(Call);
  for (auto &[X, Calls] : ByArgument) {
    auto IsSine = [](const IntrinsicInst *I) { return I->getIntrinsicID() == Intrinsic::sin; };
    if (all_of(Calls, IsSine) || none_of(Calls, IsSine))
      continue;
    std::string Name = libraryFunctionFor(*Calls.front());
    Name.replace(0, 3, "sincos");
    auto [Sine, Cosine] = callSinCos(X, *Calls.front(), Name, Declare);
    if (!Sine)
      continue;
    for (IntrinsicInst *I : Calls) {
      I->replaceAllUsesWith(IsSine(I) ? Sine : Cosine);
      I->eraseFromParent();
    }
  }
}

} // namespace

std::string libraryFunctionFor(const IntrinsicInst &I) {
  if (I.getIntrinsicID() == Intrinsic::powi)
    return nameOfPowi(I);
  StringRef Name = baseName(I.getIntrinsicID());
  if (Name.empty())
    return "";
  Type *T = elementType(I);
  return (Name + (T->isFloatTy() ? "f" : T->isX86_FP80Ty() ? "l" : "")).str();
}

void callLibraryFunctions(Function &F, LibraryDeclarer Declare) {
  for (BasicBlock &Block : F)
    mergeSinesAndCosines(Block, Declare);
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (!Call || libraryFunctionFor(*Call).empty())
      continue;
    Type *T = elementType(*Call);
    bool IsKnown = T->isFloatTy() || T->isDoubleTy() || T->isX86_FP80Ty();
    if (!IsKnown || isa<ScalableVectorType>(Call->getType()))
      continue;
    if (!hasTwoResults(*Call))
      replace(*Call, Declare);
    else if (!Call->getArgOperand(0)->getType()->isVectorTy() &&
             Call->getIntrinsicID() == Intrinsic::sincos)
      replaceSinCos(*Call, Declare);
  }
}

} // namespace specrt
