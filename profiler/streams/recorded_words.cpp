//===- profiler/streams/recorded_words.cpp - decodes the words of a recording ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/streams/recorded_words.h"

#include <optional>

namespace specrt {

bool RecordedWords::next(RecordedPoint &Point) {
  constexpr uint64_t Mask = (uint64_t{1} << SPECRT_RECORDED_ADDRESS_BITS) - 1;
  while (At < End) {
    const uint64_t Word = *At++;
    const auto Which = static_cast<uint32_t>(Word >> SPECRT_RECORDED_ADDRESS_BITS);
    if (Which >= SPECRT_LOOP_MARK) {
      int64_t &Number = Iteration[(Which - SPECRT_LOOP_MARK) % SPECRT_MAX_RECORDED_LOOPS];
      const auto Begun = static_cast<int64_t>(Word & Mask);
      Gaps += Begun != 0 && Begun != Number + 1;
      Number = Begun;
      continue;
    }
    if (Which >= Accesses.size())
      return false;
    const specrt_recorded_access &Access = Accesses[Which];
    for (uint32_t D = 0; D < Access.depth; ++D)
      Vector[D] = Iteration[Access.loops[D]];
    Point = {.Access = Which, .At = Vector, .Address = Word & Mask, .Value = 0};
    if (Access.flags & SPECRT_RECORDED_VALUE) {
      if (At == End)
        return false;
      Point.Value = static_cast<int64_t>(*At++);
    }
    return true;
  }
  return false;
}

namespace {

/// The elements that a load was observed to read. Most repetitions are dropped, because a nest
/// reads the same elements again and again.
class ElementsRead {
public:
  void add(const ReadElement &E) {
    ReadElement &Before = Recent[E.Address / sizeof(uint32_t) % Recent.size()];
    if (Before.Address == E.Address && Before.Value == E.Value)
      return;
    Before = E;
    All.push_back(E);
  }
  std::vector<ReadElement> &all() { return All; }

private:
  std::vector<ReadElement> Recent = std::vector<ReadElement>(4096);
  std::vector<ReadElement> All;
};

} // namespace

std::vector<AccessStream> streamsOf(std::span<const uint64_t> Words,
                                    std::span<const specrt_recorded_access> Accesses) {
  std::vector<AccessStream> Streams;
  std::vector<std::optional<ElementsRead>> Elements(Accesses.size());
  for (const specrt_recorded_access &A : Accesses)
    Streams.push_back({.Number = A.number,
                       .Flags = A.flags,
                       .Width = A.width,
                       .Line = A.line,
                       .Column = A.column,
                       .Depth = A.depth});
  RecordedWords Reader(Words, Accesses);
  for (RecordedPoint Point{}; Reader.next(Point);) {
    ++Streams[Point.Access].Points;
    if (!(Accesses[Point.Access].flags & SPECRT_RECORDED_VALUE))
      continue;
    std::optional<ElementsRead> &Read = Elements[Point.Access];
    if (!Read)
      Read.emplace();
    Read->add({Point.Address, Point.Value});
  }
  for (size_t I = 0; I < Accesses.size(); ++I) {
    if (!Elements[I])
      continue;
    Streams[I].Elements = sequenceOf(Elements[I]->all(), Accesses[I].width,
                                     (Accesses[I].flags & SPECRT_RECORDED_POINTER) != 0);
    if (Streams[I].Elements)
      Streams[I].Elements->Access = Accesses[I].number;
  }
  return Streams;
}

} // namespace specrt
