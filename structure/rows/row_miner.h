//===- structure/rows/row_miner.h - from traces of rows to classes and segments ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes the traces of rows 0, 1, 2, ... one by one. *discover* finds the classes that are worth
// code of their own (row_costs.h); it is done once per loop. *assign* is given classes and cuts the
// rows into segments; it runs within calls of the program, and costs about a nanosecond per entry.
//
// Classes without loaded values have the same step b: the rows i, i + b, i + 2b, ... are compared
// with each other. b > 1 is for matrices of small dense blocks, whose rows come in groups with
// the same columns. Classes with loaded values have step 1; they are for rows that have the same
// control, in which only a few values, such as where the row starts, follow the row number.
//
// Not thread-safe; miners do not know of each other.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_ROWS_ROW_MINER_H
#define SPECRT_STRUCTURE_ROWS_ROW_MINER_H

#include "structure/rows/row_costs.h"
#include "structure/rows/row_structure.h"

#include <memory>

namespace specrt {

struct RowMinerOptions {
  RowCosts Costs;
  size_t MaxClasses = 40;
  size_t MaxOperations = 4096;        ///< values of all classes together
  size_t MaxEntries = 512;            ///< rows with longer traces are rest
  size_t MaxBytes = size_t{64} << 20; ///< of memory for the result; more: given up
};

class RowAssignment;
class RowDiscovery;
class RowPattern;

class RowMiner {
public:
  /// finish() will return classes, by what they save, without segments.
  static RowMiner discover(const RowMinerOptions &Options = {});
  /// finish() will return \p Classes as they are (but for Rows, counted anew) and segments.
  static RowMiner assign(std::vector<RowClass> Classes, const RowMinerOptions &Options = {});

  RowMiner(RowMiner &&) noexcept;
  RowMiner &operator=(RowMiner &&) noexcept;
  ~RowMiner();

  /// The next row. Layouts follow from control: two traces with equal control have equal kinds.
  void row(const EntryKind *Kinds, const int64_t *Trace, size_t Entries);
  /// assign: as many sequences of rows, which take turns, are compared each for itself.
  uint32_t step() const;
  /// The class, without loaded values, that the row added last belongs to for certain, and so do
  /// those after it in its sequence that it foresees; null: none. Valid as long as the miner.
  const RowPattern *settled() const { return Now.Settled; }
  /// The same, or a class that the row added last belongs to if those after it that it foresees are
  /// enough, RowPattern::MinRows. That row and two before it in its sequence are as the class says.
  const RowPattern *begun() const { return Now.Begun; }
  /// \p Rows rows as foreseen, without a look at them.
  void skip(uint64_t Rows);
  /// Has a limit been met? Further rows cost nothing then.
  bool givenUp() const { return Now.GivenUp; }
  /// Once, after the last row.
  RowStructure finish();

private:
  RowMiner();

  std::unique_ptr<RowDiscovery> Discovery; // one of the two
  std::unique_ptr<RowAssignment> Assignment;
  /// What is asked after each row.
  struct {
    const RowPattern *Settled = nullptr, *Begun = nullptr;
    bool GivenUp = false;
  } Now;
};

} // namespace specrt

#endif
