//===- tests/polyhedral/contraction/contraction_cases.h - the nests of contractions.c ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_POLYHEDRAL_CONTRACTION_CONTRACTION_CASES_H
#define SPECRT_TESTS_POLYHEDRAL_CONTRACTION_CONTRACTION_CASES_H

#include "tests/polyhedral/nest_operands.h"
#include "llvm/ADT/ArrayRef.h"
#include <ostream>

namespace specrt {

/// A nest, what it works on, and what becomes of it.
struct ContractionCase {
  const char *Nest;
  Element Type;
  Extents (*Elements)(long N, long M, long P); ///< of non-negative sizes
  Values Fill = Values::Ordinary;
  bool HasKernel = true; ///< there are blocks for a contraction kernel
  bool WritesB = false;

  Operands operands(const Sizes &S, Side At) const;
  /// Is the nest cut into tiles of rows and columns, with blocks that may be small?
  bool isOfOwnResults() const;
  /// Has the nest the same columns in every row, and a kernel for all of it?
  bool isBox() const;
  /// Columns that are used once are not copied.
  bool isUsedOnce() const;
};

void PrintTo(const ContractionCase &C, std::ostream *OS);

llvm::ArrayRef<ContractionCase> contractionCases();
/// The one of a nest that is among them.
const ContractionCase &contractionCase(llvm::StringRef Nest);

/// A is n x p, B is p x m, C is n x m.
Extents product(long N, long M, long P);

} // namespace specrt

#endif
