//===- structure/levels/row_groups.cpp - groups of independent rows -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/levels/row_groups.h"
#include "structure/levels/levels.h"

#include <algorithm>
#include <tuple>

namespace specrt {
namespace {

/// Kinds with a smaller share of the rows than 1 / LeastShare form no groups: each kind takes
/// memory for all steps.
constexpr size_t LeastShare = 16;
/// Limit on how much earlier a row may come than in the program, in rows of the most frequent kind.
constexpr uint32_t MostAhead = 4096;

/// Replaces rare kinds by None.
std::vector<uint16_t> frequent(std::span<const uint16_t> GroupOf, double &LargestShare) {
  std::vector<size_t> Count;
  for (const uint16_t Kind : GroupOf)
    if (Kind != RowGroups::None) {
      Count.resize(std::max(Count.size(), Kind + size_t{1}));
      ++Count[Kind];
    }
  std::vector<uint16_t> Result(GroupOf.begin(), GroupOf.end());
  for (uint16_t &Kind : Result)
    if (Kind != RowGroups::None && Count[Kind] * LeastShare < GroupOf.size())
      Kind = RowGroups::None;
  const size_t Most = Count.empty() ? 0 : *std::max_element(Count.begin(), Count.end());
  LargestShare =
      static_cast<double>(Most) / static_cast<double>(std::max<size_t>(1, GroupOf.size()));
  return Result;
}

} // namespace

RowGroups::RowGroups(const RowDependences &Before, std::span<const uint16_t> Groups,
                     std::span<const uint16_t> KindOf)
    : Before(Before), GroupOf(frequent(Groups, LargestShare)), KindOf(KindOf),
      StepOf(Before.rows()) {}

/// Takes a place in the first step from \p Earliest on that has room.
uint32_t RowGroups::Room::take(uint32_t Earliest) {
  const auto After = [this](uint32_t Step) {
    for (auto I = static_cast<uint32_t>(Next.size()); I <= Step; ++I) {
      Next.push_back(I);
      Taken.push_back(0);
    }
    return Next[Step];
  };
  uint32_t Step = Earliest;
  while (After(Step) != Step) {
    Next[Step] = After(Next[Step]);
    Step = Next[Step];
  }
  if (++Taken[Step] == Rows)
    Next[Step] = Step + 1;
  return Step;
}

/// Returns the earliest step allowed for row number \p Number by MostAhead.
uint32_t RowGroups::earliest(uint32_t Number) const {
  return Number < MostAhead ? 0 : static_cast<uint32_t>(LargestShare * (Number - MostAhead) / Rows);
}

uint32_t RowGroups::giveSteps(uint32_t First, uint32_t End) {
  for (Room &Of : Rooms) {
    Of.Taken.clear();
    Of.Next.clear();
  }
  uint32_t Steps = 0;
  for (uint32_t Row = First; Row < End; ++Row) {
    uint32_t Mine = earliest(Row - First);
    for (uint32_t Other : Before.before(Row))
      if (Other >= First)
        Mine = std::max(Mine, StepOf[Other] + 1);
    if (const uint16_t Kind = GroupOf[Row]; Kind != None) {
      if (Kind >= Rooms.size())
        Rooms.resize(Kind + size_t{1});
      Mine = Rooms[Kind].take(Mine);
    }
    StepOf[Row] = Mine;
    Steps = std::max(Steps, Mine + 1);
  }
  return Steps;
}

uint32_t RowGroups::append(uint32_t First, uint32_t End, LargeVector<uint32_t> &Order,
                           std::vector<uint32_t> &Groups) {
  const uint32_t Steps = giveSteps(First, End);
  const LevelOrder Sorted(std::span(StepOf).subspan(First, End - First));
  for (uint32_t Step = 0; Step < Steps; ++Step) {
    const auto GroupIn = [&](uint32_t Row) {
      const uint16_t Kind = GroupOf[Row];
      return Kind != None && Rooms[Kind].Taken[Step] == Rows ? Kind : None;
    };
    const size_t Begin = Order.size();
    for (int64_t Row : Sorted.rowsOf(Step, Step + 1))
      Order.push_back(First + static_cast<uint32_t>(Row));
    std::sort(Order.begin() + static_cast<std::ptrdiff_t>(Begin), Order.end(),
              [&](uint32_t A, uint32_t B) {
                return std::tuple(GroupIn(A), GroupOf[A], KindOf[A], A) <
                       std::tuple(GroupIn(B), GroupOf[B], KindOf[B], B);
              });
    for (size_t At = Begin; At < Order.size() && GroupIn(Order[At]) != None; At += Rows)
      Groups.push_back(static_cast<uint32_t>(At));
  }
  return Steps;
}

} // namespace specrt
