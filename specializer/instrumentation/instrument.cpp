//===- specializer/instrumentation/instrument.cpp - the instrumented version of a region ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/instrumentation/instrument.h"
#include "specializer/fast/fast_math.h"
#include "specializer/module/optimize.h"
#include "specializer/module/region_module.h"
#include "specializer/rounding/floating_point.h"
#include "specializer/rounding/library_calls.h"
#include "specializer/rounding/nan_folding.h"
#include "specializer/rounding/place_comparisons.h"
#include "specializer/sparse/rows.h"
#include "specializer/speculation/fp_environment.h"
#include "specializer/speculation/speculation.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;

namespace specrt {

static Error checkModule(const Module &M, const CompileBudget &Budget, uint32_t FpMode) {
  if (Budget.expired())
    return createStringError(Budget.reason());
  if (FpMode != SPECRT_FP_FINITE && containsNaN(M))
    return createStringError("an operation was folded to a NaN");
  std::string Why;
  raw_string_ostream Stream(Why);
  if (verifyModule(M, &Stream))
    return createStringError("its code is not valid: " + StringRef(Why).split('\n').first);
  return Error::success();
}

Expected<InstrumentedModule> instrument(const specrt_jit_request &Request,
                                        const specrt_recording &Into, TargetMachine &TM,
                                        CompileBudget &Budget, Dump &Files) {
  InstrumentedModule Made;
  Made.Context = createQuietContext();
  Expected<std::unique_ptr<Module>> Loaded = loadRegion(*Request.region, TM, *Made.Context);
  if (!Loaded)
    return Loaded.takeError();
  Made.M = std::move(*Loaded);
  Module &M = *Made.M;
  if (const auto Guard = guardOnFpEnvironment(M))
    Made.Guards.append(*Guard);
  // Destroyed before the modules, to which its analyses refer.
  Optimizer Passes(TM, Budget);
  if (Request.fp_mode == SPECRT_FP_FAST) {
    applyFastMath(regionFunction(M, *Request.region), Passes);
    expandComparisons(M);
  }
  Made.NumRowLoops = showRows(regionFunction(M, *Request.region), Passes.functions(), Into);
  Passes.forget();
  Expected<RecordedFunction> Recorded =
      recordAccesses(regionFunction(M, *Request.region), Passes.functions(), Into);
  Passes.forget();
  if (!Recorded)
    return Recorded.takeError();
  Made.Recorded = std::move(*Recorded);

  // The same steps as for candidates: see specialize.cpp.
  if (Error E = bindLibraryCalls(M, *Request.region))
    return std::move(E);
  const bool KeepsNaNs = Request.fp_mode != SPECRT_FP_FINITE;
  if (KeepsNaNs) {
    hideNaNs(M);
    fenceSignsOfNaNs(M);
  }
  applyFloatingPointMode(M, Request.fp_mode);
  Passes.inlineAndCanonicalize(M);
  if (KeepsNaNs)
    fenceSignsOfNaNs(M);
  Passes.forget();
  Passes.optimize(M);
  Passes.forget();
  Files.write("instrumented.ll", [&](raw_ostream &OS) { M.print(OS, nullptr); });
  if (Error E = checkModule(M, Budget, Request.fp_mode))
    return std::move(E);
  return std::move(Made);
}

} // namespace specrt
