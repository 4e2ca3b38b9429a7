//===- tests/specializer/host_target_test.cpp - code for another processor ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/module/host_target.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace {

/// Bytes of the vectors that LLVM uses for each function of the module after retargeting it to
/// \p Processor.
std::vector<unsigned> vectorBytes(StringRef Processor) {
  LLVMContext Context;
  SMDiagnostic Problem;
  std::unique_ptr<Module> M = parseAssemblyString(R"(
    target triple = "x86_64-unknown-linux-gnu"
    define void @plain() { ret void }
    define void @narrow() #0 { ret void }
    attributes #0 = { "prefer-vector-width"="256" }
  )",
                                                  Problem, Context);
  cantFail(specrt::createHostTarget()); // registers LLVM's targets
  std::string Error;
  const Target *X86 = TargetRegistry::lookupTarget(M->getTargetTriple(), Error);
  if (!X86)
    return {};
  std::unique_ptr<TargetMachine> TM(
      X86->createTargetMachine(M->getTargetTriple(), Processor, "", {}, Reloc::PIC_));
  cantFail(specrt::retarget(*M, *TM));
  EXPECT_FALSE(verifyModule(*M, &errs()));
  std::vector<unsigned> Result;
  for (const Function &F : *M)
    Result.push_back(unsigned(TM->getTargetTransformInfo(F)
                                  .getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
                                  .getFixedValue()) /
                     8);
  return Result;
}

// LLVM prefers 32 bytes on the first three.
TEST(HostTarget, TheWidestVectorsAreUsedUnlessTheProgramSaidOtherwise) {
  for (StringRef Wide : {"skylake-avx512", "icelake-server", "sapphirerapids", "znver5"})
    EXPECT_EQ(vectorBytes(Wide), (std::vector<unsigned>{64, 32})) << Wide.str();
  EXPECT_EQ(vectorBytes("haswell"), (std::vector<unsigned>{32, 32}));
  EXPECT_EQ(vectorBytes("x86-64"), (std::vector<unsigned>{16, 16}));
}

/// They round or flush where the original did not.
TEST(HostTarget, ShortFloatsUseTheInstructionsOfTheOriginal) {
  LLVMContext Context;
  SMDiagnostic Problem;
  std::unique_ptr<Module> M = parseAssemblyString(R"(
    target triple = "x86_64-unknown-linux-gnu"
    define void @without() { ret void }
    define void @with() #0 { ret void }
    attributes #0 = { "target-features"="+avx512bf16,+avx512fp16" }
  )",
                                                  Problem, Context);
  auto TM = cantFail(specrt::createHostTarget());
  cantFail(specrt::retarget(*M, *TM));
  auto Features = [&](StringRef Name) {
    return M->getFunction(Name)->getFnAttribute("target-features").getValueAsString();
  };
  EXPECT_TRUE(Features("without").contains("-avx512fp16"));
  EXPECT_TRUE(Features("without").contains("-avx512bf16"));
  EXPECT_TRUE(Features("without").contains("-avxneconvert"));
  EXPECT_EQ(Features("with").contains("-avx512fp16"),
            TM->getTargetFeatureString().contains("-avx512fp16"));
}

} // namespace
