//===- runtime/rows/row_tables.h - finds and makes tables of rows ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A version with row loops requests a table each time one of them begins (specrt/rows.h). Each loop
// has a few tables, by the inputs on which its rows depend, and uses them as long as a watch
// confirms that the memory which the inspector has read did not change. Making a table takes as
// long as some calls: a loop earns that time by the calls that use its tables.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_ROWS_ROW_TABLES_H
#define SPECRT_RUNTIME_ROWS_ROW_TABLES_H

#include "runtime/base/policy/ledger.h"
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

specrt_rows_begin_fn beginRows;
specrt_rows_end_fn endRows;

/// See specrt_entry_runs_functions.
const specrt_entry_runs *beginEntryRuns(const void *First, uint64_t Entries, uint32_t NameBytes,
                                        specrt_entry_runs *Own);
void endEntryRuns(const specrt_entry_runs *Runs, const specrt_entry_runs *Own);

struct RowTable;
/// Returns the table for a loop that begins now, with a user added, if there is one that may be
/// used. Like beginRows, but without an inspection; endRows must follow.
RowTable *findRows(const specrt_sparse_loop &Loop, const uint64_t *Inputs, uint64_t Rows);

/// The counts of the loops of one version.
struct RowFigures {
  uint64_t Tables = 0;                                ///< tables that exist
  uint64_t Calls = 0;                                 ///< calls with a table
  uint64_t Refused = 0;                               ///< calls that ran the original loop
  uint64_t Inspections = 0;                           ///< inspections of rows
  uint64_t TakenOver = 0;                             ///< inspections taken over from another loop
  uint64_t Recalled = 0;                              ///< tables from an earlier run
  uint64_t Changes = 0;                               ///< tables that became invalid
  uint64_t RowsPredicted = 0;                         ///< rows skipped by predictions
  double InspectionMs = 0;                            ///< time of all three
  double NextRunMs = 0;                               ///< time of the same in another run
  uint64_t Rows = 0, RowsInClasses = 0, Segments = 0; ///< of the last table
  uint64_t Levels = 0, MergedLevels = 0;              ///< of the last table, for dependent rows
  uint64_t RowsInLanes = 0;                           ///< rows in lanes
  uint64_t RowsInBlocks = 0;                          ///< rows in blocks of equal columns
  uint64_t RowsUnrolled = 0;                          ///< rows with code of their own
  uint64_t FusedCalls = 0;        ///< calls in which two loops took turns; each counts for both
  uint64_t FusedSteps = 0;        ///< steps of the last plan
  std::string_view FusionProblem; ///< why there is no plan
  double WatchNs = 0;             ///< time of watching per call, for the last table
  std::string WatchKinds = {};
  /// The picture of the last table of each loop that has one, by loop.
  std::vector<std::shared_ptr<const RowPicture>> Pictures = {};
  std::string_view Problem; ///< why the last inspection gave no table

  /// Counts an inspection of a loop's rows that took this time.
  void add(const InspectedRows &Found, double Ms);
};

/// Returns the sum for \p First and the loops after it.
RowFigures rowFigures(const specrt_sparse_loop *First);

/// The ledger that pays for inspections, and the share of the run that they may cost.
struct InspectionPayer {
  std::shared_ptr<Ledger> Account = nullptr;
  double Share = LossShare;
};

/// Makes \p Payer pay for inspections for \p First and the loops after it; inspections that it may
/// not invest are postponed. No account: tables pay with their gains, as initially. \p NsPerRow is
/// the time to inspect a row by loop, measured elsewhere; 0 or empty: unknown.
void limitWalks(specrt_sparse_loop *First, const InspectionPayer &Payer,
                std::span<const double> NsPerRow = {});

/// Returns for \p First and each loop after it the expected time to inspect a row if that was
/// postponed; 0: it was not; nothing: no row was inspected.
std::vector<std::optional<double>> expectedNsPerRow(const specrt_sparse_loop *First);

/// Records that the code of \p First and the loops after it is unloaded with \p Owner.
void ownRows(const void *Owner, specrt_sparse_loop *First);
/// Frees all tables. No thread may execute that code any more.
void forgetRows(const void *Owner);

} // namespace specrt

#endif
