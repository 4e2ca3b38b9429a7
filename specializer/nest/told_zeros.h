//===- specializer/nest/told_zeros.h - zeros of a region, for people ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_NEST_TOLD_ZEROS_H
#define SPECRT_SPECIALIZER_NEST_TOLD_ZEROS_H

#include "specrt/jit_api.h"
#include "llvm/IR/PassManager.h"
#include <string>

namespace specrt {

/// Lines, shortened where they are many. Nothing is decided by them.
struct ToldZeros {
  std::string Equations; ///< equationsText of its nests, or why there is none
  std::string Skips;     ///< which element's zero lets which loop skip
  /// programText of its nest, arrays called as reports call them; "": it has loops beside.
  std::string Program;
};

/// \p F, a copy of the region's function in canonical form, is changed as Polly wants it. isl may
/// be interrupted, and gives up early.
ToldZeros tellZeros(const specrt_jit_request &Request, llvm::Function &F,
                    llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
