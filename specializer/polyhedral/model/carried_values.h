//===- specializer/polyhedral/model/carried_values.h - reloads what loops carry -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM keeps a value that the next iteration would load again in a register: A[j + 1] of one
// iteration is A[j] of the next. In a model of arrays such a value is one memory cell that orders
// all iterations. Here it becomes a load again.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_CARRIED_VALUES_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_CARRIED_VALUES_H

namespace llvm {
class AAResults;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

/// Replaces header phis of innermost single-block loops by loads if each iteration's value was
/// loaded from or stored to the address that the load reads, and nothing has written there since.
/// Returns whether there were any; keeps the loops.
bool reloadCarriedValues(const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE, llvm::AAResults &AA);

} // namespace specrt

#endif
