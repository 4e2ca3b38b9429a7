//===- specializer/polyhedral/model/row_marks.h - metadata of loads of row pointers -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knowledge about tables of row pointers that holds under a version's guards is attached as
// metadata to the loads of these pointers. Passes that merge loads drop it, which only loses the
// knowledge.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_ROW_MARKS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_ROW_MARKS_H

#include <cstdint>
#include <optional>

namespace llvm {
class LoadInst;
} // namespace llvm

namespace specrt {

/// The load reads one of Count pointers, which nothing writes during a call. The first lies First
/// bytes behind the load's base, the others Stride bytes apart. No row overlaps anything else that
/// is accessed, unless neither is written.
struct RowMark {
  unsigned Table;
  int64_t First, Count, Stride;

  bool operator==(const RowMark &) const = default;
};

void markRows(llvm::LoadInst &Load, const RowMark &Mark);
std::optional<RowMark> rowMarkOf(const llvm::LoadInst &Load);

} // namespace specrt

#endif
