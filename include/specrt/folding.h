//===- specrt/folding.h - piecewise affine functions from streams of values -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folds the events of an instrumented execution, each an iteration vector with a label vector, into
// few pieces: a domain with affine bounds and one affine function per label.
//
//   specrt::Folder Addresses(/*Iterators=*/2, /*Labels=*/1);
//   for (int64_t J = 0; J < N; ++J)
//     for (int64_t K = 0; K < M; ++K) {
//       int64_t Point[] = {J, K}, Label[] = {reinterpret_cast<int64_t>(&Connections[K][J])};
//       Addresses.add(Point, Label);
//     }
//   specrt::Folding Result = Addresses.finish();
//   // Result.Pieces[0]: 0 <= j < N, 0 <= k < M, label 8j + Tk + ...: stride 8 along j, none along
//   k
//
// The label of a memory access is its address, that of an arithmetic instruction its value, that of
// a dependence the iteration vector of its source. After Selva, Gruber, Sampaio, Guillon, Pouchet
// and Rastello, "Building a Polyhedral Representation from an Instrumented Execution" (ACM TACO
// 16(4), 2019); docs/folding.md says what differs.
//
// Vectors are outermost first. Arithmetic on labels is modulo 2^64. A result describes the points
// that were added, not other executions.
//
// Errors: none besides std::bad_alloc; arguments outside the ranges given below are undefined. Not
// thread-safe: a folder belongs to one thread; several threads fold slices of their own, which
// Folding::joinWindow puts together. Link with libspecrt-folding.a (CMake: specrt::folding);
// standard library types are passed, so the program's C++ library must be libstdc++.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_FOLDING_H
#define SPECRT_FOLDING_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Marks functions that libspecrt.so exports.
#define SPECRT_FOLDING_API __attribute__((visibility("default")))

namespace specrt {

namespace folding {
class Engine;
struct PieceAccess;
} // namespace folding

/// A number; top, which varies in no affine way; or, in unfinished pieces only, not yet known.
struct Coefficient {
  enum Kind : uint8_t { Number, Top, Unknown };
  Kind Is = Number;
  int64_t Value = 0; ///< 0 unless a number

  bool isTop() const { return Is == Top; }
  bool operator==(const Coefficient &) const = default;
};

/// { z -> Constant + sum Coefficients[l] * z[l] } over the dimensions of a piece.
struct SPECRT_FOLDING_API AffineFunction {
  std::vector<Coefficient> Coefficients; ///< one per dimension of the piece, also where it is 0
  Coefficient Constant;

  bool affine() const; ///< whether nothing is top
  /// Returns the value at Z, or nothing if a top coefficient is multiplied by a nonzero value or
  /// the constant is top.
  std::optional<int64_t> at(std::span<const int64_t> Z) const;
  bool operator==(const AffineFunction &) const = default;
};

/// A dimension of a piece. Most iterators have one dimension with Scale 1, which equals the
/// iterator. If only every s-th value occurs, the dimension has Scale s. A tiled or linearised
/// iterator has two: the number of the tile, from 0, with the distance of tiles as Scale, and the
/// position inside.
struct FoldedDimension {
  unsigned Iterator = 0;
  int64_t Scale = 1;
  AffineFunction Lower, Upper; ///< inclusive; functions of the dimensions outside this one
};

/// A set of iteration vectors and the labels as functions of these.
class SPECRT_FOLDING_API FoldedPiece {
public:
  /// The domain is { x : Dimensions' bounds hold for z, x[k] = Offsets[k](z) + sum Scale * z[l]
  /// over the dimensions l of iterator k }. Dimensions are ordered by iterator.
  std::vector<FoldedDimension> Dimensions;
  /// One per iterator: 0 if z is the iterator itself, otherwise a function of the outer dimensions.
  std::vector<AffineFunction> Offsets;
  /// One per label. If the coefficient of dimension d is a number k, then f(z + e_d) - f(z) == k
  /// for all points z and z + e_d of the piece, even if other coefficients are top.
  std::vector<AffineFunction> Functions;

  uint64_t Points = 0;     ///< points that were added; fewer than in the domain if it is not exact
  uint64_t Executions = 1; ///< number of executions that showed this piece; see
                           ///< Folding::joinExecution
  /// The domain has exactly the points that were added. False after giving up, and after a join
  /// that bridged a gap; then the domain contains them.
  bool ExactDomain = true;

  /// Returns whether every label can be computed for every point.
  bool affine() const;
  bool contains(std::span<const int64_t> Point) const { return coordinates(Point).has_value(); }
  /// Returns label \p Label at \p Point; nothing outside the domain, or where it is top.
  std::optional<int64_t> value(std::span<const int64_t> Point, unsigned Label = 0) const;
  /// Returns the point in dimensions of the piece; nothing outside the domain.
  std::optional<std::vector<int64_t>> coordinates(std::span<const int64_t> Point) const;
  /// Returns how label \p Label changes per step of an iterator; top if that is not one number.
  Coefficient stride(unsigned Iterator, unsigned Label = 0) const;
  /// Returns the corners of the domain as iteration vectors, in lexicographic order, without
  /// duplicates.
  std::vector<std::vector<int64_t>> vertices() const;

