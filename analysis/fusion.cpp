//===- analysis/fusion.cpp - who fuses multiplications with additions -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/fusion.h"
#include "llvm/IR/Module.h"
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

} // namespace specrt
