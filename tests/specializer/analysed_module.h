//===- tests/specializer/analysed_module.h - LLVM assembly, and what is known of it ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_SPECIALIZER_ANALYSED_MODULE_H
#define SPECRT_TESTS_SPECIALIZER_ANALYSED_MODULE_H

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>
#include <memory>
#include <string>

/// With all analyses of LLVM.
class AnalysedModule {
public:
  /// \p Text: assembly. A failure of the test where it is wrong.
  explicit AnalysedModule(const std::string &Text) {
    llvm::SMDiagnostic Error;
    M = llvm::parseAssemblyString(Text, Error, Context);
    if (!M)
      ADD_FAILURE() << Error.getMessage().str() << " in line " << Error.getLineNo() << Text;
    Builder.registerModuleAnalyses(MAM);
    Builder.registerCGSCCAnalyses(CGAM);
    Builder.registerFunctionAnalyses(FAM);
    Builder.registerLoopAnalyses(LAM);
    Builder.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  }
  AnalysedModule(const AnalysedModule &) = delete;
  AnalysedModule &operator=(const AnalysedModule &) = delete;

  /// Null: the text is wrong, or has none of this name.
  llvm::Function *function(llvm::StringRef Name) const {
    return M ? M->getFunction(Name) : nullptr;
  }
  template <typename Analysis> typename Analysis::Result &of(llvm::Function &F) {
    return FAM.getResult<Analysis>(F);
  }

  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M; ///< null: the text is wrong

private:
  llvm::PassBuilder Builder;
  llvm::LoopAnalysisManager LAM;

public:
  llvm::FunctionAnalysisManager FAM;

private:
  llvm::CGSCCAnalysisManager CGAM;
  llvm::ModuleAnalysisManager MAM;
};

#endif