  /// Returns text such as "0 <= cj <= 15, 1 <= ck <= 42". \p Iterators are names; missing ones are
  /// called c0, c1...
  std::string domainText(std::span<const std::string> Iterators = {}) const;
  /// Returns text such as "1cj + Tck + 67"; T is top, ? unknown. Tiles and positions in them are
  /// written k/4 and k%4.
  std::string functionText(unsigned Label = 0, std::span<const std::string> Iterators = {}) const;
  /// Returns text such as "cj' = cj, ck' <= ck": the labels as the source of a dependence between
  /// iterations of the same nest. Where a label is top, the text only says that sources are not
  /// later than what depends on them.
  std::string dependenceText(std::span<const std::string> Iterators = {}) const;

private:
  friend struct folding::PieceAccess;
  std::vector<int64_t> Raw; ///< what joins need; see profiler/folding/shapes/shape.h
};

/// How Folding::joinWindow treats iterations between two windows that were not recorded.
enum class Gaps : uint8_t {
  Keep,  ///< windows with a gap between them stay pieces of their own
  Bridge ///< pieces that one function describes become one, whose domain is no longer exact
};

/// The result of folding a stream.
struct SPECRT_FOLDING_API Folding {
  unsigned Iterators = 0, Labels = 0;
  /// Disjoint unless GaveUp or joined; in lexicographic order of their lowest points.
  std::vector<FoldedPiece> Pieces;
  uint64_t Points = 0;
  bool Widened = false; ///< coefficients may have become top
  bool GaveUp = false;  ///< one box around all points, everything top

  /// Returns the share of the points in exact pieces without top, 0 to 1; 1 for an empty stream.
  double affineShare() const;
  /// Returns label \p Label at \p Point, from the piece that contains it.
  std::optional<int64_t> value(std::span<const int64_t> Point, unsigned Label = 0) const;

  /// Adds another part of the same execution's domain, folded apart: another window of a call, or
  /// the iterations of another thread. Pieces join where geometry and functions agree. Both must
  /// have as many iterators and labels.
  void joinWindow(const Folding &Window, Gaps Between = Gaps::Keep);
  /// Adds the result of another execution of the same nest. Pieces with equal domains become one:
  /// its Executions are counted, and coefficients or constants that differ become top. If domains
  /// differ, pieces are paired in order and their domains become boxes around both; if the numbers
  /// of pieces differ, all become one box.
  void joinExecution(const Folding &Other);
};

enum class Widening : uint8_t {
  Never, ///< a label that does not fit begins a new piece: all values can be recovered
  /// Like Never, until that needs too many pieces; then like Always for pieces that are not
  /// complete or contain less than a quarter of the stream so far.
  Adaptive,
  Always ///< a label that does not fit makes a coefficient top
};

struct FoldOptions {
  Widening Widen = Widening::Adaptive;
  /// Live pieces, which may still grow, beyond which a stream is widened (Adaptive) or given up;
  /// 0: four per iterator and one.
  unsigned MaxLive = 0;
  /// Pieces, live or complete, beyond which the same happens.
  size_t MaxPieces = 256;
  /// Bytes of all pieces beyond which the same happens.
  size_t MaxBytes = size_t(1) << 20;
};

/// Folds one stream. A moved-from folder may only be destroyed or assigned to.
class SPECRT_FOLDING_API Folder {
public:
  /// \p Iterators from 1 to 16, \p Labels from 0 (only the domain is of interest) to 64.
  Folder(unsigned Iterators, unsigned Labels, const FoldOptions &Options = {});
  ~Folder();
  Folder(Folder &&) noexcept;
  Folder &operator=(Folder &&) noexcept;

  /// Adds a point, which must be lexicographically after the one before, and its labels. The arrays
  /// have as many numbers as there are iterators and labels.
  void add(const int64_t *Point, const int64_t *Labels) {
    // Fast path of regular streams: the next point of the current row, with the predicted labels.
    int64_t *Predicted = Next;
    for (unsigned K = 0; K < NumIterators; ++K)
      if (Point[K] != Predicted[K])
        return addUnforeseen(Point, Labels);
    Predicted += NumIterators;
    for (unsigned K = 0; K < NumLabels; ++K)
      if (Labels[K] != Predicted[K])
        return addUnforeseen(Point, Labels);
    ++NumPredicted;
    Predicted[-1] += Step[-1];
    for (unsigned K = 0; K < NumLabels; ++K)
      Predicted[K] = int64_t(uint64_t(Predicted[K]) + uint64_t(Step[K]));
  }
  /// Adds \p Count points: Point + i along the innermost iterator, with labels Labels + i * Steps.
  /// Equivalent to add() for each of them.
  void addRow(const int64_t *Point, uint64_t Count, const int64_t *Labels, const int64_t *Steps);

  /// Returns the folding of everything that was added. The folder is empty afterwards and may be
  /// used again.
  Folding finish();

  /// Returns the unfinished pieces, which may still grow, from the outermost. Coefficients of
  /// iterators that had only one value so far are unknown.
  std::vector<FoldedPiece> live() const;
  /// Returns the largest number of pieces that were live at a time; at most MaxLive + 1.
  unsigned peakLive() const;
  /// Returns the memory of this folder in bytes.
  size_t memory() const;

private:
  void addUnforeseen(const int64_t *Point, const int64_t *Labels);

  // The point and labels predicted after the current row's last, in one array; unattainable where
  // unknown.
  int64_t *Next = nullptr;
  const int64_t *Step = nullptr; ///< steps of the labels; before them, the step of the innermost
                                 ///< iterator
  uint64_t NumPredicted = 0;     ///< points since the last one that was not predicted
  unsigned NumIterators = 0, NumLabels = 0;
  std::unique_ptr<folding::Engine> Implementation;
};

} // namespace specrt

#endif
