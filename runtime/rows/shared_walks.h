//===- runtime/rows/shared_walks.h - what one loop knows of rows serves others ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Candidates of a region have the same row loops, and programs have the same loop in several
// places. Sites with equal digests (specrt/rows.h) take over tables from each other, and as long as
// there are several of them, what was heard in a walk is kept, of which one for other threads can
// be made. Loops with other digests that read the same arrays watch them together (runtime/watch).
//
// Everything here may fail to find what is there: then rows are walked, or watched, once more.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_ROWS_SHARED_WALKS_H
#define SPECRT_RUNTIME_ROWS_SHARED_WALKS_H

#include "runtime/rows/row_table.h"

namespace specrt {

/// A table for such a call that another site has, or that is made of what another has heard;
/// without a table: there is none. To be called where inspectRows might be, see there.
InspectedRows takeOver(const specrt_rows_site &Site, const uint64_t *Inputs, uint64_t Rows);
/// Others may take over what was found for \p Site.
void share(const specrt_rows_site &Site, const InspectedRows &Found);

/// \p Site exists from now on, or no longer.
void addSharer(const specrt_rows_site &Site);
void removeSharer(const specrt_rows_site &Site);

/// Frees what nobody has asked for lately. Otherwise that happens when somebody asks or shares.
void forgetOldWalks();
/// How many there are.
size_t keptWalks();

} // namespace specrt

#endif
