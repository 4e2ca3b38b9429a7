//===- structure/rows/predicted_reads.cpp - checks predicted contents of memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/rows/predicted_reads.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace specrt {
namespace {

/// Numbers of rows that are checked together. The first batch is small, as many predictions fail
/// early. If the rows of a read are far apart, a batch is limited so that its memory stays in the
/// cache for the next read.
constexpr uint64_t FewRows = 128, ManyRows = 1024, LeastRows = 16, CachedBytes = uint64_t{16} << 10;
/// Limits for the pattern of neighbouring reads of some rows: at least PatternReads, so that one
/// step of the loop does not wait for the one before it, whole vectors if possible, and at most
/// MaxPattern.
constexpr size_t PatternReads = 64, VectorReads = 16, MaxPattern = 1024, MaxGroup = 512;
/// Rows with fewer neighbours are checked read by read.
constexpr size_t FewNeighbours = 8;

using Group = PredictedReads::Group;

template <typename T> T load(const std::byte *From) {
  T Value;
  std::memcpy(&Value, From, sizeof(T));
  return Value;
}

const std::byte *at(uint64_t Address) { return reinterpret_cast<const std::byte *>(Address); }

/// Returns nonzero if a value differs from the expected one; advances the expected values.
template <typename T>
T compare(const std::byte *__restrict From, T *__restrict Expected, const T *__restrict Growth,
          size_t Count) {
  T Differ = 0;
  for (size_t I = 0; I < Count; ++I) {
    Differ |= static_cast<T>(load<T>(From + I * sizeof(T)) ^ Expected[I]);
    Expected[I] = static_cast<T>(Expected[I] + Growth[I]);
  }
  return Differ;
}

/// Expected values of the reads of some rows, and their growth to the next batch of rows.
template <typename T> struct Pattern {
  alignas(64) T Expected[MaxPattern];
  alignas(64) T Growth[MaxPattern];
  size_t Rows = 1;

  /// Covers row \p Begin and rows after it, or before it if \p Descends, at most \p Most.
  Pattern(const Group &G, const LinearWord *Of, uint64_t Begin, bool Descends, uint64_t Most) {
    for (size_t I = 0; I < G.Count; ++I) {
      Expected[I] = static_cast<T>(Of[I].in(Begin));
      Growth[I] = static_cast<T>(Descends ? -Of[I].Delta : Of[I].Delta);
    }
    // Doubles the number of rows, with increments that are twice as large.
    const auto IsGood = [](size_t Count) {
      return Count >= PatternReads && Count % VectorReads == 0;
    };
    for (size_t Count = G.Count; !IsGood(Count) && 2 * Count <= MaxPattern && Rows < Most;
         Count *= 2, Rows *= 2)
      for (size_t I = 0; I < Count; ++I) {
        const T By = Growth[I];
        Expected[Count + I] = static_cast<T>(Expected[I] + By);
        Growth[I] = Growth[Count + I] = static_cast<T>(By + By);
      }
  }
};

/// Returns whether rows with adjacent reads, compared as one sequence, are as predicted. The
/// sequence begins with the last row if addresses descend.
template <typename T>
bool isFollowed(const Group &G, const LinearWord *Of, uint64_t Begin, uint64_t Rows) {
  const bool Descends = static_cast<int64_t>(G.Address.Delta) < 0;
  const uint64_t Lowest = Descends ? Begin + Rows - 1 : Begin;
  Pattern<T> Next(G, Of, Lowest, Descends, Rows);
  const std::byte *From = at(G.Address.in(Lowest));
  T Differ = 0;
  for (uint64_t Left = Rows; Left > 0;) {
    const size_t Now = std::min<uint64_t>(Left, Next.Rows);
    Differ |= compare(From, Next.Expected, Next.Growth, Now * G.Count);
    From += Now * G.Count * sizeof(T);
    Left -= Now;
  }
  return Differ == 0;
}

/// Returns whether other rows are as predicted.
template <typename T>
bool isStrided(const Group &G, const LinearWord *Of, uint64_t Begin, uint64_t Rows) {
  uint64_t From = G.Address.in(Begin);
  T Differ = 0;
  if (G.Count < FewNeighbours) {
    for (size_t I = 0; I < G.Count; ++I) {
      T Expected = static_cast<T>(Of[I].in(Begin));
      const T By = static_cast<T>(Of[I].Delta);
      for (uint64_t Row = 0; Row < Rows; ++Row) {
        Differ |=
            static_cast<T>(load<T>(at(From + Row * G.Address.Delta) + I * sizeof(T)) ^ Expected);
        Expected = static_cast<T>(Expected + By);
      }
    }
    return Differ == 0;
  }
  Pattern<T> Next(G, Of, Begin, /*Descends=*/false, /*Most=*/1);
  for (uint64_t Row = 0; Row < Rows; ++Row)
    Differ |= compare(at(From + Row * G.Address.Delta), Next.Expected, Next.Growth, G.Count);
  return Differ == 0;
}

/// Returns whether the reads of consecutive rows are adjacent in memory.
bool follow(const Group &G) {
  const uint64_t InRow = G.Count << G.LogBytes;
  return G.Address.Delta == InRow || G.Address.Delta == -InRow;
}

/// Returns how many of \p Rows rows from row \p Begin on are as predicted.
template <typename T>
uint64_t verified(const Group &G, const LinearWord *Of, uint64_t Begin, uint64_t Rows) {
  if (follow(G) ? isFollowed<T>(G, Of, Begin, Rows) : isStrided<T>(G, Of, Begin, Rows))
    return Rows;
  for (uint64_t Row = 0; Row < Rows; ++Row)
    for (size_t I = 0; I < G.Count; ++I)
      if (load<T>(at(G.Address.in(Begin + Row)) + I * sizeof(T)) !=
          static_cast<T>(Of[I].in(Begin + Row)))
        return Row;
  return 0; // another thread writes there, so nothing is known
}

uint64_t verified(const Group &G, const LinearWord *Of, uint64_t Begin, uint64_t Rows) {
  switch (G.LogBytes) {
  case 0:
    return verified<uint8_t>(G, Of, Begin, Rows);
  case 1:
    return verified<uint16_t>(G, Of, Begin, Rows);
  case 2:
    return verified<uint32_t>(G, Of, Begin, Rows);
  default:
    return verified<uint64_t>(G, Of, Begin, Rows);
  }
}

} // namespace

