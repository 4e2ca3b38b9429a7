//===- profiler/streams/rows_of_loop.h - the classes of rows of a loop ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans and stored profiles use this form of the classes that were found in a row loop
// (specrt/rows.h, structure/rows).
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_STREAMS_ROWS_OF_LOOP_H
#define SPECRT_PROFILER_STREAMS_ROWS_OF_LOOP_H

#include "specrt/facts.h"
#include "structure/rows/row_traces.h"
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace specrt {

class JsonReader;

/// The limit of tables per loop, for matrices that alternate.
inline constexpr size_t MaxRowTables = 24;

/// The classes of one loop. Without classes: rows of any shape, which threads can share
/// nevertheless.
struct RowsOfLoop {
  uint32_t Loop = 0; ///< specrt_rows_fact::loop
  uint64_t Rows = 0; ///< number of inspected rows
  std::vector<RowClass> Classes = {};
  RowTraces Traces = {}; ///< of all rows, if these are few and most are in no class

  /// Returns a text of everything that code depends on.
  std::string text() const;
};

/// Returns whether most rows follow each other so that code need not read what they access. Rows of
/// equal length may gain, but little.
bool promises(const std::vector<RowsOfLoop> &Loops);

/// The plain form of some classes; it refers to itself and must not move.
class RowFacts {
public:
  explicit RowFacts(const std::vector<RowsOfLoop> &Shapes);
  RowFacts(const RowFacts &) = delete;
  RowFacts &operator=(const RowFacts &) = delete;

  const std::vector<specrt_rows_fact> &plain() const { return Facts; }

private:
  std::vector<std::vector<specrt_row_entry>> Entries;
  std::vector<std::vector<specrt_row_class>> Classes;
  std::vector<RowTraces> Traces;
  std::vector<specrt_rows_fact> Facts;
};

/// Returns a class of a version in the form of the miner.
RowClass toRowClass(const specrt_row_class &Class);

nlohmann::json toJson(const RowsOfLoop &Shapes);
/// In records errors.
RowsOfLoop readRowsOfLoop(JsonReader &In, const nlohmann::json &Json);

} // namespace specrt

#endif
