//===- runtime/rows/dag_schedule/rows_by_pattern.cpp - stores rows by patterns ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/dag_schedule/rows_by_pattern.h"
#include "runtime/rows/segments.h"
#include "support/row_control.h"

#include <algorithm>
#include <utility>

namespace specrt {
namespace {

/// The limit of patterns; other rows are stored without one.
constexpr size_t MaxPatterns = 256;
/// If fewer than LeastWithPattern of the first FirstRows rows have a pattern, later rows get none.
constexpr uint64_t FirstRows = 4096, LeastWithPattern = FirstRows / 4;

size_t mixed(size_t Hash, uint64_t Number) {
  return (Hash ^ Number ^ Hash >> 29) * 0x9e3779b97f4a7c15;
}

} // namespace

RowsByPattern::RowsByPattern(const specrt_sparse_loop &Loop, uint64_t Rows)
    : Loop(Loop), PartsOf(Loop.num_classes), WhoseCode(Loop.num_classes, NoClass) {
  for (uint32_t C = 0; C < Loop.num_classes; ++C) {
    const specrt_row_class &Class = Loop.classes[C];
    if (!hasCode(Class, SPECRT_SEGMENT_PATTERN_GROUPS))
      continue;
    Parts &Of = PartsOf[C];
    for (uint32_t I = 0; I < Class.num_entries; ++I) {
      if (SPECRT_ROW_FOLLOWS_PATTERN(Class.entries[I]))
        Of.Following.push_back({I, static_cast<uint64_t>(Class.entries[I].number)});
      else if (Class.entries[I].ties & SPECRT_ROW_GIVEN)
        Of.Given.push_back(I);
    }
    for (uint32_t Like = 0; Like < Loop.num_classes; ++Like)
      if (WhoseCode[Like] == NoClass && haveSameControl(Loop.classes[Like], Class))
        WhoseCode[Like] = C;
    MostGiven = std::max(MostGiven, Of.Given.size());
  }
  PatternOf.reserve(Rows);
  Given.reserve(Rows * MostGiven);
}

/// Returns whether it is the pattern of row \p Row, whose class has \p Mine.
bool RowsByPattern::fits(const Pattern &P, const Parts &Mine, const int64_t *Trace,
                         uint64_t Row) const {
  const int64_t *Expected = Numbers.data() + P.At;
  return std::all_of(Mine.Following.begin(), Mine.Following.end(), [&](const auto &Each) {
    return static_cast<uint64_t>(Trace[Each.Entry]) ==
           static_cast<uint64_t>(Expected[Each.Entry]) + Each.Times * Row;
  });
}

/// Returns the pattern of row \p Row, which is added if there is room.
uint16_t RowsByPattern::find(uint32_t Class, const int64_t *Trace, uint64_t Row) {
  const Parts &Mine = PartsOf[Class];
  for (uint16_t &Each : Recent)
    if (Each < Patterns.size() && Patterns[Each].Class == Class &&
        fits(Patterns[Each], Mine, Trace, Row)) {
      std::swap(Each, Recent[0]);
      return Recent[0];
    }
  size_t Hash = Class;
  for (const auto &[Entry, Times] : Mine.Following)
    Hash = mixed(Hash, static_cast<uint64_t>(Trace[Entry]) - Times * Row);
  uint16_t Found = None;
  const auto [From, To] = Known.equal_range(Hash);
  for (auto At = From; At != To && Found == None; ++At)
    if (Patterns[At->second].Class == Class && fits(Patterns[At->second], Mine, Trace, Row))
      Found = At->second;
  if (Found == None) {
    if (Patterns.size() == MaxPatterns)
      return None;
    Found = static_cast<uint16_t>(Patterns.size());
    Known.emplace(Hash, Found);
    Patterns.push_back({Class, Numbers.size()});
    Numbers.resize(Numbers.size() + Loop.classes[Class].num_entries);
    for (const auto &[Entry, Times] : Mine.Following)
      Numbers[Patterns.back().At + Entry] =
          static_cast<int64_t>(static_cast<uint64_t>(Trace[Entry]) - Times * Row);
  }
  NextRecent = NextRecent % (Recent.size() - 1) + 1;
  Recent[NextRecent] = std::exchange(Recent[0], Found);
  return Found;
}

void RowsByPattern::row(uint32_t Like, const int64_t *Trace) {
  const auto Row = static_cast<uint64_t>(PatternOf.size());
  PatternOf.push_back(None);
  if (Row > FirstRows && NumWithPattern < LeastWithPattern)
    return;
  Given.resize(Given.size() + MostGiven);
  const uint32_t Class = Like < WhoseCode.size() ? WhoseCode[Like] : NoClass;
  if (Class == NoClass)
    return;
  PatternOf.back() = find(Class, Trace, Row);
  if (PatternOf.back() == None)
    return;
  ++NumWithPattern;
  for (size_t I = 0; I < PartsOf[Class].Given.size(); ++I)
    Given[Row * MostGiven + I] = Trace[PartsOf[Class].Given[I]];
}

void RowsByPattern::begin(RowTable &T, size_t Rows) const {
  T.Patterns = Numbers;
  T.PatternOrigins.reserve(Rows * (1 + MostGiven));
}

void RowsByPattern::addRows(RowTable &T, std::span<const uint32_t> Rows, specrt_segment_kind Kind,
                            size_t First) const {
  const Pattern &P = Patterns[PatternOf[Rows[0]]];
  const SegmentCode Code{Kind, P.Class};
  const auto Address = static_cast<int64_t>(reinterpret_cast<uintptr_t>(T.Patterns.data() + P.At));
  if (T.Segments.size() <= First || !Code.runs(T.Segments.back()) ||
      T.Segments.back().first != Address)
    T.Segments.push_back(Code.segment(T.PatternOrigins.data() + T.PatternOrigins.size(), Address,
                                      /*Count=*/0));
  ++T.Segments.back().count;
  for (const uint32_t Row : Rows) {
    T.PatternOrigins.push_back(Row);
    const int64_t *Own = Given.data() + Row * MostGiven;
    T.PatternOrigins.insert(T.PatternOrigins.end(), Own, Own + PartsOf[P.Class].Given.size());
  }
}

} // namespace specrt
