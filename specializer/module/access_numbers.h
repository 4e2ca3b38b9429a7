//===- specializer/module/access_numbers.h - names for loads and stores ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was observed of a load or store in one compile is used in another one, so accesses need
// names that do not depend on what is done to the code: their numbers in the region's function as
// it was embedded. Metadata carry them through clones and passes. Passes that merge accesses drop
// them; what has none was simply not observed. A wrong one would cost a guard that fails, no more,
// because what is guarded follows from the instruction itself.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_MODULE_ACCESS_NUMBERS_H
#define SPECRT_SPECIALIZER_MODULE_ACCESS_NUMBERS_H

#include <optional>

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace specrt {

/// Numbers the loads and stores of \p F from 0 in function order.
void numberAccesses(llvm::Function &F);

/// The number of \p Access, or none.
std::optional<unsigned> accessNumber(const llvm::Instruction &Access);

} // namespace specrt

#endif
