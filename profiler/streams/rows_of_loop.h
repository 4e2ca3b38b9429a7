//===- profiler/streams/rows_of_loop.h - what the rows of a loop look like ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The classes that were found in a row loop (specrt/rows.h, structure/rows), as plans and stored
// profiles have them.
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

/// Tables that are kept of one loop, for matrices that take turns.
inline constexpr size_t MaxRowTables = 24;

/// Of one loop. No classes: rows of any shape, which threads can share all the same.
struct RowsOfLoop {
  uint32_t Loop = 0; ///< specrt_rows_fact::loop
  uint64_t Rows = 0; ///< that were looked at
  std::vector<RowClass> Classes = {};
  RowTraces Traces = {}; ///< of all rows, where these are few and most are in no class

  /// What code depends on.
  std::string text() const;
};

/// Do most rows follow each other in such a way that code needs not read what they access? Rows of
/// equal length may gain, but little.
bool promises(const std::vector<RowsOfLoop> &Loops);

/// The plain form of some; it refers to itself and must stay where it is.
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

/// A class of a version as the miner knows it.
RowClass toRowClass(const specrt_row_class &Class);

nlohmann::json toJson(const RowsOfLoop &Shapes);
/// In remembers what is wrong with it.
RowsOfLoop readRowsOfLoop(JsonReader &In, const nlohmann::json &Json);

} // namespace specrt

#endif
