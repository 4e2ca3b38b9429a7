//===- instrument/emit/loop_alignment.cpp - aligns loops of instrumented modules ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/emit/loop_alignment.h"
#include "specrt/abi.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace specrt {
namespace {

constexpr const char *Alignment = "llvm.loop.align"; // in bytes, as [[clang::code_align]] sets it
constexpr unsigned Bytes = 64;                       // a cache line

bool isInstrumented(const Module &M) {
  return any_of(M.globals(),
                [](const GlobalVariable &G) { return G.getSection() == SPECRT_RECORD_SECTION; });
}

} // namespace

PreservedAnalyses AlignLoopsPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (!M.getTargetTriple().isX86() || !isInstrumented(M))
    return PreservedAnalyses::all();
  auto &Functions = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (Function &F : M) {
    if (F.isDeclaration() || F.hasOptSize())
      continue;
    for (Loop *L : Functions.getResult<LoopAnalysis>(F).getLoopsInPreorder())
      if (L->isInnermost() && !getOptionalIntLoopAttribute(L, Alignment))
        addStringMetadataToLoop(L, Alignment, Bytes);
  }
  return PreservedAnalyses::all(); // metadata only
}

} // namespace specrt
