//===- guards/memory/sequence.h - elements in memory follow a pattern ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an index array holds is known in advance: piece by piece a value that grows by the same step
// from element to element. Elements lie in up to four dimensions. The work is that of reading all
// elements once.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_GUARDS_MEMORY_SEQUENCE_H
#define SPECRT_GUARDS_MEMORY_SEQUENCE_H

#include "guards/address.h"
#include "guards/guard_list.h"
#include "guards/kind.h"
#include <array>
#include <vector>

namespace specrt {

/// Count elements of the innermost dimension: the first holds Value, each other one Step more than
/// the one before.
struct SequencePiece {
  int64_t Count, Value, Step;
};

/// In the terms of a caller.
struct SequenceTerms {
  struct Dimension {
    PolynomialView Count{}; ///< a call where one is not positive has no elements
    int64_t Stride = 0;     ///< bytes from element to element
    int64_t Step = 0;       ///< what is added to the value each time; of the innermost: see Pieces
  };
  specrt_base Base{};
  PolynomialView Begin{};              ///< bytes from the base to the first element
  uint32_t Width = 8;                  ///< bytes of an element: 1, 2, 4 or 8
  std::vector<Dimension> Dimensions{}; ///< outermost first
  std::vector<SequencePiece> Pieces{}; ///< one behind the other; elements behind them do not hold
};

/// The elements of a sequence hold what it says, modulo the width of an element. The terms of Begin
/// and of the counts lie behind the record, and behind them the pieces.
struct SequenceGuard : GuardRecord {
  static constexpr GuardKindId Kind = GuardKindId::Sequence;
  static constexpr uint32_t MaxDimensions = 4, MaxPieces = 64;
  /// Stands for all elements that there are.
  static constexpr int64_t AnyCount = INT64_MAX;

  specrt_base Base;
  uint32_t Width;
  uint32_t NumDimensions;
  uint32_t NumPieces;
  uint32_t NumBegin;                ///< terms
  uint32_t NumCount[MaxDimensions]; ///< terms
  int64_t Stride[MaxDimensions], Step[MaxDimensions];

  explicit SequenceGuard(const SequenceTerms &S);
  PolynomialView begin() const;
  PolynomialView count(uint32_t Dimension) const;
  const SequencePiece *pieces() const;

  const char *problem(const specrt_region &Region) const;
  bool holds(const specrt_region &Region, const uint64_t *Packed) const;
  std::string describe(const specrt_region &Region) const;
  double costNs() const;
  bool isCalled() const { return true; }
  Presumes presumes() const;
  uint32_t trailingBytes() const;

private:
  bool isWellFormed() const;
};

/// At most MaxDimensions and MaxPieces of both.
void appendSequence(GuardList &Guards, const SequenceTerms &S);

} // namespace specrt

#endif
