//===- tests/analysis/parsed_function.h - loops of a function in LLVM assembly ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_ANALYSIS_PARSED_FUNCTION_H
#define SPECRT_TESTS_ANALYSIS_PARSED_FUNCTION_H

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TargetParser/Triple.h"
#include <gtest/gtest.h>

namespace specrt {

/// Parses a module and runs the analyses on its function "f".
class ParsedFunction : public testing::Test {
protected:
  /// Null when \p Text is wrong, which fails the test.
  llvm::Function *parse(const std::string &Text) {
    llvm::SMDiagnostic Error;
    M = parseAssemblyString(Text, Error, Context);
    EXPECT_TRUE(M) << Error.getMessage().str() << " in line " << Error.getLineNo();
    if (!M)
      return nullptr;
    llvm::Function *F = M->getFunction("f");
    Library.emplace(llvm::Triple("x86_64-unknown-linux-gnu"));
    LibraryInfo.emplace(*Library);
    Assumptions.emplace(*F);
    Dominators.emplace(*F);
    Loops.emplace(*Dominators);
    SE.emplace(*F, *LibraryInfo, *Assumptions, *Dominators, *Loops);
    return F;
  }

  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
  std::optional<llvm::TargetLibraryInfoImpl> Library;
  std::optional<llvm::TargetLibraryInfo> LibraryInfo;
  std::optional<llvm::AssumptionCache> Assumptions;
  std::optional<llvm::DominatorTree> Dominators;
  std::optional<llvm::LoopInfo> Loops;
  std::optional<llvm::ScalarEvolution> SE;
};

} // namespace specrt

#endif
