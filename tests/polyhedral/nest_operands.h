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

  /// Returns arrays without gaps, of at least one element each, that begin or end where accessible
  /// memory does.
  static Operands dense(const Extents &Elements, Element Type, Side At);
  /// Returns arrays of ordinary doubles, as many in each as any of its matrices or grids may have.
  static Operands filledFor(const Sizes &S);

  std::array<GuardedArray *, 3> all() { return {&A, &B, &C}; }
  std::array<const GuardedArray *, 3> all() const { return {&A, &B, &C}; }

  /// Gives all accessible memory values that depend on array and place. An array that is n x n has
  /// \p Rows rows.
  void fill(Values Kind, long Rows = 0);
  void copyFrom(const Operands &Other);
  void run(Nest *F, const Sizes &S) { F(S[0], S[1], S[2], A.data(), B.data(), C.data()); }

  /// Returns the number of elements that differ, beyond the arrays as well. Payloads of NaNs may
  /// differ.
  size_t differences(const Operands &Other) const;
  /// Returns whether all bits are equal, those of NaNs included.
  bool identical(const Operands &Other) const;
};

/// The comparison of one run of each of two nests, which begin with filledFor(S).
struct ComparedRun {
  bool IsRight = false; ///< whether both leave the same bits behind, those of NaN included
  int NumReversed = 0;  ///< loops that the candidate ran with several threads
};
ComparedRun compareRun(Nest *Original, Nest *Candidate, const Sizes &S);

/// Returns whether both leave the same bits behind, those of NaNs included. They begin with
/// filledFor(S).
bool haveSameResults(Nest *Original, Nest *Candidate, const Sizes &S);

} // namespace specrt

#endif
