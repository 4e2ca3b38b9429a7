//===- tests/specializer/lines_test.cpp - every instruction has a line ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/module/host_target.h"
#include "specializer/module/lines.h"
#include "specializer/module/naming.h"
#include "specializer/module/region_module.h"
#include "specializer/specialize.h"
#include "tests/specializer/test_region.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include <set>

using namespace specrt;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::MatchesRegex;

namespace {

/// Calls \p Look with every candidate of \p R after giveLines.
unsigned withLines(TestRegion &R, llvm::function_ref<void(llvm::Module &)> Look) {
  auto TM = llvm::cantFail(createHostTarget());
  CompileBudget Budget(std::chrono::milliseconds(10000));
  Dump Files(R.request());
  auto Region = llvm::cantFail(specialize(R.request(), *TM, Budget, Files, [&](CandidateModule C) {
    nameFunctions(*C.M, regionFunction(*C.M, R.region()), C.Name);
    giveLines(*C.M, R.region());
    std::string Why;
    llvm::raw_string_ostream Stream(Why);
    EXPECT_FALSE(llvm::verifyModule(*C.M, &Stream)) << C.Name << ": " << Why;
    Look(*C.M);
  }));
  return Region.NumCandidates;
}

/// The lines of all instructions of a module, each in its own function, as "file:line".
std::set<std::string> linesOf(llvm::Module &M) {
  std::set<std::string> Lines;
  for (llvm::Function &F : M) {
    if (F.isDeclarationForLinker())
      continue;
    for (llvm::Instruction &I : llvm::instructions(F)) {
      const llvm::DILocation *Location = I.getDebugLoc().get();
      if (!Location)
        return {"no line in " + F.getName().str()};
      EXPECT_EQ(Location->getScope()->getSubprogram(), F.getSubprogram());
      EXPECT_EQ(Location->getInlinedAt(), nullptr);
      llvm::StringRef File = llvm::sys::path::filename(Location->getFilename());
      Lines.insert(File.str() + ":" + std::to_string(Location->getLine()));
    }
  }
  return Lines;
}

TEST(Lines, EveryInstructionOfEveryCandidateHasOne) {
  auto R = TestRegion::fromKernel("gemm");
  R->region().file = "region.c";
  R->region().line = 3;
  R->request().threads = 2;
  for (unsigned I = 0; I < 3; ++I)
    R->constant(I, 300);
  unsigned Candidates = withLines(*R, [](llvm::Module &M) {
    std::set<std::string> Lines = linesOf(M);
    EXPECT_TRUE(Lines.count("kernels.c:13")) << "the statement";
    Lines.erase("region.c:3");
    for (const std::string &Line : Lines)
      EXPECT_THAT(Line, MatchesRegex("kernels.c:(9|1[0-4])"));
  });
  EXPECT_EQ(Candidates, 3u);
}

TEST(Lines, InlinedStatementsKeepTheirs) {
  auto R = TestRegion::fromKernel("weights");
  R->constant(1, 1);
  withLines(*R, [](llvm::Module &M) {
    EXPECT_THAT(linesOf(M), IsSupersetOf({"kernels.c:65", "kernels.c:75"}));
  });
}

TEST(Lines, TheRegionStandsInForUnknownOnes) {
  auto R =
      TestRegion::fromIR("define void @f(ptr %p) {\n  store i32 1, ptr %p\n  ret void\n}", "f");
  R->region().file = "some/f.c";
  R->region().line = 17;
  withLines(*R, [](llvm::Module &M) {
    EXPECT_THAT(linesOf(M), ElementsAre("f.c:17"));
    EXPECT_EQ((*M.debug_compile_units_begin())->getEmissionKind(),
              llvm::DICompileUnit::LineTablesOnly);
  });
}

TEST(Lines, WithoutAnyThereIsNoDebugInfo) {
  auto R =
      TestRegion::fromIR("define void @f(ptr %p) {\n  store i32 1, ptr %p\n  ret void\n}", "f");
  withLines(*R, [](llvm::Module &M) { EXPECT_TRUE(M.debug_compile_units().empty()); });
}

} // namespace
