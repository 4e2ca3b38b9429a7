//===- instrument/select/driver_loop.h - loops that only drive the nests inside ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Examples are the iterations of a solver, time steps until a state is stationary, and repeated
// products with a sparse matrix. The iterations of such a loop cannot be reordered, and a program
// enters the loop once, so that nothing can be measured or learned about it as a whole. The nests
// inside are called once per iteration. They are the better regions.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_SELECT_DRIVER_LOOP_H
#define SPECRT_INSTRUMENT_SELECT_DRIVER_LOOP_H

namespace llvm {
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

/// Returns why \p L, which is in simplified form, should not be a region but contain regions; null
/// if it is no driver. A loop drives others only if it contains a nest of depth 2, or a loop over
/// the entries of a matrix: other loops inside may be short, and calling them through a slot costs
/// more than versions gain.
const char *drivesOthers(const llvm::Loop &L, llvm::ScalarEvolution &SE);

} // namespace specrt

#endif
