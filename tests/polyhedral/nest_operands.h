//===- tests/polyhedral/nest_operands.h - what a nest works on ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The three arrays of a call, of any element type and with chosen kinds of values, between pages
// without access: code that reads or writes beyond an array faults.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TESTS_POLYHEDRAL_NEST_OPERANDS_H
#define SPECRT_TESTS_POLYHEDRAL_NEST_OPERANDS_H

#include "tests/polyhedral/guarded_memory.h"
#include "tests/polyhedral/nest_compiler.h"

namespace specrt {

enum class Element { Float64, Float32, Int64, Int32 };

enum class Values {
  Ordinary,
  Dominant, ///< C is n x n, with a large diagonal; elements are doubles
  Pivots,   ///< A is n x n, with a large diagonal; elements are doubles
  Special,  ///< infinities, NaN, zeros of both signs, denormal numbers among others
};

size_t bytesOf(Element Type);

/// Elements of A, B and C.
using Extents = std::array<long, 3>;

struct Operands {
  Element Type;
  GuardedArray A, B, C;

  Operands(Element Type, GuardedArray A, GuardedArray B, GuardedArray C)
      : Type(Type), A(std::move(A)), B(std::move(B)), C(std::move(C)) {}

  /// Each array, of one element at least, without gaps, and with its begin or end at the one of
  /// accessible memory.
  static Operands dense(const Extents &Elements, Element Type, Side At);
  /// Of doubles, ordinary ones, as many in each array as any of its matrices or grids may have.
  static Operands filledFor(const Sizes &S);

  std::array<GuardedArray *, 3> all() { return {&A, &B, &C}; }
  std::array<const GuardedArray *, 3> all() const { return {&A, &B, &C}; }

  /// Gives all accessible memory values, which depend on array and place. \p Rows: of what is
  /// n x n.
  void fill(Values Kind, long Rows = 0);
  void copyFrom(const Operands &Other);
  void run(Nest *F, const Sizes &S) { F(S[0], S[1], S[2], A.data(), B.data(), C.data()); }

  /// Number of elements that differ, beyond the arrays as well. The payload of a NaN is not
  /// promised.
  size_t differences(const Operands &Other) const;
  /// Bit for bit, with the payloads.
  bool identical(const Operands &Other) const;
};

/// The comparison of one run of each of two nests, which begin with filledFor(S).
struct ComparedRun {
  bool IsRight = false; ///< whether both leave the same bits behind, those of NaN included
  int NumReversed = 0;  ///< loops that the candidate ran with several threads
};
ComparedRun compareRun(Nest *Original, Nest *Candidate, const Sizes &S);

/// Do both leave the same bits behind, those of NaN included, where they begin with filledFor(S)?
bool haveSameResults(Nest *Original, Nest *Candidate, const Sizes &S);

} // namespace specrt

#endif
