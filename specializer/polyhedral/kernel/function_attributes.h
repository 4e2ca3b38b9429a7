//===- specializer/polyhedral/kernel/function_attributes.h - compiled like another -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_KERNEL_FUNCTION_ATTRIBUTES_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_KERNEL_FUNCTION_ATTRIBUTES_H

namespace llvm {
class Function;
}

namespace specrt {

/// Lets \p New, to which a part of \p Original was moved, be compiled as that is: for the same
/// processor, under the same rules for floating-point numbers, with the same tables for debuggers
/// and profilers. What \p New says about itself stays.
void compileAlike(llvm::Function &New, const llvm::Function &Original);

} // namespace specrt

#endif
