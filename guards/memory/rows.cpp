//===- guards/memory/rows.cpp - rows behind row pointers do not overlap --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/memory/rows.h"
#include "guards/terms.h"
#include "guards/words.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

namespace specrt {
namespace {

/// The fixed part of a range in a record; its levels and the terms of both its bounds follow.
struct Head {
  specrt_base Base;
  uint16_t IsWritten, NumLevels, NumBegin, NumEnd;
};
static_assert(sizeof(Head) == 2 * sizeof(uint64_t));

/// One range as a record stores it.
struct Stored {
  const Head *H = nullptr;
  const PointerLevel *Levels = nullptr;
  PolynomialView Begin, End;

  bool isWritten() const { return H->IsWritten != 0; }
  std::span<const PointerLevel> levels() const { return {Levels, H->NumLevels}; }
};

/// Reads the ranges of a record. The record may have any content.
class Reader {
public:
  explicit Reader(const RowsGuard &Guard)
      : At(reinterpret_cast<const uint64_t *>(&Guard + 1)), Left(Guard.words()) {}

  /// Reads the next range. Returns false when there is none, or it is not well formed.
  bool next(Stored &Range) {
    Range.H = take<Head>(1);
    if (!Range.H || Range.H->NumLevels > RowsGuard::MaxLevels ||
        Range.H->NumBegin > SPECRT_MAX_TERMS || Range.H->NumEnd > SPECRT_MAX_TERMS)
      return false;
    Range.Levels = take<PointerLevel>(Range.H->NumLevels);
    const auto *Begin = take<specrt_term>(Range.H->NumBegin);
    const auto *End = take<specrt_term>(Range.H->NumEnd);
    Range.Begin = {Begin, Range.H->NumBegin};
    Range.End = {End, Range.H->NumEnd};
    return Range.Levels && Begin && End;
  }
  bool isAtEnd() const { return Left == 0; }

private:
  template <typename T> const T *take(uint32_t Count) {
    const uint32_t Words = Count * static_cast<uint32_t>(sizeof(T) / sizeof(uint64_t));
    if (Words > Left)
      return nullptr;
    const auto *Taken = reinterpret_cast<const T *>(At);
    At += Words;
    Left -= Words;
    return Taken;
  }

  const uint64_t *At;
  uint32_t Left;
};

/// The bytes of one row, and a flag in the low bit: set if the row is written.
struct Interval {
  uint64_t Begin, EndAndWritten;

  uint64_t end() const { return EndAndWritten >> 1; }
  bool isWritten() const { return (EndAndWritten & 1) != 0; }
  bool operator<(const Interval &Other) const { return Begin < Other.Begin; }
};

/// A range, evaluated for one call.
struct Rows {
  Stored Range;
  uint64_t Base = 0;
  int64_t Begin = 0, End = 0;
  /// The span from the first to the last byte of all rows.
  uint64_t Low = UINT64_MAX, High = 0;
  bool InOrder = true; ///< rows are sorted by address without overlaps, ascending or descending

  bool isEmpty() const { return Low >= High; }

  /// Calls \p Visit with begin and end of each row until it returns false.
  template <typename Visitor> bool forEach(const Visitor &Visit) const {
    return forEachRun([&](const char *At, int64_t Count, int64_t Stride) {
      for (int64_t I = 0; I < Count; ++I, At += Stride) {
        const uint64_t Row = pointerAt(At);
        if (!Visit(Row + static_cast<uint64_t>(Begin), Row + static_cast<uint64_t>(End)))
          return false;
      }
      return true;
    });
  }

  /// Calls \p Visit with each run of row pointers (the first one's place, their number, the bytes
  /// between them) until it returns false.
  template <typename Visitor> bool forEachRun(const Visitor &Visit) const {
    if (Range.levels().empty())
      return Visit(reinterpret_cast<const char *>(&Base), 1, 0);
    return visit(Range.levels(), Base, Visit);
  }

