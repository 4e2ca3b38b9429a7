//===- runtime/compile/compile_job.h - a request that owns all it refers to ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_COMPILE_COMPILE_JOB_H
#define SPECRT_RUNTIME_COMPILE_COMPILE_JOB_H

#include "runtime/compile/region_copy.h"
#include "specrt/jit_api.h"
#include <string>
#include <vector>

namespace specrt {

/// A deep copy of a request: a compile that was given up may go on reading it for ever.
class CompileJob {
public:
  explicit CompileJob(const specrt_jit_request &R)
      : Region(*R.region, /*WithBitcode=*/true), Facts(R.facts, R.facts + R.region->num_args),
        Cells(R.cells, R.cells + R.num_cells), Copy(R) {
    const size_t NumAccesses = R.region->num_accesses;
    if (R.overlaps)
      Overlaps.assign(R.overlaps, R.overlaps + NumAccesses * NumAccesses);
    Only = R.only ? R.only : "";
    DumpDirectory = R.dump_directory ? R.dump_directory : "";
    Copy.region = &Region.region();
    Copy.facts = Facts.data();
    Copy.overlaps = R.overlaps ? Overlaps.data() : nullptr;
    Copy.cells = Cells.data();
    Copy.only = R.only ? Only.c_str() : nullptr;
    Copy.dump_directory = R.dump_directory ? DumpDirectory.c_str() : nullptr;
  }
  CompileJob(const CompileJob &) = delete;
  CompileJob &operator=(const CompileJob &) = delete;

  const specrt_jit_request &request() const { return Copy; }

  const specrt_jit_result *Result = nullptr;

private:
  RegionCopy Region;
  std::vector<specrt_fact> Facts;
  std::vector<specrt_cell_fact> Cells;
  std::vector<uint8_t> Overlaps;
  std::string Only, DumpDirectory;
  specrt_jit_request Copy;
};

} // namespace specrt

#endif
