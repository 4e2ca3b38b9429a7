//===- runtime/compile/region_table.h - describes the regions of an image -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program contains a small record per region; libspecrt works on a description of each. The
// descriptions of an image lie in one piece of memory. It outlives the image, because threads that
// run while a process ends may still read it, and serves an image that is loaded later.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_COMPILE_REGION_TABLE_H
#define SPECRT_RUNTIME_COMPILE_REGION_TABLE_H

#include "specrt/abi.h"
#include <cstddef>
#include <vector>

namespace specrt {

class RegionTables {
public:
  /// The regions of one image: an entry per record, null where the record is.
  struct Range {
    specrt_region **Begin = nullptr;
    specrt_region **End = nullptr;
  };

  RegionTables() = default;
  RegionTables(const RegionTables &) = delete;
  RegionTables &operator=(const RegionTables &) = delete;

  /// Describes the regions of records that are not described yet. The description of a record of
  /// another version of the ABI contains only that version. Returns an empty range when there is no
  /// memory.
  Range add(specrt_record **Begin, specrt_record **End, void *Thunk);
  Range find(specrt_record **Begin) const;
  /// Releases the descriptions. The records will not be read any more.
  void retire(specrt_record **Begin);

private:
  struct Table {
    specrt_record **Records; ///< null: unused
    Range Regions;
    size_t Bytes;
  };
  Table *tableOf(size_t Bytes);

  std::vector<Table> Tables;
};

} // namespace specrt

#endif