  static uint64_t pointerAt(const char *At) {
    uint64_t Pointer;
    std::memcpy(&Pointer, At, sizeof(Pointer));
    return Pointer;
  }

private:
  template <typename Visitor>
  bool visit(std::span<const PointerLevel> Levels, uint64_t From, const Visitor &Visit) const {
    const PointerLevel &Level = Levels.front();
    const char *At = reinterpret_cast<const char *>(From + static_cast<uint64_t>(Level.Begin));
    if (Levels.size() == 1)
      return Visit(At, Level.Count, Level.Stride);
    for (int64_t I = 0; I < Level.Count; ++I, At += Level.Stride)
      if (!visit(Levels.subspan(1), pointerAt(At), Visit))
        return false;
    return true;
  }
};

/// Properties of the row pointers of a range that were read so far.
struct Seen {
  uint64_t Least = UINT64_MAX, Largest = 0, Last = 0;
  bool Rising = true, Falling = true, IsFirst = true;

  void add(uint64_t Row, int64_t Bytes) {
    const auto Step = static_cast<int64_t>(Row - Last);
    Rising &= IsFirst || Step >= Bytes;
    Falling &= IsFirst || Step <= -Bytes;
    IsFirst = false;
    Last = Row;
    Least = std::min(Least, Row);
    Largest = std::max(Largest, Row);
  }

  /// Adds \p Count row pointers. \p Bytes is the length of one row.
  void add(const char *At, int64_t Count, int64_t Stride, int64_t Bytes) {
    if (Count > 1 && Stride == sizeof(uint64_t) && isRising(At, Count, Bytes)) {
      add(Rows::pointerAt(At), Bytes);
      Falling = false;
      Last = Rows::pointerAt(At + (Count - 1) * Stride);
      Largest = std::max(Largest, Last);
      return;
    }
    for (int64_t I = 0; I < Count; ++I, At += Stride)
      add(Rows::pointerAt(At), Bytes);
  }

private:
  /// Returns whether the pointers ascend by at least \p Bytes and all may be addresses. This is the
  /// usual case, and the loop can be vectorised.
  static bool isRising(const char *At, int64_t Count, int64_t Bytes) {
    uint64_t TooSmall = 0, All = Rows::pointerAt(At);
    for (int64_t I = 1; I < Count; ++I) {
      const uint64_t Before = Rows::pointerAt(At + (I - 1) * sizeof(uint64_t)),
                     Row = Rows::pointerAt(At + I * sizeof(uint64_t));
      TooSmall |= Row - Before - static_cast<uint64_t>(Bytes);
      All |= Row;
    }
    return TooSmall >> 63 == 0 && All >> 62 == 0;
  }
};

/// Reads the row pointers once. Returns false when they cannot be addresses of rows.
bool look(Rows &At) {
  constexpr int64_t Most = INT64_MAX / 4;
  if (At.Begin < -Most || At.End > Most)
    return false;
  Seen All;
  At.forEachRun([&](const char *First, int64_t Count, int64_t Stride) {
    All.add(First, Count, Stride, At.End - At.Begin);
    return true;
  });
  if (All.IsFirst)
    return true;
  const int64_t Low = static_cast<int64_t>(All.Least) + At.Begin;
  if (All.Largest > static_cast<uint64_t>(Most) || Low < 0)
    return false;
  At.Low = static_cast<uint64_t>(Low);
  At.High = static_cast<uint64_t>(static_cast<int64_t>(All.Largest) + At.End);
  At.InOrder = All.Rising || All.Falling;
  return true;
}

/// All ranges of a record, evaluated for one call. read returns false when some cannot be
/// evaluated.
struct Call {
  std::array<Rows, RowsGuard::MaxRanges> Ranges;
  uint32_t NumRanges = 0;

