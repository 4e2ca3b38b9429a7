//===- runtime/rows/row_tables.h - which rows are of which class ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A version with row loops asks for a table each time one of them begins (specrt/rows.h). Tables
// are kept by what the rows depend on, a few for each loop, and used as long as a watch says that
// the memory which the inspector has read did not change. Making one takes as long as some calls:
// each loop earns that by the calls for which its tables were good.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_ROWS_ROW_TABLES_H
#define SPECRT_RUNTIME_ROWS_ROW_TABLES_H

#include "specrt/rows.h"
#include "structure/summary/row_picture.h"
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace specrt {

struct InspectedRows;
class WalkBudget;

specrt_rows_begin_fn beginRows;
specrt_rows_end_fn endRows;

/// See specrt_entry_runs_functions.
const specrt_entry_runs *beginEntryRuns(const void *First, uint64_t Entries, uint32_t NameBytes,
                                        specrt_entry_runs *Own);
void endEntryRuns(const specrt_entry_runs *Runs, const specrt_entry_runs *Own);

struct RowTable;
/// The table for a loop that begins now, with a user more, if there is one that may be used. Like
/// beginRows, but looks at no rows; endRows is to follow.
RowTable *findRows(const specrt_rows_site &Site, const uint64_t *Inputs, uint64_t Rows);

/// What became of the loops of one version.
struct RowFigures {
  uint64_t Tables = 0;                                ///< that exist
  uint64_t Calls = 0;                                 ///< that had one
  uint64_t Refused = 0;                               ///< calls that ran the loop as it was written
  uint64_t Inspections = 0;                           ///< rows walked
  uint64_t TakenOver = 0;                             ///< what another loop had walked
  uint64_t Recalled = 0;                              ///< what an earlier run had kept
  uint64_t Changes = 0;                               ///< tables that were no longer true
  uint64_t RowsLeapt = 0;                             ///< known without being walked
  double InspectionMs = 0;                            ///< of all three
  double NextRunMs = 0;                               ///< what the same would take in another run
  uint64_t Rows = 0, RowsInClasses = 0, Segments = 0; ///< of the table made last
  uint64_t Levels = 0, MergedLevels = 0;              ///< likewise, where rows wait for rows
  uint64_t RowsInLanes = 0;                           ///< of those, side by side
  uint64_t RowsInBlocks = 0;                          ///< of the rows, in blocks of equal columns
  uint64_t RowsUnrolled = 0;                          ///< of the rows, each with code of its own
  uint64_t FusedCalls = 0;        ///< in which two loops took turns; each counts for both
  uint64_t FusedSteps = 0;        ///< of the plan made last
  std::string_view FusionProblem; ///< why there is none
  double WatchNs = 0;             ///< per call, of that table
  std::string WatchKinds = {};
  /// Of the table made last, one of each loop that has one, by the loops.
  std::vector<std::shared_ptr<const RowPicture>> Pictures = {};
  std::string_view Problem; ///< why the last inspection gave no table

  /// A loop has found out about its rows, in so much time.
  void add(const InspectedRows &Found, double Ms);
};

/// Of \p First and the loops after it.
RowFigures rowFigures(const specrt_rows_site *First);

/// From now on walks for \p First and the loops after it are paid from \p Budget: those that it
/// does not suffice for are put off. Null: from what tables earn, as at first. \p NsPerRow: what
/// others found that looking at a row takes, by loop, 0 or none at all: nothing is known.
void limitWalks(specrt_rows_site *First, const std::shared_ptr<WalkBudget> &Budget,
                std::span<const double> NsPerRow = {});

/// Of \p First and the loops after it: what looking at a row is expected to take, where that was
/// put off; 0: it was not; nothing where nobody looked.
std::vector<std::optional<double>> expectedNsPerRow(const specrt_rows_site *First);

/// The code of \p First and the loops after it goes when \p Owner does.
void ownRows(const void *Owner, specrt_rows_site *First);
/// Nobody is inside of that code any more. Frees all tables.
void forgetRows(const void *Owner);

} // namespace specrt

#endif
