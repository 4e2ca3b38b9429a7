//===- guards/memory/sequence.cpp - elements in memory follow a pattern ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/memory/sequence.h"
#include "guards/words.h"

#include <algorithm>
#include <cstring>

namespace specrt {
namespace {

template <typename T> T elementAt(const char *At) {
  T Value;
  std::memcpy(&Value, At, sizeof(T));
  return Value;
}

/// Returns whether \p Count elements, \p Bytes apart, have the values \p Value, \p Value + \p Step,
/// ...
template <typename T> bool matches(const char *At, int64_t Bytes, int64_t Count, T Value, T Step) {
  T Difference = 0;
  for (int64_t I = 0; I < Count && Difference == 0; ++I) {
    Difference = elementAt<T>(At + I * Bytes) ^ Value;
    Value = static_cast<T>(Value + Step);
  }
  return Difference == 0;
}

/// Does what matches does for adjacent elements. The expected values grow by additions, because not
/// every processor multiplies vectors of large integers.
template <typename T> bool matchesDense(const char *At, int64_t Count, T Value, T Step) {
  constexpr int64_t Bytes = 64, Lanes = Bytes / sizeof(T);
  /// The number of vectors compared between two checks of the result; small, so that a mismatch is
  /// detected early.
  constexpr int64_t Block = 16;
  using Vector [[gnu::vector_size(Bytes)]] = T;
  Vector Expected;
  for (int64_t L = 0; L < Lanes; ++L) {
    Expected[L] = Value;
    Value = static_cast<T>(Value + Step);
  }
  const Vector Apart = Vector{} + static_cast<T>(Value - Expected[0]);
  for (int64_t Left = Count / Lanes; Left > 0;) {
    Vector Difference{};
    const int64_t Now = std::min(Left, Block);
    for (int64_t I = 0; I < Now; ++I) {
      Difference |= elementAt<Vector>(At) ^ Expected;
      Expected += Apart;
      At += Bytes;
    }
    Left -= Now;
    T Any = 0;
    for (int64_t L = 0; L < Lanes; ++L)
      Any |= Difference[L];
    if (Any != 0)
      return false;
  }
  return matches<T>(At, sizeof(T), Count % Lanes, Expected[0], Step);
}

/// The place and extents of the elements in one call.
struct Elements {
  const char *First;
  int64_t Count[SequenceGuard::MaxDimensions];
};

/// Compares elements with the guard. T is unsigned, because elements are compared modulo their
/// width.
template <typename T> class Comparison {
public:
  Comparison(const SequenceGuard &Guard, const Elements &Of) : Guard(Guard), Of(Of) {}

  bool run(uint32_t Dimension, const char *At, T Value) const {
    if (Dimension + 1 == Guard.NumDimensions)
      return row(At, Value);
    for (int64_t I = 0; I < Of.Count[Dimension]; ++I) {
      if (!run(Dimension + 1, At, Value))
        return false;
      At += Guard.Stride[Dimension];
      Value = static_cast<T>(Value + static_cast<T>(Guard.Step[Dimension]));
    }
    return true;
  }

private:
  bool row(const char *At, T Value) const {
    const int64_t Stride = Guard.Stride[Guard.NumDimensions - 1];
    int64_t Left = Of.Count[Guard.NumDimensions - 1];
    for (uint32_t P = 0; P < Guard.NumPieces && Left > 0; ++P) {
      const SequencePiece &Piece = Guard.pieces()[P];
      const int64_t Count = std::min(Piece.Count, Left);
      const T First = static_cast<T>(Value + static_cast<T>(Piece.Value));
      const T Step = static_cast<T>(Piece.Step);
      const bool Same = Stride == sizeof(T) ? matchesDense<T>(At, Count, First, Step)
                                            : matches<T>(At, Stride, Count, First, Step);
      if (!Same)
        return false;
      At += Count * Stride;
      Left -= Count;
    }
    return Left == 0;
  }

  const SequenceGuard &Guard;
  const Elements &Of;
};

template <typename T> bool compare(const SequenceGuard &Guard, const Elements &Of) {
  return Comparison<T>(Guard, Of).run(0, Of.First, T{0});
}

uint32_t stored(uint32_t NumTerms) { return PolynomialView(nullptr, NumTerms).stored(); }

} // namespace

SequenceGuard::SequenceGuard(const SequenceTerms &S)
    : Base(S.Base), Width(S.Width), NumDimensions(static_cast<uint32_t>(S.Dimensions.size())),
      NumPieces(static_cast<uint32_t>(S.Pieces.size())), NumBegin(S.Begin.NumTerms), NumCount{},
      Stride{}, Step{} {
  for (uint32_t D = 0; D < std::min(NumDimensions, MaxDimensions); ++D) {
    NumCount[D] = S.Dimensions[D].Count.NumTerms;
    Stride[D] = S.Dimensions[D].Stride;
    Step[D] = S.Dimensions[D].Step;
  }
}

PolynomialView SequenceGuard::begin() const {
  return {reinterpret_cast<const specrt_term *>(this + 1), NumBegin};
}

PolynomialView SequenceGuard::count(uint32_t Dimension) const {
  const auto *Terms = reinterpret_cast<const specrt_term *>(this + 1) + stored(NumBegin);
  for (uint32_t D = 0; D < Dimension; ++D)
    Terms += stored(NumCount[D]);
  return {Terms, NumCount[Dimension]};
}

const SequencePiece *SequenceGuard::pieces() const {
  const PolynomialView Last = count(MaxDimensions - 1);
  return reinterpret_cast<const SequencePiece *>(Last.Terms + Last.stored());
}

uint32_t SequenceGuard::trailingBytes() const {
  uint32_t Terms = stored(NumBegin);
  for (uint32_t Count : NumCount)
    Terms += stored(Count);
  return Terms * static_cast<uint32_t>(sizeof(specrt_term)) +
         std::min(NumPieces, MaxPieces) * static_cast<uint32_t>(sizeof(SequencePiece));
}

bool SequenceGuard::isWellFormed() const {
  const bool IsWidth = Width == 1 || Width == 2 || Width == 4 || Width == 8;
  return IsWidth && NumDimensions >= 1 && NumDimensions <= MaxDimensions && NumPieces >= 1 &&
         NumPieces <= MaxPieces &&
         std::all_of(pieces(), pieces() + NumPieces,
                     [](const SequencePiece &P) { return P.Count > 0; });
}

const char *SequenceGuard::problem(const specrt_region &Region) const {
  if (!isWellFormed())
    return "compares elements of memory with no sequence";
  if (const char *Problem = problemOf(begin(), Region))
    return Problem;
  for (uint32_t D = 0; D < NumDimensions; ++D)
    if (const char *Problem = problemOf(count(D), Region))
      return Problem;
  return problemOf(Base, Region);
}

bool SequenceGuard::holds(const specrt_region &Region, const uint64_t *Packed) const {
  if (!isWellFormed())
    return false;
  Elements Of{};
  for (uint32_t D = 0; D < NumDimensions; ++D) {
    std::optional<int64_t> Count = evaluate(count(D), Region, Packed);
    if (!Count)
      return false;
    // No element is read, so the base may be invalid.
    if (*Count <= 0)
      return true;
    Of.Count[D] = *Count;
  }
  std::optional<int64_t> Offset = evaluate(begin(), Region, Packed);
  std::optional<uint64_t> Address = Offset ? addressOf(Base, Region, Packed) : std::nullopt;
  if (!Address)
    return false;
  Of.First = reinterpret_cast<const char *>(*Address + static_cast<uint64_t>(*Offset));
  switch (Width) {
  case 1:
    return compare<uint8_t>(*this, Of);
  case 2:
    return compare<uint16_t>(*this, Of);
  case 4:
    return compare<uint32_t>(*this, Of);
  default:
    return compare<uint64_t>(*this, Of);
  }
}

/// Returns for example "elements of 4 bytes at idx + 8 go up by 1 from 7 (100 elements)".
std::string SequenceGuard::describe(const specrt_region &Region) const {
  std::string Steps, Counts;
  for (uint32_t D = 0; D < NumDimensions; ++D) {
    const bool IsLast = D + 1 == NumDimensions;
    Steps += (D > 0 ? " and " : "") + std::to_string(IsLast ? pieces()->Step : Step[D]);
    Counts += (D > 0 ? " * " : "") + specrt::describe(count(D), Region);
  }
  const std::string Place = specrt::describe(Base, Region) +
                            (NumBegin == 0 ? "" : " + " + specrt::describe(begin(), Region));
  const std::string Elements = "elements of " + std::to_string(Width) + " bytes at " + Place;
  if (NumPieces > 1)
    return Elements + " are " + std::to_string(NumPieces) + " known sequences (" + Counts +
           " elements)";
  return Elements + " go up by " + Steps + " from " + std::to_string(pieces()->Value) + " (" +
         Counts + " elements)";
}

/// Estimates a call and a step per 16 bytes. Counts that depend on the call are assumed to be in
/// the hundreds.
double SequenceGuard::costNs() const {
  double Number = 1;
  for (uint32_t D = 0; D < NumDimensions; ++D) {
    const PolynomialView Count = count(D);
    const bool IsConstant = Count.NumTerms == 1 && Count.Terms->num_factors == 0;
    Number *=
        IsConstant ? static_cast<double>(std::max<int64_t>(Count.Terms->coefficient, 1)) : 256;
  }
  const bool Vectors = Stride[NumDimensions - 1] == static_cast<int64_t>(Width);
  return 4 + specrt::costNs(Base) + Number * (Vectors ? 0.03 * Width : 0.5);
}

Presumes SequenceGuard::presumes() const {
  return isLoaded(Base) ? Presumes::MemoryContent : Presumes::Arguments;
}

void appendSequence(GuardList &Guards, const SequenceTerms &S) {
  PolynomialView Counts[SequenceGuard::MaxDimensions];
  for (size_t D = 0; D < S.Dimensions.size(); ++D)
    Counts[D] = S.Dimensions[D].Count;
  Guards.append(SequenceGuard(S), {S.Begin, Counts[0], Counts[1], Counts[2], Counts[3]},
                {reinterpret_cast<const uint64_t *>(S.Pieces.data()),
                 S.Pieces.size() * sizeof(SequencePiece) / sizeof(uint64_t)});
}

} // namespace specrt
