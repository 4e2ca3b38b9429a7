//===- profiler/plans/assumptions.h - the assumptions of a version --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One value contains everything that a compilation assumes about calls: the compiler uses nothing
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

/// Identifies the calls that assumptions are for: equal ids mean equal constants, in arguments and
/// in memory, and the same arguments with one address, in every run; sequences in memory count by
/// their hash. Ranges, alignment and other overlaps do not count, because newer calls only widen
/// them. The id is a name for tables and files; describe() is for people.
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
  /// [num_args]; an argument without known properties has flags 0.
  std::vector<specrt_fact> Facts = {};
  /// Places in memory with their values. Each place occurs once, in the descriptor's order.
  std::vector<specrt_cell_fact> Cells = {};
  /// [num_accesses * num_accesses] 1 if the two were seen to overlap, 2 if their arguments were
  /// almost always the same address (AliasProfile::overlapMatrix). Empty if all are 0.
  std::vector<uint8_t> Overlaps = {};
  /// The contents of memory that loads read. Each load occurs once, in the order of the numbers.
  std::vector<Sequence> Sequences = {};
  /// The classes of rows of row loops; with any, nothing is assumed about arguments and cells. Each
  /// loop occurs once, in their order.
  std::vector<RowsOfLoop> Rows = {};
  /// [num_accesses] 1: the array was observed to be mostly zero. Empty: none was. Calls need not
  /// meet this; versions that gain by it check the array.
  std::vector<uint8_t> Zeros = {};

  AssumptionsId id() const;
  /// Returns the id of the constants alone: calls with equal ones may meet the assumptions of both.
  AssumptionsId constantsId() const;

  /// Returns whether every call from which Newer was gathered also meets this. A version for this
  /// is as good as a new one then.
  bool covers(const Assumptions &Newer) const;

  /// Returns all of it as one line, the same for equal assumptions in every run, for the key of
  /// compiled code.
  std::string text() const;
};

/// Returns the constants in words: "p == 45, the 4 bytes at s + 8 == 43", or "any values", and the
/// number of sequences in memory.
std::string describe(const Assumptions &Assumed, const specrt_region &Region);

/// Adds to Fact that an argument of this kind, which is no pointer, has this packed value.
void makeConstant(specrt_fact &Fact, uint8_t Kind, uint64_t Packed);

/// Returns a JSON object. Kinds contains the enum specrt_kind of every argument.
nlohmann::json toJson(const Assumptions &Assumed, std::span<const uint8_t> Kinds);
/// Returns nothing when Json does not fit arguments of these kinds and so many accesses. Cells are
/// not compared with those of a region: see haveCellsOf.
std::optional<Assumptions> assumptionsFromJson(const nlohmann::json &Json,
                                               std::span<const uint8_t> Kinds,
                                               uint32_t NumAccesses);
/// Returns whether all cells are cells of \p Region.
bool haveCellsOf(const specrt_region &Region, const Assumptions &Assumed);

} // namespace specrt

#endif
