//===- instrument/plugin.cpp - entry point of libspecrt-instrument.so -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers the pass after inlining and simplification and before vectorization. With LTO the pass
// runs when an object is compiled; at link time the regions exist already.
//
//===----------------------------------------------------------------------===//
#include "analysis/narrow_recurrences.h"
#include "instrument/emit/loop_alignment.h"
#include "instrument/pass.h"
#include "instrument/source/source_places.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

// Passes do not see how clang will lay out code, so the driver passes these options.
static cl::opt<bool>
    OneSection("specrt-one-section", cl::Hidden,
               cl::desc("neither -ffunction-sections nor -fdata-sections is in effect"));
static cl::opt<bool>
    DropLines("specrt-drop-lines", cl::Hidden,
              cl::desc("lines are tracked for this plugin alone: forget them behind it"));

static std::string pipelineName(OptimizationLevel Level) {
  if (Level.getSizeLevel() > 0)
    return Level.getSizeLevel() == 1 ? "Os" : "Oz";
  return "O" + std::to_string(Level.getSpeedupLevel());
}

static void registerPasses(PassBuilder &Builder) {
  Builder.registerPipelineStartEPCallback([](ModulePassManager &Passes, OptimizationLevel Level) {
    if (Level != OptimizationLevel::O0)
      Passes.addPass(specrt::NameScopesPass());
  });
  Builder.registerOptimizerEarlyEPCallback([](ModulePassManager &Passes, OptimizationLevel Level,
                                              ThinOrFullLTOPhase Phase) {
    bool AtLink = Phase == ThinOrFullLTOPhase::ThinLTOPostLink ||
                  Phase == ThinOrFullLTOPhase::FullLTOPostLink;
    if (Level != OptimizationLevel::O0 && !AtLink)
      Passes.addPass(specrt::InstrumentPass(pipelineName(Level), Phase != ThinOrFullLTOPhase::None,
                                            OneSection, DropLines));
  });
  // An error of the vectoriser must not make originals and versions differ. When it optimises for
  // size, it adds no checks.
  Builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager &Passes, OptimizationLevel Level) {
        if (Level.getSpeedupLevel() > 1 && Level.getSizeLevel() == 0)
          Passes.addPass(specrt::TameNarrowRecurrencesPass());
      });
  Builder.registerOptimizerLastEPCallback(
      [](ModulePassManager &Passes, OptimizationLevel Level, ThinOrFullLTOPhase) {
        if (Level.getSpeedupLevel() > 1 && Level.getSizeLevel() == 0)
          Passes.addPass(specrt::AlignLoopsPass());
      });
  // For opt -passes=specrt.
  Builder.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &Passes, ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "specrt")
          return false;
        Passes.addPass(specrt::InstrumentPass("O2", /*ForLTO=*/false, OneSection));
        return true;
      });
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "specrt", SPECRT_VERSION, registerPasses};
}
