//===- specializer/polyhedral/kernel/function_attributes.h - compiled like another -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_KERNEL_FUNCTION_ATTRIBUTES_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_KERNEL_FUNCTION_ATTRIBUTES_H

namespace llvm {
class Function;
}

namespace specrt {

/// Gives \p New, to which a part of \p Original was moved, the attributes for compiling it alike:
/// the same processor, floating-point rules, and tables for debuggers and profilers. Attributes
/// that \p New already has stay.
void compileAlike(llvm::Function &New, const llvm::Function &Original);

} // namespace specrt

#endif
