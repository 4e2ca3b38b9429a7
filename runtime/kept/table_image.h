//===- runtime/kept/table_image.h - a table of rows as bytes --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing in a table depends on where the program's arrays are, unless its site has places, so that
// another run can use it. Bytes are for the libspecrt that wrote them, on the same machine. Readers
// accept any bytes, and take no more memory than some times their number, and a bit for each row.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_KEPT_TABLE_IMAGE_H
#define SPECRT_RUNTIME_KEPT_TABLE_IMAGE_H

#include "runtime/rows/row_table.h"

#include <string>
#include <string_view>
#include <vector>

namespace specrt {

/// Of \p T, without its grounds. May throw std::bad_alloc.
std::string encodeTable(const specrt_rows_site &Site, const RowTable &T);

/// The table that another run has made on the same grounds, \p G, which it gets; G has a key
/// (recallGrounds). Null: the bytes are no table that code for \p Site can use. Otherwise every row
/// is in one segment, segments have the origins that their class needs, and threads that share them
/// neither wait for ever nor leave one out. Not checked: that values and the order of rows that
/// wait are right. To be called where the calling thread's code would read the same memory. May
/// throw std::bad_alloc.
std::shared_ptr<RowTable> decodeTable(const specrt_rows_site &Site, const uint64_t *Inputs,
                                      RowGrounds G, std::string_view Image);

/// So many are kept of a loop, for matrices of the same size that take turns.
inline constexpr size_t MaxGrounds = 4;
/// RowGrounds::Extents and Contents of some tables.
std::string encodeGrounds(const std::vector<RowGrounds> &Some);
/// At most MaxGrounds, those before the first that is cut short. Not checked further:
/// recallGrounds.
std::vector<RowGrounds> decodeGrounds(std::string_view Bytes);

/// Has memory for a call with \p Inputs, over \p Rows rows, the contents that \p G says? Then they
/// are watched, and \p G is for this call: its extents are by base, none is empty or wider than
/// INT64_MAX, and it has a key. False, too, where memory cannot be read or watched, and for grounds
/// that make no sense. To be called where the calling thread's code would read the same memory. May
/// throw std::bad_alloc.
bool recallGrounds(const specrt_rows_site &Site, const uint64_t *Inputs, uint64_t Rows,
                   RowGrounds &G, WatchCopies Copies);

} // namespace specrt

#endif
