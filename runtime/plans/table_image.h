//===- runtime/plans/table_image.h - converts execution plans to bytes and back ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing in a table depends on the addresses of the program's arrays, unless its loop has places,
// so another run can use it. The bytes are valid for the libspecrt that wrote them, on the same
// machine. Readers accept any bytes, and use memory of a small multiple of their number, and a bit
// for each row.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_PLANS_TABLE_IMAGE_H
#define SPECRT_RUNTIME_PLANS_TABLE_IMAGE_H

#include "runtime/rows/row_table.h"

#include <string>
#include <string_view>
#include <vector>

namespace specrt {

/// Returns \p T without its grounds. May throw std::bad_alloc.
std::string encodeTable(const specrt_sparse_loop &Loop, const RowTable &T);

/// Returns the table that another run has made on the same grounds, \p G, which it takes over; G
/// must have a key (recallGrounds). Returns null if the bytes are no table that code for \p Loop
/// can use. Otherwise every row is in one segment, segments have the origins that their class
/// needs, and threads that share them neither wait for ever nor omit one. Values and the order of
/// rows that wait are not checked. Must be called where the calling thread's code would read the
/// same memory. May throw std::bad_alloc.
std::shared_ptr<RowTable> decodeTable(const specrt_sparse_loop &Loop, const uint64_t *Inputs,
                                      RowGrounds G, std::string_view Image);

/// The number of plans that are stored for a loop, for matrices of the same size that alternate.
inline constexpr size_t MaxGrounds = 4;
/// Returns RowGrounds::Extents and Contents of some tables.
std::string encodeGrounds(const std::vector<RowGrounds> &Some);
/// Returns at most MaxGrounds, up to the first that is incomplete. recallGrounds checks them
/// further.
std::vector<RowGrounds> decodeGrounds(std::string_view Bytes);

/// Returns whether memory for a call with \p Inputs, over \p Rows rows, has the contents that \p G
/// states. If so, the memory is watched, and \p G is for this call: its extents are ordered by
/// base, none is empty or wider than INT64_MAX, and it has a key. Returns false, too, if memory
/// cannot be read or watched, and for inconsistent grounds. Must be called where the calling
/// thread's code would read the same memory. May throw std::bad_alloc.
bool recallGrounds(const specrt_sparse_loop &Loop, const uint64_t *Inputs, uint64_t Rows,
                   RowGrounds &G, WatchCopies Copies);

} // namespace specrt

#endif
