//===- profiler/plans/assumptions.h - what a version relies on -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that a compilation believes about calls is in one value: the compiler looks at nothing
// else. A version's guards check it on each call.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_PLANS_ASSUMPTIONS_H
#define SPECRT_PROFILER_PLANS_ASSUMPTIONS_H

#include "profiler/streams/rows_of_loop.h"
#include "profiler/streams/sequence.h"
#include "specrt/abi.h"
#include "specrt/facts.h"
#include <compare>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace specrt {

/// Which calls assumptions are for: equal ids mean equal constants, in arguments and in memory, and
/// the same arguments with one address, in every run; sequences in memory count by their hash.
/// Ranges, alignment and other overlaps do not count, which newer calls only widen. A name for
/// tables and files; people read describe().
class AssumptionsId {
public:
  AssumptionsId() = default;
  explicit AssumptionsId(std::string Text) : Text(std::move(Text)) {}

  const std::string &text() const { return Text; }
  friend auto operator<=>(const AssumptionsId &, const AssumptionsId &) = default;

private:
  std::string Text;
};

/// A value type.
struct Assumptions {
  /// [num_args]; an argument without knowledge has flags 0.
  std::vector<specrt_fact> Facts = {};
  /// Places in memory with the values that they have. Each place once, in the descriptor's order.
  std::vector<specrt_cell_fact> Cells = {};
  /// [num_accesses * num_accesses] 1 if the two were seen to overlap, 2 if their arguments were
  /// almost always the same address (AliasProfile::overlapMatrix). Empty if all are 0.
  std::vector<uint8_t> Overlaps = {};
  /// What memory that loads read holds. Each load once, in the order of their numbers.
  std::vector<Sequence> Sequences = {};
  /// What rows of row loops look like; with any, nothing is assumed of arguments and cells. Each
  /// loop once, in their order.
  std::vector<RowsOfLoop> Rows = {};
  /// [num_accesses] 1: the array was seen to be mostly zero. Empty: none was. No call needs to be
  /// like that; versions that gain by it look.
  std::vector<uint8_t> Zeros = {};

  AssumptionsId id() const;
  /// Of the constants alone: the calls of equal ones may meet the assumptions of both.
  AssumptionsId constantsId() const;

  /// Does every call that Newer was gathered from also meet this? Then a version for this is as
  /// good as a new one.
  bool covers(const Assumptions &Newer) const;

  /// All of it as one line, the same for equal assumptions in every run: for the key of compiled
  /// code.
  std::string text() const;
};

/// The constants, for people: "p == 45, the 4 bytes at s + 8 == 43", or "any values"; and how many
/// sequences in memory there are.
std::string describe(const Assumptions &Assumed, const specrt_region &Region);

/// Adds to Fact that an argument of this kind, not a pointer, has this packed value.
void makeConstant(specrt_fact &Fact, uint8_t Kind, uint64_t Packed);

/// An object with fields of its own. Kinds: enum specrt_kind of every argument.
nlohmann::json toJson(const Assumptions &Assumed, std::span<const uint8_t> Kinds);
/// Nothing when Json does not fit arguments of these kinds and so many accesses. Cells are not
/// compared with those of a region: see haveCellsOf.
std::optional<Assumptions> assumptionsFromJson(const nlohmann::json &Json,
                                               std::span<const uint8_t> Kinds,
                                               uint32_t NumAccesses);
/// Are all cells some of \p Region's?
bool haveCellsOf(const specrt_region &Region, const Assumptions &Assumed);

} // namespace specrt

#endif
