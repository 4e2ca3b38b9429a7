//===- specializer/module/access_numbers.h - numbers of loads and stores --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Observations about a load or store in one compilation are used in another, so accesses need
// identities that do not depend on transformations: their numbers in the region's function as it
// was embedded. Metadata carries them through clones and passes. Passes that merge accesses drop
// the metadata; such accesses count as not observed. A wrong number would only cost a guard that
// fails, because what is guarded follows from the instruction itself.
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

/// Returns the number of \p Access, or nothing.
std::optional<unsigned> accessNumber(const llvm::Instruction &Access);

} // namespace specrt

#endif