uint64_t LinearWord::rowsWithin(int64_t Low, int64_t High, uint64_t Most) const {
  const auto Now = static_cast<int64_t>(Value), By = static_cast<int64_t>(Delta);
  if (Now < Low || Now > High)
    return 0;
  if (By == 0)
    return Most;
  const uint64_t Room =
      By > 0 ? static_cast<uint64_t>(High) - Value : Value - static_cast<uint64_t>(Low);
  return std::min(Most, Room / (By > 0 ? Delta : -Delta));
}

uint64_t rowsInOrder(const LinearWord &X, const LinearWord &Y, uint64_t Most) {
  Most =
      std::min(X.rowsWithin(INT64_MIN, INT64_MAX, Most), Y.rowsWithin(INT64_MIN, INT64_MAX, Most));
  using Wide = __int128;
  const auto Difference = [](uint64_t A, uint64_t B) {
    return Wide{static_cast<int64_t>(A)} - static_cast<int64_t>(B);
  };
  Wide Apart = Difference(X.Value, Y.Value), Growth = Difference(X.Delta, Y.Delta);
  if (Apart == 0)
    return Growth == 0 ? Most : 0;
  if (Apart < 0) {
    Apart = -Apart;
    Growth = -Growth;
  }
  return Growth >= 0 ? Most : static_cast<uint64_t>(std::min<Wide>(Most, (Apart - 1) / -Growth));
}

uint64_t rowsOfWidth(const LinearWord &Value, unsigned LogBytes, uint64_t Most) {
  if (LogBytes == 3)
    return Most;
  const int64_t Limit = int64_t{1} << ((8U << LogBytes) - 1);
  return static_cast<int64_t>(Value.Value) < 0 ? Value.rowsWithin(-Limit, -1, Most)
                                               : Value.rowsWithin(0, Limit - 1, Most);
}

void PredictedReads::clear() {
  for (ReadsOfTurn &Each : Turns) {
    Each.Values.clear();
    Each.Groups.clear();
  }
}

void PredictedReads::add(const Read &R, Turn When) {
  ReadsOfTurn &Into = Turns[When];
  Group *Before = When == Last && !Into.Groups.empty() ? &Into.Groups.back() : nullptr;
  if (Before && Before->LogBytes == R.LogBytes && Before->Address.Delta == R.Address.Delta &&
      Before->Address.Value + (Before->Count << R.LogBytes) == R.Address.Value &&
      Before->Count < MaxGroup)
    ++Before->Count;
  else
    Into.Groups.push_back({.FirstRead = Into.Values.size(),
                           .Count = 1,
                           .Address = R.Address,
                           .LogBytes = R.LogBytes});
  Into.Values.push_back(R.Value);
}

/// Returns the number of rows to check together.
uint64_t PredictedReads::rowsTogether() const {
  uint64_t Stride = 1;
  for (const ReadsOfTurn &Each : Turns)
    for (const Group &G : Each.Groups)
      if (const auto By = static_cast<int64_t>(G.Address.Delta); !follow(G))
        Stride = std::max(Stride, static_cast<uint64_t>(By < 0 ? -By : By));
  return std::clamp(CachedBytes / Stride, LeastRows, ManyRows);
}

uint64_t PredictedReads::verify(uint64_t Most) const {
  const uint64_t Many = rowsTogether();
  uint64_t Done = 0;
  for (uint64_t Rows = std::min(FewRows, Many); Done < Most; Rows = std::min(2 * Rows, Many)) {
    const uint64_t Asked = std::min(Rows, Most - Done);
    uint64_t Good = Asked;
    for (const ReadsOfTurn &Each : Turns)
      for (const Group &G : Each.Groups)
        if (Good > 0)
          Good = verified(G, Each.Values.data() + G.FirstRead, Done + 1, Good);
    Done += Good;
    if (Good < Asked)
      break;
  }
  return Done;
}

} // namespace specrt
