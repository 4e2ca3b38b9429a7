//===- specializer/module/host_target.cpp - the machine that versions are compiled for -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/module/host_target.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace llvm;

namespace specrt {

Expected<std::unique_ptr<TargetMachine>> createHostTarget() {
  if (InitializeNativeTarget() || InitializeNativeTargetAsmPrinter() ||
      InitializeNativeTargetAsmParser())
    return createStringError("LLVM has no code generator for this machine");
  Triple TT(sys::getProcessTriple());
  std::string Why;
  const Target *T = TargetRegistry::lookupTarget(TT, Why);
  if (!T)
    return createStringError(Why);
  SubtargetFeatures Features;
  for (const auto &[Name, Enabled] : sys::getHostCPUFeatures())
    Features.AddFeature(Name, Enabled);
  // On these processors a gather or scatter takes longer than separate loads and stores. LLVM only
  // knows that about scatters on some of them; for rows of a recurrence (adi) the difference is a
  // factor of 1.2.
  if (sys::getHostCPUName().starts_with("znver")) {
    Features.AddFeature("prefer-no-gather");
    Features.AddFeature("prefer-no-scatter");
  }
  TargetOptions Options;
  // Only explicit fmas are fused; the code generator must not fuse other operations.
  Options.AllowFPOpFusion = FPOpFusion::Standard;
  Options.EmulatedTLS = false;
  std::unique_ptr<TargetMachine> TM(
      T->createTargetMachine(TT, sys::getHostCPUName(), Features.getString(), Options, Reloc::PIC_,
                             CodeModel::Small, CodeGenOptLevel::Aggressive, /*JIT=*/true));
  if (!TM)
    return createStringError("LLVM has no code generator for this machine");
  return TM;
}

/// Makes the code position-independent, whatever the original was linked into: a version is a
/// library of its own.
static void makePositionIndependent(Module &M) {
  if (NamedMDNode *Flags = M.getModuleFlagsMetadata()) {
    SmallVector<MDNode *, 8> Kept;
    for (MDNode *Flag : Flags->operands()) {
      auto *Name = dyn_cast<MDString>(Flag->getOperand(1));
      if (!Name || (Name->getString() != "PIC Level" && Name->getString() != "PIE Level"))
        Kept.push_back(Flag);
    }
    Flags->clearOperands();
    for (MDNode *Flag : Kept)
      Flags->addOperand(Flag);
  }
  M.setPICLevel(PICLevel::BigPIC);
}

/// Returns the host's features for \p F. Without instructions for short floating-point types, code
/// computes in wider types and calls functions that round; these instructions round differently (a
/// fused multiply-add of halves) or flush denormals (conversions to bfloat). Therefore they are
/// only enabled in functions that were compiled for them.
static std::string featuresFor(const Function &F, const TargetMachine &TM) {
  SubtargetFeatures Features(TM.getTargetFeatureString());
  StringRef Before = F.getFnAttribute("target-features").getValueAsString();
  for (StringRef Name : {"avx512fp16", "avx512bf16", "avxneconvert", "avx10.2"})
    if (!is_contained(split(Before, ','), ("+" + Name).str()))
      Features.AddFeature(Name, /*Enable=*/false);
  return Features.getString();
}

Error retarget(Module &M, const TargetMachine &TM) {
  Triple Made(M.getTargetTriple());
  if (Made.getArch() != TM.getTargetTriple().getArch())
    return createStringError("the region was compiled for " + Made.getArchName() + ", not for " +
                             TM.getTargetTriple().getArchName());
  M.setTargetTriple(TM.getTargetTriple());
  M.setDataLayout(TM.createDataLayout());
  makePositionIndependent(M);
  static constexpr StringLiteral Replaced[] = {"target-cpu",
                                               "target-features",
                                               "tune-cpu",
                                               "min-legal-vector-width",
                                               "frame-pointer",
                                               "probe-stack",
                                               "stack-protector-buffer-size"};
  for (Function &F : M) {
    const std::string Features = featuresFor(F, TM);
    for (StringRef Name : Replaced)
      F.removeFnAttr(Name);
    for (Attribute::AttrKind Kind :
         {Attribute::OptimizeForSize, Attribute::MinSize, Attribute::NoInline,
          Attribute::StackProtect, Attribute::StackProtectReq, Attribute::StackProtectStrong,
          Attribute::UWTable, Attribute::Cold})
      F.removeFnAttr(Kind);
    if (!F.isDeclaration()) {
      F.addFnAttr("target-cpu", TM.getTargetCPU());
      F.addFnAttr("target-features", Features);
      // LLVM prefers narrower vectors for the sake of code around the loops. Here the loops matter,
      // and candidates that do not gain are not used.
      if (!F.hasFnAttribute("prefer-vector-width"))
        F.addFnAttr("prefer-vector-width", "512");
      F.setUWTableKind(UWTableKind::Async);
    }
  }
  // References to the program's image may span more than 2 GiB, so no symbol is local to the code.
  for (GlobalValue &GV : M.global_values())
    if (!GV.hasLocalLinkage()) {
      GV.setVisibility(GlobalValue::DefaultVisibility);
      GV.setDSOLocal(false);
    }
  return Error::success();
}

} // namespace specrt
