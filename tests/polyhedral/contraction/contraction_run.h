//===- tests/polyhedral/contraction/contraction_run.h - contractions beside their originals ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_POLYHEDRAL_CONTRACTION_CONTRACTION_RUN_H
#define SPECRT_TESTS_POLYHEDRAL_CONTRACTION_CONTRACTION_RUN_H

#include "tests/polyhedral/contraction/contraction_cases.h"
#include <gmock/gmock.h>

namespace specrt {

/// How a nest is specialised.
struct Setting {
  Machine For = {};
  bool SmallCaches = false; ///< so small that small nests have several blocks of each kind
  bool Parallel = false;
  unsigned L2Bytes = 0; ///< 0: that of this machine
  StrategyId Schedule = StrategyId::Contraction;
  llvm::raw_ostream *Dump = nullptr; ///< gets schedules and syntax trees
};

extern const Machine Avx2, Sse2;

/// A second cache that operands of some 100 x 100 values do not fit, though several blocks do.
constexpr unsigned PackedL2 = 64 * 1024;

PolyhedralResult specialize(NestCompiler &Compiler, const Sizes &S, const Setting &With);

/// Runs both on the same values at \p At. A and B are operands, and lie in memory that cannot be
/// written unless the nest says otherwise.
void expectSame(Nest *Original, Nest *Candidate, const ContractionCase &Of, const Sizes &S, Side At,
                Values Fill);

/// Specialises a nest and runs it on ordinary and special values, at both sides. Returns the notes
/// of the phases.
std::string expectSame(const ContractionCase &Of, const Sizes &S, const Setting &With);

/// Notes: some block has a kernel.
inline auto HasKernels() { return testing::HasSubstr("contraction kernels"); }
/// Notes: some kernel works on operands where they are.
inline auto IsUnpacked() { return testing::ContainsRegex("[1-9][0-9]* unpacked"); }

} // namespace specrt

#endif
