//===- tests/papers/zeros/compiled_equations.h - equations of compiled C ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_PAPERS_ZEROS_COMPILED_EQUATIONS_H
#define SPECRT_TESTS_PAPERS_ZEROS_COMPILED_EQUATIONS_H

#include "specializer/sparse/equations/language/concretisation.h"
#include "specializer/sparse/equations/scop_equations.h"

namespace specrt {

/// The only Scop of a function of zeros.c, and its solved equations.
struct CompiledEquations {
  ScopEquations Scop;
  SparsitySolution Solution;

  explicit CompiledEquations(const std::string &Function);

  isl::set set(const std::string &Text) const { return isl::set(Scop.Context.get(), Text); }
  isl::map map(const std::string &Text) const { return isl::map(Scop.Context.get(), Text); }
  unsigned named(const std::string &Name) const;

  /// Nonzero elements after statement \p Name, written as elements of the array that it writes,
  /// for live-ins and parameters as given: {"In", "[N] -> { In[3] }"}.
  isl::set elements(const std::string &Name,
                    const std::vector<std::pair<std::string, std::string>> &LiveIns,
                    const std::string &Parameters = "{ : }");
  /// Of the last call.
  bool IsExact = true;
  unsigned Rounds = 0;

  /// "In.a|S2.(b|c)*": the solution of \p Name, letters in the order of their first appearance.
  std::string solution(const std::string &Name) const;
};

} // namespace specrt

#endif
