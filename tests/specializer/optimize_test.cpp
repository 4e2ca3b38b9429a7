//===- tests/specializer/optimize_test.cpp - passes that are not worth it ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/module/host_target.h"
#include "specializer/module/optimize.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace specrt;

namespace {

/// A function whose only block reads and writes so many times.
std::string accesses(unsigned Number) {
  std::string Text = "define void @f(ptr %p) {\n";
  for (unsigned I = 0; I < Number; ++I)
    Text += "store volatile i64 0, ptr %p\n";
  return Text + "ret void\n}\n";
}

/// Does O3 look for loads that follow stores of an iteration before?
bool comparesAccesses(const std::string &Text) {
  LLVMContext Context;
  SMDiagnostic Problem;
  const std::unique_ptr<Module> M = parseAssemblyString(Text, Problem, Context);
  const std::unique_ptr<TargetMachine> Target = cantFail(createHostTarget());
  cantFail(retarget(*M, *Target));
  CompileBudget Budget(std::chrono::seconds(60));
  Optimizer Passes(*Target, Budget);
  unsigned Run = 0, Skipped = 0;
  PassInstrumentationCallbacks &Seen = *Passes.builder().getPassInstrumentationCallbacks();
  Seen.registerBeforeNonSkippedPassCallback(
      [&](StringRef Pass, const Any &) { Run += Pass == "LoopLoadEliminationPass"; });
  Seen.registerBeforeSkippedPassCallback(
      [&](StringRef Pass, const Any &) { Skipped += Pass == "LoopLoadEliminationPass"; });
  Passes.optimize(*M);
  EXPECT_EQ(Run + Skipped, 1u);
  return Run == 1;
}

TEST(Optimizer, ComparesAccessesWhereTheyAreFew) {
  EXPECT_TRUE(comparesAccesses(accesses(100)));
  EXPECT_FALSE(comparesAccesses(accesses(1000)));
}

} // namespace
