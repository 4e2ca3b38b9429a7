//===- specrt/folding.h - streams of values as piecewise affine functions -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folds what an instrumented execution shows, (iteration vector, label vector) by (iteration
// vector, label vector), into few pieces: a domain with affine bounds and one affine function per
// label.
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
// Vectors are outermost first. Arithmetic on labels is modulo 2^64. What is said of a stream holds
// for the points that were added, not for another execution.
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

/// libspecrt.so exports what is marked so.
#define SPECRT_FOLDING_API __attribute__((visibility("default")))

namespace specrt {

namespace folding {
class Engine;
struct PieceAccess;
} // namespace folding

/// A number, top (it varies, and not affinely) or, in unfinished pieces only, not known yet.
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

  bool affine() const; ///< nothing is top
  /// Nothing where a top coefficient meets a value other than 0, or the constant is top.
  std::optional<int64_t> at(std::span<const int64_t> Z) const;
  bool operator==(const AffineFunction &) const = default;
};

/// A dimension of a piece. Most iterators have one with Scale 1: then z is the iterator itself.
/// An iterator of which only every s-th value occurs has one with Scale s. One that was tiled or
/// linearised has two: the tile, from 0, with the tile's distance as Scale, and what is inside.
struct FoldedDimension {
  unsigned Iterator = 0;
  int64_t Scale = 1;
  AffineFunction Lower, Upper; ///< inclusive; of the dimensions outside this one
};

/// A set of iteration vectors and what the labels are there.
class SPECRT_FOLDING_API FoldedPiece {
public:
  /// The domain is { x : Dimensions' bounds hold for z, x[k] = Offsets[k](z) + sum Scale * z[l]
  /// over the dimensions l of iterator k }. Dimensions are ordered by iterator.
  std::vector<FoldedDimension> Dimensions;
  /// One per iterator; 0 where z is the iterator itself; else of the dimensions outside.
  std::vector<AffineFunction> Offsets;
  /// One per label. Where the coefficient of dimension d is a number k, then f(z + e_d) - f(z) == k
  /// for all points z, z + e_d of the piece, whatever is top elsewhere.
  std::vector<AffineFunction> Functions;

  uint64_t Points = 0;     ///< that were added; fewer than the domain has if that is not exact
  uint64_t Executions = 1; ///< that showed this piece; see Folding::joinExecution
  /// The domain has exactly the points that were added. False after giving up and where a join
  /// had to bridge a gap: then it contains them.
  bool ExactDomain = true;

  /// Every label can be computed for every point.
  bool affine() const;
  bool contains(std::span<const int64_t> Point) const { return coordinates(Point).has_value(); }
  /// What label number \p Label is at \p Point; nothing outside the domain, or where it is top.
  std::optional<int64_t> value(std::span<const int64_t> Point, unsigned Label = 0) const;
  /// The point in dimensions of the piece; nothing outside the domain.
  std::optional<std::vector<int64_t>> coordinates(std::span<const int64_t> Point) const;
  /// How label number \p Label changes per step of an iterator; top where that is not one number.
  Coefficient stride(unsigned Iterator, unsigned Label = 0) const;
  /// The corners of the domain as iteration vectors, in lexicographic order, without duplicates.
  std::vector<std::vector<int64_t>> vertices() const;

  /// "0 <= cj <= 15, 1 <= ck <= 42". \p Iterators are names; those missing are called c0, c1...
  std::string domainText(std::span<const std::string> Iterators = {}) const;
  /// "1cj + Tck + 67"; T is top, ? unknown. Tiles and positions in them are k/4 and k%4.
  std::string functionText(unsigned Label = 0, std::span<const std::string> Iterators = {}) const;
  /// "cj' = cj, ck' <= ck": the labels as the source of a dependence of iterations of the same
  /// nest. Where one is top, that sources are not later than what depends on them is all that is
  /// known.
  std::string dependenceText(std::span<const std::string> Iterators = {}) const;

private:
  friend struct folding::PieceAccess;
  std::vector<int64_t> Raw; ///< what joins need; see profiler/folding/shapes/shape.h
};

