//===- specializer/module/optimize.h - LLVM pipelines under a budget -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_MODULE_OPTIMIZE_H
#define SPECRT_SPECIALIZER_MODULE_OPTIMIZE_H

#include "specializer/module/budget.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

namespace specrt {

/// LLVM's pass builder and analysis managers for one module at a time. forget() must be called
/// before the member functions get another module.
class Optimizer {
public:
  Optimizer(llvm::TargetMachine &TM, CompileBudget &Budget);

  llvm::FunctionAnalysisManager &functions() { return FAM; }
  llvm::PassBuilder &builder() { return PB; }

  /// Runs the passes that clang runs before the plugin, on a module with all callees.
  void prepareUserModule(llvm::Module &M);
  /// Inlines the embedded callees and brings the loops into canonical form.
  void inlineAndCanonicalize(llvm::Module &M);
  /// Folds new constants and restores canonical form. Unrolls loops that set strides
  /// (unrolled_stages.h).
  void simplify(llvm::Module &M);
  /// Runs LLVM's O3 pipeline on a module made by simplify().
  void optimize(llvm::Module &M);
  void run(llvm::Module &M, llvm::ModulePassManager MPM);

  /// Drops all cached analyses, because the module will be deleted or was changed elsewhere.
  void forget();

private:
  void fold(llvm::Module &M);

  llvm::PassInstrumentationCallbacks PIC;
  llvm::PassBuilder PB;
  llvm::LoopAnalysisManager LAM;
  llvm::FunctionAnalysisManager FAM;
  llvm::CGSCCAnalysisManager CGAM;
  llvm::ModuleAnalysisManager MAM;
};

} // namespace specrt

#endif
