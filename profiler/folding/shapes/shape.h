//===- profiler/folding/shapes/shape.h - the growing form of a piece ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shape is the image of a set of counters y under one affine map:
//   { y -> (x, f) }, 0 <= y[l] < n[l](y[0..l-1]), x, n and f affine in y.
// Each iterator has two levels of counters: its tile, and inside that its steps. Counters begin
// with 0 at the shape's lowest point. A level of which only y = 0 occurred is inactive: its
// coefficients mean nothing yet, and any that a grown neighbour has may be adopted without a change
// at any point. So a function is right at all points by construction, and no vertex needs to be
// tried.
//
// The whole shape is one array, which FoldedPiece keeps for joins: words about the shape, words per
// label, then rows of attributes (x of the iterators, n of the levels, f of the labels): the
// corner's row, for which all counters are 0, and for each level the change per step of its
// counter.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_FOLDING_SHAPES_SHAPE_H
#define SPECRT_PROFILER_FOLDING_SHAPES_SHAPE_H

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace specrt::folding {

constexpr unsigned MaxIterators = 16, MaxLabels = 64, MaxLevels = 2 * MaxIterators;
constexpr unsigned MaxAttributes = MaxIterators + MaxLevels + MaxLabels;

/// The limit of the change of length of rows whose top labels are compared, in points.
constexpr unsigned RowEnds = 5;
constexpr int64_t NoHash = -1;

constexpr unsigned tileLevel(unsigned Iterator) { return 2 * Iterator; }
constexpr unsigned stepLevel(unsigned Iterator) { return 2 * Iterator + 1; }
constexpr bool isTile(unsigned Level) { return Level % 2 == 0; }

/// Labels are numbers modulo 2^64, and so is all arithmetic on attributes.
constexpr int64_t plus(int64_t A, int64_t B) { return int64_t(uint64_t(A) + uint64_t(B)); }
constexpr int64_t minus(int64_t A, int64_t B) { return int64_t(uint64_t(A) - uint64_t(B)); }
constexpr int64_t times(int64_t A, int64_t B) { return int64_t(uint64_t(A) * uint64_t(B)); }

/// A set of levels.
class Levels {
public:
  Levels() = default;
  explicit Levels(uint32_t Bits) : Bits(Bits) {}
  static Levels only(unsigned Level) { return Levels(uint32_t(1) << Level); }
  static Levels inside(unsigned Level) { return Levels(~(((uint32_t(2) << Level) - 1))); }
  static Levels outside(unsigned Level) { return Levels((uint32_t(1) << Level) - 1); }
  bool has(unsigned Level) const { return Bits >> Level & 1; }
  bool any() const { return Bits; }
  uint32_t bits() const { return Bits; }
  friend Levels operator|(Levels A, Levels B) { return Levels(A.Bits | B.Bits); }
  friend Levels operator&(Levels A, Levels B) { return Levels(A.Bits & B.Bits); }
  friend Levels operator^(Levels A, Levels B) { return Levels(A.Bits ^ B.Bits); }
  friend Levels operator-(Levels A, Levels B) { return Levels(A.Bits & ~B.Bits); }
  bool operator==(const Levels &) const = default;
  /// Calls F for each level, from the outermost.
  template <typename Fn> void forEach(Fn F) const {
    for (uint32_t Rest = Bits; Rest; Rest &= Rest - 1)
      F(unsigned(std::countr_zero(Rest)));
  }

private:
  uint32_t Bits = 0;
};

class Shape {
public:
  /// Makes one point at 0 with labels 0.
  Shape(unsigned Iterators, unsigned Labels);
  /// Restores a shape from raw().
  explicit Shape(std::vector<int64_t> Raw) : Words(std::move(Raw)) {}
  const std::vector<int64_t> &raw() const { return Words; }

  unsigned iterators() const { return unsigned(Words[0]); }
  unsigned labels() const { return unsigned(Words[1]); }
  unsigned levels() const { return 2 * iterators(); }
  unsigned attributes() const { return 3 * iterators() + labels(); }
  /// Attributes of the geometry come first: x, n.
  unsigned geometry() const { return 3 * iterators(); }

  /// Levels whose counter had another value than 0.
  Levels active() const { return Levels(uint32_t(Words[2])); }
  void setActive(Levels L) { Words[2] = L.bits(); }
  uint64_t points() const { return uint64_t(Words[3]); }
  void setPoints(uint64_t N) { Words[3] = int64_t(N); }
  uint64_t executions() const { return uint64_t(Words[4]); }
  void setExecutions(uint64_t N) { Words[4] = int64_t(N); }
  /// Returns whether the domain contains only points that were added.
  bool exact() const { return Words[5]; }
  void setExact(bool Exact) { Words[5] = Exact; }

  /// The parts of a label that are not affine.
  struct Irregular {
    Levels Tops;              ///< levels whose coefficients are top; their attributes are 0
    int64_t Hash = 0;         ///< hash of its residuals, see residuals.h; valid if Comparable
    bool Comparable = true;   ///< the residuals are on a box, and Hash is valid
    bool AnyConstant = false; ///< executions differ in the constant
    /// If the innermost steps are top: hashes of the last row without its last 0, 1, ... points.
    std::array<int64_t, RowEnds> Ends{};
  };
  Irregular irregular(unsigned Label) const {
    const int64_t *W = &Words[Header + PerLabel * Label];
    Irregular I{Levels(uint32_t(W[0])), W[1], !(W[0] >> 32 & 1), bool(W[0] >> 33 & 1)};
    std::copy_n(W + 2, RowEnds, I.Ends.begin());
    return I;
  }
  void setIrregular(unsigned Label, const Irregular &I) {
    int64_t *W = &Words[Header + PerLabel * Label];
    W[0] = int64_t(I.Tops.bits()) | int64_t(!I.Comparable) << 32 | int64_t(I.AnyConstant) << 33;
    W[1] = I.Hash;
    std::copy_n(I.Ends.begin(), RowEnds, W + 2);
  }

  /// Rows of attributes.
  int64_t *corner() { return &Words[Header + PerLabel * labels()]; }
  const int64_t *corner() const { return &Words[Header + PerLabel * labels()]; }
  int64_t *row(unsigned Level) { return corner() + (Level + 1) * attributes(); }
  const int64_t *row(unsigned Level) const { return corner() + (Level + 1) * attributes(); }
  /// Positions in a row.
  unsigned x(unsigned Iterator) const { return Iterator; }
  unsigned n(unsigned Level) const { return iterators() + Level; }
  unsigned f(unsigned Label) const { return geometry() + Label; }

  /// Returns whether the number of values of a counter does not depend on the others.
  bool fixedCount(unsigned Level) const;

  std::size_t bytes() const { return sizeof(*this) + Words.capacity() * sizeof(int64_t); }

private:
  static constexpr unsigned Header = 6, PerLabel = 2 + RowEnds;
  std::vector<int64_t> Words;
};

/// Computes the attributes at counters \p Y, one per level.
void attributesAt(const Shape &S, const int64_t *Y, int64_t *Attributes);

/// Returns the number of points of the domain; takes time for each row.
uint64_t countPoints(const Shape &S);

/// The lowest and highest value of each iterator.
struct Bounds {
  std::vector<int64_t> Low, High;
};
Bounds boundsOf(const Shape &S);

} // namespace specrt::folding

#endif
