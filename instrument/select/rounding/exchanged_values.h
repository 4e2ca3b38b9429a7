//===- instrument/select/rounding/exchanged_values.h - numbers that enter or leave nests --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The SLP vectoriser puts scalars of one type into the lanes of a vector if that pays, and follows
// them through phis out of loops and into loops. The call in front of a region receives the initial
// values of the nest, and its results join those of the nest in phis. So vectors may pay in the
// plain build and not beside a region, or the other way round. If flags leave results open, this
// changes bits: code generation fuses the multiplications of scalars and not those of vectors. In
// addition, an array on the stack is not promoted to registers beside a region, because the
// region's call gets its address; then the computations before the nest cannot be combined with
// those in it.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_SELECT_ROUNDING_EXCHANGED_VALUES_H
#define SPECRT_INSTRUMENT_SELECT_ROUNDING_EXCHANGED_VALUES_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Instruction;
class Loop;
class Value;
} // namespace llvm

namespace specrt {

/// Returns whether \p L exchanges several floating-point values of one type with code around it in
/// registers: initial values of its phis that instructions compute before it, and values of it that
/// are used after it. A value counts if \p Counts returns true for the instruction around \p L that
/// computes or uses the value.
bool exchangesLanes(const llvm::Loop &L,
                    llvm::function_ref<bool(const llvm::Instruction &Around)> Counts);

/// Returns whether \p L and code around it access floating-point numbers of an array on the stack
/// that may be promoted to registers: all subscripts in \p L are or may become constants.
bool sharesArrayOfRegisters(
    const llvm::Loop &L, llvm::function_ref<bool(const llvm::Value &Subscript)> MayBecomeConstant);

} // namespace specrt

#endif
