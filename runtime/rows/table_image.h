//===- runtime/rows/table_image.h - a table of rows as bytes --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing in a table depends on where the program's arrays are, unless its site has places, so that
// another run can use it. Bytes are for the libspecrt that wrote them, on the same machine; who
// keeps them has to tell damaged ones.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_ROWS_TABLE_IMAGE_H
#define SPECRT_RUNTIME_ROWS_TABLE_IMAGE_H

#include "runtime/rows/row_table.h"

#include <string>
#include <string_view>

namespace specrt {

/// Of \p T, which has RowGrounds::Contents, with what it was made from. May throw std::bad_alloc.
std::string encodeTable(const specrt_rows_site &Site, const RowTable &T);

/// The table for a call with \p Inputs that begins now, over \p Rows rows: null if what the call
/// would read is not what that of \p Image has read, or where nobody can look at it or watch it.
/// To be called where the calling thread's code would read the same memory. May throw
/// std::bad_alloc.
std::shared_ptr<RowTable> decodeTable(const specrt_rows_site &Site, const uint64_t *Inputs,
                                      uint64_t Rows, std::string_view Image, WatchCopies Copies);

} // namespace specrt

#endif
