//===- specializer/sparse/equations/scop_equations.h - a Scop as equations and as a program ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who wrote what a statement reads is a question of value-based flow: isl answers it for each read,
// with the elements that nobody wrote before, which are live-ins of their own. The answers are the
// relations of the equations (language/sparsity_system.h). The same statements in the order of the
// program, without isl, are what structure/propagation evaluates on data.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_EQUATIONS_SCOP_EQUATIONS_H
#define SPECRT_SPECIALIZER_SPARSE_EQUATIONS_SCOP_EQUATIONS_H

#include "specializer/sparse/equations/language/sparsity_system.h"
#include "structure/program/dense_program.h"
#include "llvm/IR/PassManager.h"

#include <optional>

namespace specrt {

/// One Scop. Statement I of the program is name I of the system; live-ins follow.
struct ScopEquations {
  std::shared_ptr<isl_ctx> Context; ///< first, so that it goes last
  std::string Scop;                 ///< its name
  SparsitySystem System;
  std::vector<isl::map> Writes; ///< per statement { S[i] -> A[..] }; tuples named like the arrays
  isl::set Assumptions;         ///< parameters for which the model is right
  /// Nothing when a domain, bound or subscript is not affine, with the reason.
  std::optional<DenseProgram> Program;
  std::string WithoutProgram;
};

/// Of all maximal Scops of \p F, which must be in canonical form; the function changes like one
/// that is going to be optimised (scalars go back to memory). Without those that take isl more than
/// \p MaxOperations; five million are about a second.
std::vector<ScopEquations> equationsOfScops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                                            unsigned long MaxOperations = 5'000'000);

} // namespace specrt

#endif
