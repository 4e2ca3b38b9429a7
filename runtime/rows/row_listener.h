//===- runtime/rows/row_listener.h - what an inspector is told, and by whom ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An inspector walks the rows of a call once for each kind of table that might be right: for rows
// that are independent (row_table.cpp), and for such that wait for each other (dependent_rows.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_ROWS_ROW_LISTENER_H
#define SPECRT_RUNTIME_ROWS_ROW_LISTENER_H

#include "runtime/rows/row_table.h"
#include "structure/rows/row_structure.h"

namespace specrt {

/// What is the same for all tables.
class RowListener : public specrt_row_trace {
public:
  RowListener(const RowListener &) = delete;
  RowListener &operator=(const RowListener &) = delete;

  /// Null: all rows were walked, and nothing speaks against a table.
  const char *problem() const;

protected:
  RowListener(const specrt_rows_site &Site, uint64_t Rows, uint64_t MaxAccesses);
  virtual ~RowListener() = default;

  /// The row has \p Count entries. Null: all is well.
  virtual const char *add(uint64_t Count) = 0;

  const EntryKind *kindsOfRow() const { return reinterpret_cast<const EntryKind *>(Kinds.data()); }
  /// In front of what row \p Row carries.
  std::vector<int64_t>::const_iterator carried(int64_t Row) const {
    return Carried.begin() + Row * Site.num_carried;
  }
  bool isFirst(uint32_t Base) const { return Low[Base] >= High[Base]; }
  /// Is too much time gone?
  bool isLate() const;
  /// \p T has its segments; adds what it holds for.
  InspectedRows complete(std::unique_ptr<RowTable> T, const uint64_t *Inputs) const;
  /// There is no table for these pointers or at all; null: there may be one.
  const char *whyNone(bool &IsHopeless) const;

  const specrt_rows_site &Site;
  const uint64_t Rows;
  std::vector<int64_t> Values;
  std::vector<uint8_t> Kinds;
  std::vector<specrt_row_access> Accesses;
  std::vector<uint64_t> RowLow, RowHigh, Low, High; ///< by base

private:
  static uint32_t next(specrt_row_trace *Trace, uint64_t Count);
  const char *addRow(uint64_t Count);
  const char *addExtents();

  const uint64_t Begin;
  std::vector<int64_t> Carried;
  uint64_t Seen = 0;
  const char *Problem = nullptr;
};

std::vector<RowClass> classesOf(const specrt_rows_site &Site);

/// A table for rows that read what others write.
InspectedRows inspectDependentRows(const specrt_rows_site &Site, const uint64_t *Inputs,
                                   uint64_t Rows);

} // namespace specrt

#endif
