//===- specializer/nest/sparsity_report.h - reports zeros of a region -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_NEST_SPARSITY_REPORT_H
#define SPECRT_SPECIALIZER_NEST_SPARSITY_REPORT_H

#include "specrt/jit_api.h"
#include "llvm/IR/PassManager.h"
#include <string>

namespace specrt {

/// Lines for people, shortened if there are many. No decision depends on them.
struct SparsityReport {
  std::string Equations; ///< equationsText of its nests, or why there is none
  std::string Skips;     ///< which element's zero lets which loop skip iterations
  /// programText of its nest, with arrays named as in reports; "" if there are other loops beside
  /// it.
  std::string Program;
};

/// Returns the report on \p F, a copy of the region's function in canonical form, which is changed
/// into the form that Polly wants. isl may be interrupted, and has a small limit.
SparsityReport reportSparsity(const specrt_jit_request &Request, llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
