//===- guards/memory/sequence.h - elements in memory follow a pattern ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The content of an index array is known in advance: in each piece, the value grows by the same
// step from element to element. Elements lie in up to four dimensions. A check reads all elements
// once.
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

/// Count elements of the innermost dimension: the first holds Value, each other one is Step more
/// than the one before.
struct SequencePiece {
  int64_t Count, Value, Step;
};

/// A sequence as a caller states it.
struct SequenceTerms {
  struct Dimension {
    PolynomialView Count{}; ///< a call where one is not positive has no elements
    int64_t Stride = 0;     ///< bytes from element to element
    /// added to the value from element to element; unused for the innermost dimension, which has
    /// Pieces
    int64_t Step = 0;
  };
  specrt_base Base{};
  PolynomialView Begin{};              ///< bytes from the base to the first element
  uint32_t Width = 8;                  ///< bytes of an element: 1, 2, 4 or 8
  std::vector<Dimension> Dimensions{}; ///< outermost first
  /// consecutive pieces; the guard does not hold if there are further elements
  std::vector<SequencePiece> Pieces{};
};

/// The elements of a sequence have the stated values, modulo the width of an element. The terms of
/// Begin and of the counts lie behind the record, and behind them the pieces.
struct SequenceGuard : GuardRecord {
  static constexpr GuardKindId Kind = GuardKindId::Sequence;
  static constexpr uint32_t MaxDimensions = 4, MaxPieces = 64;
  /// A piece with this count covers all remaining elements.
  static constexpr int64_t AnyCount = INT64_MAX;

  specrt_base Base;
  uint32_t Width;
  uint32_t NumDimensions;
  uint32_t NumPieces;
  uint32_t NumBegin;                ///< number of terms
  uint32_t NumCount[MaxDimensions]; ///< number of terms
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

/// Adds a guard for \p S, which has at most MaxDimensions dimensions and MaxPieces pieces.
void appendSequence(GuardList &Guards, const SequenceTerms &S);

} // namespace specrt

#endif
