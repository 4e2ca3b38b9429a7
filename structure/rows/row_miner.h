//===- structure/rows/row_miner.h - derives classes and segments from traces of rows -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes the traces of rows 0, 1, 2, ... one by one. *discover* finds the classes that are worth
// code of their own (row_costs.h); it runs once per loop. *assign* is given classes and cuts the
// rows into segments; it runs within calls of the program, and costs about a nanosecond per entry.
//
// Classes without loaded values have a common step b: the rows i, i + b, i + 2b, ... are compared
// with each other. b > 1 is for matrices of small dense blocks, whose rows come in groups with the
// same columns. Classes with loaded values have step 1; they are for rows with equal control, in
// which only a few values, such as the begin of the row, follow the row number.
//
// Not thread-safe; each miner may be used by one thread at a time.
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
  size_t MaxBytes = size_t{64} << 20; ///< limit on the memory of the result; beyond it, the miner
                                      ///< gives up
};

class RowAssignment;
class RowDiscovery;
class RowPattern;

class RowMiner {
public:
  /// Returns a miner whose finish() returns classes, sorted by what they save, without segments.
  static RowMiner discover(const RowMinerOptions &Options = {});
  /// Returns a miner whose finish() returns \p Classes, with Rows counted anew, and segments.
  static RowMiner assign(std::vector<RowClass> Classes, const RowMinerOptions &Options = {});

  RowMiner(RowMiner &&) noexcept;
  RowMiner &operator=(RowMiner &&) noexcept;
  ~RowMiner();

  /// Adds the next row. Traces with equal control must have equal kinds.
  void row(const EntryKind *Kinds, const int64_t *Trace, size_t Entries);
  /// Returns the number of interleaved sequences of rows that assign compares separately.
  uint32_t step() const;
  /// Returns the class, without loaded values, that is certain for the row added last and for those
  /// after it in its sequence that are as predicted; null if there is none. Valid as long as the
  /// miner.
  const RowPattern *settled() const { return Now.Settled; }
  /// Returns the same, or the class that the row added last has if enough rows after it,
  /// RowPattern::MinRows, are as predicted. That row and two before it in its sequence match the
  /// class.
  const RowPattern *begun() const { return Now.Begun; }
  /// Adds \p Rows rows that are as predicted, without their traces.
  void skip(uint64_t Rows);
  /// Returns whether a limit was exceeded; further rows then cost nothing.
  bool givenUp() const { return Now.GivenUp; }
  /// Must be called once, after the last row.
  RowStructure finish();

private:
  RowMiner();

  std::unique_ptr<RowDiscovery> Discovery; // one of the two
  std::unique_ptr<RowAssignment> Assignment;
  /// Results that callers read after each row.
  struct {
    const RowPattern *Settled = nullptr, *Begun = nullptr;
    bool GivenUp = false;
  } Now;
};

} // namespace specrt

#endif
