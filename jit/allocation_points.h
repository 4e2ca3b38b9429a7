//===- jit/allocation_points.h - where another thread can stop a compile --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neither a pass nor an operation of isl asks anybody whether to go on, and both may take seconds.
// What they do all the time is allocate; an operation of isl that may fail begins with it. So
// libLLVM's allocations ask: they obey an interrupt of isl, which only the thread that works with
// isl can do (specializer/polyhedral/model/isl_work.h), and are checkpoints of the compile
// (specializer/module/budget.h). The thread is in libLLVM then, not in the allocator, which the
// program may have brought along and may destroy at exit. One that fails ends the compile instead
// of returning null, which isl and Polly do not stand everywhere (jit/containment.h).
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_JIT_ALLOCATION_POINTS_H
#define SPECRT_JIT_ALLOCATION_POINTS_H

namespace specrt {

/// From now on it is so. False when libLLVM's relocations do not have the expected form; then
/// compiles end and park later. To be called before the first compile.
bool stopCompilesWhereTheyAllocate();

} // namespace specrt

#endif
