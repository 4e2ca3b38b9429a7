//===- specializer/rounding/library_calls.cpp - binds library calls to the region's symbols -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/rounding/library_calls.h"
#include "analysis/library_calls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {
namespace {

bool isSymbol(const specrt_region &Region, StringRef Name) {
  return any_of(ArrayRef(Region.symbols, Region.num_symbols),
                [&](const specrt_symbol &S) { return Name == S.name && S.address; });
}

/// Expands a power by squaring, from the lowest bit on, like code generation and compiler-rt.
void expandPower(IntrinsicInst &I, const APInt &Exponent) {
  IRBuilder<> B(&I);
  B.setFastMathFlags(I.getFastMathFlags());
  Value *Square = I.getArgOperand(0), *Result = nullptr;
  for (APInt Rest = Exponent.abs(); !Rest.isZero(); Rest.lshrInPlace(1)) {
    if (Rest[0])
      Result = Result ? B.CreateFMul(Result, Square) : Square;
    if (Rest.getActiveBits() > 1)
      Square = B.CreateFMul(Square, Square);
  }
  Constant *One = ConstantFP::get(I.getType(), 1);
  if (!Result)
    Result = One;
  else if (Exponent.isNegative())
    Result = B.CreateFDiv(One, Result);
  I.replaceAllUsesWith(Result);
  I.eraseFromParent();
}

} // namespace

Error bindLibraryCalls(Module &M, const specrt_region &Region) {
  auto Declare = [&](StringRef Name, FunctionType *T) -> FunctionCallee {
    return isSymbol(Region, Name) ? M.getOrInsertFunction(Name, T) : FunctionCallee();
  };
  for (Function &F : M) {
    callLibraryFunctions(F, Declare);
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Call = dyn_cast<IntrinsicInst>(&I);
      if (!Call)
        continue;
      if (std::string Name = libraryFunctionFor(*Call); !Name.empty())
        return createStringError("it calls " + Name +
                                 " of the program's library, whose address is not known");
      if (Call->getIntrinsicID() == Intrinsic::powi)
        expandPower(*Call, cast<ConstantInt>(Call->getArgOperand(1))->getValue());
    }
  }
  return Error::success();
}

} // namespace specrt
