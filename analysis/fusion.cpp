//===- analysis/fusion.cpp - who fuses multiplications with additions -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/fusion.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"

using namespace llvm;

namespace specrt {

bool mayFuse(const Function &F) {
  const Triple &TT = F.getParent()->getTargetTriple();
  if (!TT.isX86())
    return TT.isAArch64();
  // The processor and other features imply it, too.
  StringRef Features = F.getFnAttribute("target-features").getValueAsString();
  StringRef Cpu = F.getFnAttribute("target-cpu").getValueAsString();
  std::string Problem;
  const Target *T = TargetRegistry::lookupTarget(TT, Problem);
  std::unique_ptr<MCSubtargetInfo> Subtarget(
      T ? T->createMCSubtargetInfo(TT, Cpu.empty() ? "x86-64" : Cpu, Features) : nullptr);
  return Subtarget && (Subtarget->checkFeatures("+fma") || Subtarget->checkFeatures("+fma4"));
}

bool hasContractFlags(const Module &M) {
  return any_of(M, [](const Function &F) {
    return any_of(instructions(F), [](const Instruction &I) {
      return isa<FPMathOperator>(I) && I.hasAllowContract();
    });
  });
}

/// The first of \p Opcodes in \p Code that may not be reordered.
static const Instruction *findOrdered(ArrayRef<const Instruction *> Code,
                                      ArrayRef<unsigned> Opcodes) {
  auto Found = find_if(Code, [&](const Instruction *I) {
    return is_contained(Opcodes, I->getOpcode()) &&
           !(isa<FPMathOperator>(I) && I->hasAllowReassoc());
  });
  return Found == Code.end() ? nullptr : *Found;
}

const Instruction *findFreeFusion(ArrayRef<const Instruction *> Code) {
  const Instruction *Product = findOrdered(Code, {Instruction::FMul});
  // Code generation subtracts to convert what exceeds the range of signed integers.
  const Instruction *Sum =
      findOrdered(Code, {Instruction::FAdd, Instruction::FSub, Instruction::FPToUI});
  if (!Product || !Sum)
    return nullptr;
  return mayFuse(*Sum->getFunction()) || mayFuse(*Product->getFunction()) ? Sum : nullptr;
}

} // namespace specrt
