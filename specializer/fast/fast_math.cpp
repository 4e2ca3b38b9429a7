//===- specializer/fast/fast_math.cpp - rewrites floating point for SPECRT_FP=fast ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/fast/fast_math.h"
#include "specializer/fast/sum_places.h"
#include "specializer/fast/sum_trees.h"
#include "specializer/module/optimize.h"
#include "specializer/polyhedral/model/iteration_scopes.h"
#include "specializer/rounding/fusion.h"
#include "specializer/sparse/loops/row_loop.h"
#include "specializer/speculation/errno_math.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace specrt {
namespace {

/// Removes the attributes that permit code generation more than its options do.
void dropAttributes(Function &F) {
  for (const char *Name : {"unsafe-fp-math", "no-nans-fp-math", "no-infs-fp-math",
                           "no-signed-zeros-fp-math", "approx-func-fp-math"})
    F.removeFnAttr(Name);
}

/// Returns whether \p Call computes llvm.pow or the C library's pow, with an exponent that may
/// be 2. A function of the program with that name is another one. Attributes of the caller
/// (-fno-builtin-pow) may say that it calls such a function.
bool isPower(const CallInst &Call, const TargetLibraryInfo &Library) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration() || Call.isStrictFP())
    return false;
  LibFunc Known;
  const bool Found =
      (Callee->getIntrinsicID() == Intrinsic::pow && Call.getType()->isFloatingPointTy()) ||
      (Library.getLibFunc(Call, Known) && Library.has(Known) &&
       (Known == LibFunc_pow || Known == LibFunc_powf));
  return Found && !isa<Constant>(Call.getArgOperand(1));
}

/// Returns an i1 that is true if pow(x, 2) has the result \p Square and does not report an error.
/// The function sets errno if the result overflows or underflows.
Value *reportsNothing(Value *Square, IRBuilderBase &B) {
  const fltSemantics &Format = Square->getType()->getFltSemantics();
  const auto Number = [&](const APFloat &X) { return ConstantFP::get(Square->getType(), X); };
  return B.CreateAnd(B.CreateFCmpOGT(Square, Number(APFloat::getSmallestNormalized(Format))),
                     B.CreateFCmpOLT(Square, Number(APFloat::getLargest(Format))));
}

/// Replaces pow(x, y) by y == 2 ? x * x : pow(x, y). If the call may set errno, it also remains for
/// products that are not finite normal numbers.
void expandPower(CallInst &Call) {
  IRBuilder<> B(&Call);
  BasicBlock *Before = Call.getParent();
  Value *X = Call.getArgOperand(0), *Y = Call.getArgOperand(1);
  Value *IsSquare = B.CreateFCmpOEQ(Y, ConstantFP::get(Y->getType(), 2.0));
  Value *Square = B.CreateFMul(X, X);
  if (setsErrno(Call))
    IsSquare = B.CreateAnd(IsSquare, reportsNothing(Square, B));
  Instruction *Otherwise =
      SplitBlockAndInsertIfThen(B.CreateNot(IsSquare), &Call, /*Unreachable=*/false);
  BasicBlock *After = Call.getParent();
  B.SetInsertPoint(After, After->begin());
  PHINode *Result = B.CreatePHI(Call.getType(), 2);
  Call.replaceAllUsesWith(Result);
  Call.moveBefore(Otherwise->getIterator());
  Result->addIncoming(Square, Before);
  Result->addIncoming(&Call, Otherwise->getParent());
}

void expandPowers(Function &F, const TargetLibraryInfo &Library) {
  SmallVector<CallInst *> Powers;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && isPower(*Call, Library))
      Powers.push_back(Call);
  for (CallInst *Call : Powers)
    expandPower(*Call);
}

/// Replaces x / y in a loop that does not change y by x * (1 / y).
void multiplyByReciprocals(Function &F, const LoopInfo &LI) {
  SmallVector<std::pair<BinaryOperator *, const Loop *>> Divisions;
  for (Instruction &I : instructions(F)) {
    const Loop *L = LI.getLoopFor(I.getParent());
    if (I.getOpcode() == Instruction::FDiv && L && L->isLoopInvariant(I.getOperand(1)) &&
        !L->isLoopInvariant(I.getOperand(0)))
      Divisions.push_back({cast<BinaryOperator>(&I), L});
  }
  DenseMap<std::pair<const Value *, const Loop *>, Value *> Reciprocals;
  for (auto [Division, L] : Divisions) {
    Value *Divisor = Division->getOperand(1);
    while (L->getParentLoop() && L->getParentLoop()->isLoopInvariant(Divisor))
      L = L->getParentLoop();
    const BasicBlock *Before = L->getLoopPreheader();
    if (!Before)
      continue;
    Value *&Reciprocal = Reciprocals[{Divisor, L}];
    // The flags of the division would not hold: reciprocals of small numbers are infinite.
    IRBuilder<> B(Division);
    if (!Reciprocal) {
      B.SetInsertPoint(L->getLoopPreheader()->getTerminator());
      Reciprocal = B.CreateFDiv(ConstantFP::get(Division->getType(), 1.0), Divisor);
      B.SetInsertPoint(Division);
    }
    Value *Product = B.CreateFMul(Division->getOperand(0), Reciprocal);
    Product->takeName(Division);
    Division->replaceAllUsesWith(Product);
    Division->eraseFromParent();
  }
}

/// Returns whether \p F has loops over sparse rows. Searches a copy, because the search changes the
/// form of loops.
bool hasRowLoops(const Function &F, Optimizer &Passes) {
  const std::unique_ptr<Module> Copy = CloneModule(*F.getParent());
  const bool Found =
      !findRowLoops(*Copy->getFunction(F.getName()), Passes.functions(), RowSums::MayBeCarried)
           .empty();
  Passes.forget();
  return Found;
}

} // namespace

void applyFastMath(Function &F, Optimizer &Passes) {
  const bool KeepsSums = hasRowLoops(F, Passes);
  FunctionAnalysisManager &FAM = Passes.functions();
  for (Function &Each : *F.getParent()) {
    if (Each.isDeclaration())
      continue;
    dropAttributes(Each);
    expandPowers(Each, FAM.getResult<TargetLibraryAnalysis>(Each));
    FAM.invalidate(Each, PreservedAnalyses::none());
    multiplyByReciprocals(Each, FAM.getResult<LoopAnalysis>(Each));
    fuseFirstProducts(Each);
    FAM.invalidate(Each, PreservedAnalyses::none());
    if (KeepsSums)
      continue;
    forgetLoopScopes(Each, FAM);
    promoteSums(Each, FAM);
    makeSumTrees(Each, FAM);
  }
  Passes.forget();
}

} // namespace specrt
