//===- specializer/sparse/equations/scop_equations.h - equations and program of a Scop -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// isl's value-based dataflow gives, for each read, the writes that it takes its value from and the
// elements that no write precedes, which become live-ins. These flows are the relations of the
// equations (language/sparsity_system.h). The same statements in the order of the program, without
// isl, are evaluated on data by structure/propagation.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_EQUATIONS_SCOP_EQUATIONS_H
#define SPECRT_SPECIALIZER_SPARSE_EQUATIONS_SCOP_EQUATIONS_H

#include "specializer/sparse/equations/language/sparsity_system.h"
#include "structure/program/dense_program.h"
#include "llvm/IR/PassManager.h"

#include <optional>

namespace specrt {

/// The model of one Scop. Statement I of the program is name I of the system; live-ins follow.
struct ScopEquations {
  std::shared_ptr<isl_ctx> Context; ///< first, so that it is destroyed last
  std::string Scop;                 ///< its name
  SparsitySystem System;
  std::vector<isl::map> Writes; ///< per statement { S[i] -> A[..] }; tuples are named like the
                                ///< arrays
  isl::set Assumptions;         ///< parameters for which the model is valid
  /// The program; nothing, with the reason in WithoutProgram, if a domain, bound or subscript is
  /// not affine.
  std::optional<DenseProgram> Program;
  std::string WithoutProgram;
};

/// Returns the models of all maximal Scops of \p F, which must be in canonical form; transforms the
/// function as for optimisation (scalars go back to memory). Omits Scops for which isl needs more
/// than \p MaxOperations; five million take about a second.
std::vector<ScopEquations> equationsOfScops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                                            unsigned long MaxOperations = 5'000'000);

} // namespace specrt

#endif
