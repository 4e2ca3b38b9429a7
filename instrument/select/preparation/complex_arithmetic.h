//===- instrument/select/preparation/complex_arithmetic.h - calls that only compute ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_INSTRUMENT_SELECT_PREPARATION_COMPLEX_ARITHMETIC_H
#define SPECRT_INSTRUMENT_SELECT_PREPARATION_COMPLEX_ARITHMETIC_H

namespace llvm {
class Module;
}

namespace specrt {

/// Adds to the declarations of __muldc3, __divdc3 and their like that they access no memory. clang
/// calls these functions of the compiler's runtime to multiply and divide complex numbers, and does
/// not say what they do.
void describeComplexArithmetic(llvm::Module &M);

} // namespace specrt

#endif
