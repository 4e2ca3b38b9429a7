//===- instrument/select/rounding/exchanged_values.h - numbers in and out of nests --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vectoriser of straight-line code puts scalars of one type into the lanes of a vector where
// that pays, and follows them through phis out of loops and into loops. The call in front of a
// region receives what the nest begins with, and what the nest leaves meets the results of that
// call, so lanes may pay in the plain build and not beside a region, or the other way round. Where
// flags leave results open this changes bits: code generation fuses the multiplications of scalars
// and not those of lanes. And an array on the stack does not become registers beside a region,
// whose call gets its address: what is computed before the nest does not meet what the nest makes
// of it.
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
/// registers: carried values that instructions compute before it, and values that it leaves. Values
/// count for which \p Counts returns true of the instruction around \p L that computes or uses it.
bool exchangesLanes(const llvm::Loop &L,
                    llvm::function_ref<bool(const llvm::Instruction &Around)> Counts);

/// Returns whether \p L and code around it access floating-point numbers of an array on the stack
/// that may become registers: all subscripts in \p L are constants, or may become some.
bool sharesArrayOfRegisters(
    const llvm::Loop &L, llvm::function_ref<bool(const llvm::Value &Subscript)> MayBecomeConstant);

} // namespace specrt

#endif
