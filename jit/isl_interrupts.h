//===- jit/isl_interrupts.h - where isl meets an interrupt ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only the thread that works with isl can end its work, see
// specializer/polyhedral/model/isl_work.h, but isl calls nobody to ask. What it does all the time
// is allocate, the more so the larger its numbers are: an operation that may fail begins with
// malloc. So libLLVM's malloc asks.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_JIT_ISL_INTERRUPTS_H
#define SPECRT_JIT_ISL_INTERRUPTS_H

namespace specrt {

/// From now on interruptIsl() has an effect. False when libLLVM's relocations do not have the
/// expected form; then it has none. Call once, before the first compile.
bool letIslBeInterrupted();

} // namespace specrt

#endif