/// How Folding::joinWindow treats iterations between two windows that nobody looked at.
enum class Gaps : uint8_t {
  Keep,  ///< windows with a gap between them stay pieces of their own
  Bridge ///< pieces that one function describes become one, whose domain is no longer exact
};

/// What a stream was folded into.
struct SPECRT_FOLDING_API Folding {
  unsigned Iterators = 0, Labels = 0;
  /// Disjoint, unless GaveUp or joined; in lexicographic order of their lowest points.
  std::vector<FoldedPiece> Pieces;
  uint64_t Points = 0;
  bool Widened = false; ///< coefficients may have become top
  bool GaveUp = false;  ///< one box around all points, everything top

  /// Share of the points in exact pieces without top, 0 to 1; 1 for an empty stream.
  double affineShare() const;
  /// What label number \p Label is at \p Point, from the piece that contains it.
  std::optional<int64_t> value(std::span<const int64_t> Point, unsigned Label = 0) const;

  /// Adds another part of the same execution's domain, folded apart: another window of a call, or
  /// the iterations of another thread. Pieces join where geometry and functions agree. Both must
  /// have as many iterators and labels.
  void joinWindow(const Folding &Window, Gaps Between = Gaps::Keep);
  /// Adds what another execution of the same nest showed. Pieces with equal domains become one:
  /// its Executions are counted, and coefficients or constants that differ become top. When domains
  /// differ, pieces are paired in order and their domains become boxes around both; when there are
  /// not equally many, all becomes one box.
  void joinExecution(const Folding &Other);
};

enum class Widening : uint8_t {
  Never, ///< a label that does not fit begins a new piece: all values can be recovered
  /// As Never; once that needs too many pieces, as if it had been Always for what is not complete
  /// or makes up less than a quarter of the stream by then.
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

/// Folds one stream. One that was moved from may be destroyed or assigned to.
class SPECRT_FOLDING_API Folder {
public:
  /// \p Iterators from 1 to 16, \p Labels from 0 (only the domain is of interest) to 64.
  Folder(unsigned Iterators, unsigned Labels, const FoldOptions &Options = {});
  ~Folder();
  Folder(Folder &&) noexcept;
  Folder &operator=(Folder &&) noexcept;

  /// Adds a point, lexicographically behind the one before, and its labels. Arrays of as many
  /// numbers as there are iterators and labels.
  void add(const int64_t *Point, const int64_t *Labels) {
    // Regular streams stay here: the next point of the current row, with the labels foreseen.
    int64_t *Foreseen = Next;
    for (unsigned K = 0; K < NumIterators; ++K)
      if (Point[K] != Foreseen[K])
        return addUnforeseen(Point, Labels);
    Foreseen += NumIterators;
    for (unsigned K = 0; K < NumLabels; ++K)
      if (Labels[K] != Foreseen[K])
        return addUnforeseen(Point, Labels);
    ++Foreseeable;
    Foreseen[-1] += Step[-1];
    for (unsigned K = 0; K < NumLabels; ++K)
      Foreseen[K] = int64_t(uint64_t(Foreseen[K]) + uint64_t(Step[K]));
  }
  /// Adds \p Count points at once: Point, then Point + i along the innermost iterator, with labels
  /// Labels + i * Steps. As add() for each of them.
  void addRow(const int64_t *Point, uint64_t Count, const int64_t *Labels, const int64_t *Steps);

  /// Everything that was added. The folder is empty afterwards and may be used again.
  Folding finish();

  /// The unfinished pieces: those that may still grow, from the outermost, with unknown
  /// coefficients (of iterators that had one value so far).
  std::vector<FoldedPiece> live() const;
  /// The most pieces that were alive at a time; at most MaxLive and one.
  unsigned peakLive() const;
  /// Of this folder, in bytes.
  size_t memory() const;

private:
  void addUnforeseen(const int64_t *Point, const int64_t *Labels);

  // The point and labels after the current row's last, in one array; unattainable where unknown.
  int64_t *Next = nullptr;
  const int64_t *Step = nullptr; ///< of labels; before it, of the innermost iterator
  uint64_t Foreseeable = 0;      ///< points since the last one that was not foreseen
  unsigned NumIterators = 0, NumLabels = 0;
  std::unique_ptr<folding::Engine> Implementation;
};

} // namespace specrt

#endif