  bool read(const RowsGuard &Guard, const specrt_region &Region, const uint64_t *Packed);
  bool areApartAsAWhole() const;
  std::span<const Rows> all() const { return {Ranges.data(), NumRanges}; }
};

bool Call::read(const RowsGuard &Guard, const specrt_region &Region, const uint64_t *Packed) {
  Reader Source(Guard);
  for (uint32_t I = 0; I < Guard.NumRanges; ++I) {
    Rows &R = Ranges[NumRanges];
    if (!Source.next(R.Range))
      return false;
    std::optional<int64_t> Begin = evaluate(R.Range.Begin, Region, Packed);
    std::optional<int64_t> End = evaluate(R.Range.End, Region, Packed);
    if (!Begin || !End)
      return false;
    // An empty range must not read its base, which may point anywhere.
    if (*End <= *Begin)
      continue;
    std::optional<uint64_t> Base = addressOf(R.Range.H->Base, Region, Packed);
    if (!Base)
      return false;
    R.Base = *Base;
    R.Begin = *Begin;
    R.End = *End;
    if (!look(R))
      return false;
    if (!R.isEmpty())
      ++NumRanges;
  }
  return true;
}

bool Call::areApartAsAWhole() const {
  for (const Rows &A : all()) {
    if (!A.Range.isWritten())
      continue;
    if (!A.InOrder)
      return false;
    for (const Rows &B : all())
      if (&A != &B && A.Low < B.High && B.Low < A.High)
        return false;
  }
  return true;
}

/// Memory for sorting rows. Pages that were never used cost nothing.
struct Sorting {
  std::atomic<bool> IsInUse{false};
  std::array<Interval, RowsGuard::MaxSorted> Intervals, Merged;
};
Sorting Places[2];

/// Takes one of the places while no other call uses it. A call that is left by longjmp keeps its
/// place for ever.
class SortingPlace {
public:
  SortingPlace() {
    for (Sorting &Place : Places)
      if (!Place.IsInUse.exchange(true, std::memory_order_acquire)) {
        Own = &Place;
        break;
      }
  }
  ~SortingPlace() {
    if (Own)
      Own->IsInUse.store(false, std::memory_order_release);
  }
  SortingPlace(const SortingPlace &) = delete;
  SortingPlace &operator=(const SortingPlace &) = delete;
  explicit operator bool() const { return Own != nullptr; }
  Sorting *operator->() const { return Own; }

private:
  Sorting *Own = nullptr;
};

/// Sorts \p Count intervals, which are in \p From, using both arrays, and returns the one that
/// holds the result. Rows of tables that were allocated in turn form a few ascending runs, which
/// only have to be merged.
const Interval *sorted(Interval *From, Interval *Other, uint32_t Count) {
  constexpr uint32_t MaxRuns = 64;
  std::array<uint32_t, MaxRuns + 1> Begins;
  uint32_t Runs = 0;
  for (uint32_t I = 0; I < Count; ++I)
    if (I == 0 || From[I] < From[I - 1]) {
      if (Runs == MaxRuns) {
        std::sort(From, From + Count);
        return From;
      }
      Begins[Runs++] = I;
    }
  Begins[Runs] = Count;
  while (Runs > 1) {
    uint32_t Left = 0;
    for (uint32_t R = 0; R < Runs; R += 2) {
      const uint32_t Middle = Begins[R + 1], End = Begins[std::min(R + 2, Runs)];
      std::merge(From + Begins[R], From + Middle, From + Middle, From + End, Other + Begins[R]);
      Begins[Left++] = Begins[R];
    }
    Begins[Left] = Count;
    Runs = Left;
    std::swap(From, Other);
  }
  return From;
}

/// Returns whether no written row shares a byte with another one, by sorting all rows.
bool areApart(const Call &C) {
  const SortingPlace Place;
  if (!Place)
    return false;
  uint32_t Count = 0;
  for (const Rows &R : C.all()) {
    const uint64_t Written = R.Range.isWritten();
    const bool Fit = R.forEach([&](uint64_t Begin, uint64_t End) {
      if (Count == RowsGuard::MaxSorted)
        return false;
      Place->Intervals[Count++] = {Begin, End << 1 | Written};
      return true;
    });
    if (!Fit)
      return false;
  }
  const Interval *All = sorted(Place->Intervals.data(), Place->Merged.data(), Count);
  uint64_t End = 0, WrittenEnd = 0;
  for (const Interval &I : std::span(All, Count)) {
    if (I.Begin < (I.isWritten() ? End : WrittenEnd))
      return false;
    End = std::max(End, I.end());
    if (I.isWritten())
      WrittenEnd = std::max(WrittenEnd, I.end());
  }
  return true;
}

} // namespace

const char *RowsGuard::problem(const specrt_region &Region) const {
  if (NumRanges == 0 || NumRanges > MaxRanges)
    return "compares no rows, or too many";
  Reader Source(*this);
  Stored Range;
  for (uint32_t I = 0; I < NumRanges; ++I) {
    if (!Source.next(Range))
      return "compares rows that are not there";
    if (const char *Problem = problemOf(Range.H->Base, Region))
      return Problem;
    for (const PolynomialView &Bound : {Range.Begin, Range.End})
      if (const char *Problem = problemOf(Bound, Region))
        return Problem;
  }
  return Source.isAtEnd() ? nullptr : "compares rows and something more";
}

bool RowsGuard::holds(const specrt_region &Region, const uint64_t *Packed) const {
  if (NumRanges == 0 || NumRanges > MaxRanges)
    return false;
  Call C;
  return C.read(*this, Region, Packed) && (C.areApartAsAWhole() || areApart(C));
}

/// Returns for example "120 rows of w[0, 720) (written) and x[0, 960) do not overlap".
std::string RowsGuard::describe(const specrt_region &Region) const {
  Reader Source(*this);
  Stored Range;
  std::string Text;
  for (uint32_t I = 0; I < NumRanges && Source.next(Range); ++I) {
    Text += I == 0 ? "" : I + 1 == NumRanges ? " and " : ", ";
    const std::string Bytes =
        specrt::describe(RangeView{Range.H->Base, Range.Begin, Range.End}, Region);
    std::string Count;
    for (const PointerLevel &Level : Range.levels())
      Count.append(Count.empty() ? "" : " * ").append(std::to_string(Level.Count));
    Text += Count.empty() ? Bytes : Count.append(" rows of ").append(Bytes);
    Text += Range.isWritten() ? " (written)" : "";
  }
  return Text + " do not overlap";
}

/// The estimate assumes that no row has to be sorted.
double RowsGuard::costNs() const {
  Reader Source(*this);
  Stored Range;
  double Ns = 4;
  for (uint32_t I = 0; I < NumRanges && Source.next(Range); ++I) {
    double Number = 1;
    for (const PointerLevel &Level : Range.levels())
      Number *= static_cast<double>(std::max<int64_t>(Level.Count, 1));
    Ns += specrt::costNs(Range.H->Base) + specrt::costNs(Range.Begin) + specrt::costNs(Range.End) +
          Number;
  }
  return Ns;
}

void appendRows(GuardList &Guards, std::span<const RowRanges> Ranges) {
  std::vector<uint64_t> Words;
  auto Add = [&](const auto &Part) {
    static_assert(sizeof(Part) % sizeof(uint64_t) == 0);
    const size_t Begin = Words.size();
    Words.resize(Begin + sizeof(Part) / sizeof(uint64_t));
    std::memcpy(Words.data() + Begin, &Part, sizeof(Part));
  };
  for (const RowRanges &R : Ranges) {
    Add(Head{.Base = R.Base,
             .IsWritten = R.IsWritten,
             .NumLevels = static_cast<uint16_t>(R.Levels.size()),
             .NumBegin = static_cast<uint16_t>(R.Begin.stored()),
             .NumEnd = static_cast<uint16_t>(R.End.stored())});
    for (const PointerLevel &Level : R.Levels)
      Add(Level);
    for (const PolynomialView &Bound : {R.Begin, R.End})
      for (uint32_t T = 0; T < Bound.stored(); ++T)
        Add(normalised(Bound.Terms[T]));
  }
  Guards.append(
      RowsGuard(static_cast<uint32_t>(Ranges.size()), static_cast<uint32_t>(Words.size())), {},
      Words);
}

} // namespace specrt
