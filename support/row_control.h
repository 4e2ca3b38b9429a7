//===- support/row_control.h - compares the control flow of row classes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SUPPORT_ROW_CONTROL_H
#define SPECRT_SUPPORT_ROW_CONTROL_H

#include "specrt/rows.h"

#include <algorithm>

namespace specrt {

/// Returns whether rows of both classes have the same trip counts and branches.
inline bool haveSameControl(const specrt_row_class &A, const specrt_row_class &B) {
  return std::equal(A.entries, A.entries + A.num_entries, B.entries, B.entries + B.num_entries,
                    [](const specrt_row_entry &X, const specrt_row_entry &Y) {
                      return X.kind == Y.kind &&
                             (X.kind == SPECRT_ROW_VALUE || X.number == Y.number);
                    });
}

} // namespace specrt

#endif
