//===- specializer/polyhedral/model/polly_options.cpp - Polly's global options ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "specializer/polyhedral/model/polly_options.h"

using namespace llvm;

namespace specrt {

bool PollyOptionScope::set(StringRef Name, StringRef Value) {
  auto &Registered = cl::getRegisteredOptions();
  auto It = Registered.find(Name);
  if (It == Registered.end())
    return false;
  cl::Option *Option = It->second;
  // An option that may occur once counts its occurrences; reset() clears them.
  Option->reset();
  Changed.push_back(Option);
  return !Option->addOccurrence(0, Name, Value);
}

PollyOptionScope::~PollyOptionScope() {
  for (cl::Option *Option : Changed)
    Option->reset();
}

void setPollyOptions(PollyOptionScope &Scope, bool Parallel, bool ForceParallel) {
  Scope.set("polly-on-isl-error-abort", false);
  // Measured calls decide what pays, not Polly's estimate: otherwise single loops are refused and a
  // nest that keeps its order gets no syntax tree.
  Scope.set("polly-process-unprofitable", true);
  Scope.set("polly-parallel", Parallel);
  Scope.set("polly-parallel-force", ForceParallel);
  // Otherwise LLVM does not know which innermost loops are independent.
  Scope.set("polly-ast-detect-parallel", true);
  Scope.set("polly-omp-backend", "GNU");
  // Polly's own limits allow about a second each. A nest with constant sizes needs a hundredth of
  // these; one that needs more is better left to the other candidates.
  Scope.set("polly-analysis-computeout", "200000");
  Scope.set("polly-dependences-computeout", "1000000");
  Scope.set("polly-optree-max-ops", "100000");
  Scope.set("polly-delicm-max-ops", "100000");
  // Reductions may only be reordered where the program allows it; keeping them as ordinary
  // dependences keeps the order of floating-point operations.
  Scope.set("polly-detect-reductions", false);
  Scope.set("polly-dependences-use-reductions", false);
  // The matrix-multiplication pattern loses more often than it wins and is unbounded in time while
  // sizes are symbolic.
  Scope.set("polly-pattern-matching-based-opts", false);
  // "#pragma clang loop unroll(full)" and "distribute(enable)" are for the passes after Polly. Its
  // own attempt goes on with the null node of an isl operation that failed, and crashes.
  Scope.set("polly-pragma-based-opts", false);
}

} // namespace specrt
