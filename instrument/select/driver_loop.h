//===- instrument/select/driver_loop.h - loops that only drive what is inside ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The iterations of a solver, steps in time until something has settled, repetitions of a product
// with a sparse matrix: no order of such a loop's iterations but its own is possible, and a program
// enters it once, so that nothing could be measured or learned about it as a whole. The nests
// inside are called as often as it iterates. They are the better regions.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_SELECT_DRIVER_LOOP_H
#define SPECRT_INSTRUMENT_SELECT_DRIVER_LOOP_H

namespace llvm {
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

/// Why \p L, which is in simplified form, had better be left as it is, with regions in it; null:
/// it had not. Loops without a nest inside are never drivers: loops inside may be short, and calls
/// of them cost more than they bring.
const char *drivesOthers(const llvm::Loop &L, llvm::ScalarEvolution &SE);

} // namespace specrt

#endif
