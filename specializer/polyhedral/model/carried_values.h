//===- specializer/polyhedral/model/carried_values.h - load again what a loop carries -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM keeps a value that the next iteration would load again in a register: A[j + 1] of one
// iteration is A[j] of the next. To a model of arrays such a value is one memory cell that orders
// all iterations one after the other. Here it becomes a load again.
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

/// Replaces header phis of innermost loops of one block by loads, where each iteration's
/// value was loaded or stored at the address that the load reads and nothing has written there
/// since. True when there were any; loops stay as they are.
bool reloadCarriedValues(const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE, llvm::AAResults &AA);

} // namespace specrt

#endif
