//===- tests/fuzz/readers/kernel.h - the region that profiles are of ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_FUZZ_READERS_KERNEL_H
#define SPECRT_TESTS_FUZZ_READERS_KERNEL_H

#include "profiler/observations/folded_streams.h"
#include "profiler/observations/region_profile.h"
#include "profiler/observations/row_profile.h"
#include "tests/profiler/test_region.h"

namespace specrt_test {

/// void f(double *A, const double *B, long n, int m, double x) with an access of each array, two
/// loops, and a cell behind B.
struct FuzzedKernel : TestRegion {
  FuzzedKernel()
      : TestRegion({SPECRT_KIND_POINTER, SPECRT_KIND_POINTER, SPECRT_KIND_I64, SPECRT_KIND_I32,
                    SPECRT_KIND_F64},
                   {access(0, polynomial({term(8, {2})}), SPECRT_ACCESS_WRITE),
                    access(1, polynomial({term(8, {2})}), SPECRT_ACCESS_READ)},
                   {{5, 1, polynomial({term(1, {2})})}, {6, 2, polynomial({term(1, {3})})}}) {
    Cells.push_back({.base = {SPECRT_BASE_ARGUMENT, 1, 0}, .begin = 8, .width = 4, .certain = 0});
  }

  /// Some calls, what an instrumented one has shown, and what rows are like.
  specrt::RegionProfile profile() {
    using namespace specrt;
    RegionProfile Seen(get());
    for (uint64_t I = 0; I < 20; ++I) {
      const uint64_t Inputs[] = {4096 * I, 8192, 100 + I % 3, 7, packed(0.5)};
      Seen.record(Inputs, 1000 + I, {I % 2});
    }
    Seen.addUnsampledCalls(5);
    FoldedStreams Streams(get());
    AccessStream Loads{.Number = 1, .Flags = SPECRT_RECORDED_VALUE, .Width = 8, .Points = 20};
    Loads.Elements = Sequence{.Access = 1, .Pieces = {{0, 10, 3, 1}, {10, 10, 0, 0}}};
    CallStreams Call;
    Call.Arguments = {0, 0, 100, 7, 0};
    Call.Accesses = {Loads};
    Streams.addCall(std::move(Call));
    Seen.add(Streams);
    RowProfile Rows(get());
    RowsOfLoop Loop;
    Loop.Rows = 90;
    RowClass &Class = Loop.Classes.emplace_back();
    Class.Step = 1;
    Class.Rows = 80;
    Class.Kinds = {EntryKind::Value, EntryKind::Trips};
    Class.Control = {0, 3};
    Class.Deltas = {1, 0};
    Class.Ties.resize(2);
    Class.Ties[0].FollowsRow = true;
    Class.Ties[0].Beside = 2;
    Loop.Traces.Lengths = {1, 1};
    Loop.Traces.Kinds = {EntryKind::Value, EntryKind::Value};
    Loop.Traces.Values = {4, 5};
    Rows.addCall({Loop});
    Seen.add(Rows);
    NestProfile Model(get());
    Nest N;
    N.From = Nest::Recording;
    N.Loops = {{.Line = 5, .Depth = 1, .Trips = 9}, {.Line = 6, .Depth = 2, .Trips = 9}};
    N.Accesses.push_back({.Line = 6,
                          .Column = 1,
                          .Width = 8,
                          .IsWrite = true,
                          .Array = "A",
                          .Loops = {0, 1},
                          .Strides = {8, std::nullopt},
                          .Pieces = 1,
                          .Points = 81});
    N.Dependences.push_back({.Name = "A",
                             .FromLine = 6,
                             .ToLine = 6,
                             .Loops = {0, 1},
                             .Level = 0,
                             .Distances = {{1, 1}, {0, std::nullopt}}});
    N.Domain = {.Outer = 0, .Inner = 1, .Rows = {{0, 0, 8}, {1, 2, 8}}};
    Model.set(N);
    Seen.add(Model);
    return Seen;
  }
};

} // namespace specrt_test

#endif
