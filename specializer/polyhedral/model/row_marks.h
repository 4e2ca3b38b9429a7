//===- specializer/polyhedral/model/row_marks.h - loads that read row pointers ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of a table of row pointers under the guards of a version stands at the loads that
// read them, as metadata. Passes that merge loads drop it; then less is known.
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
