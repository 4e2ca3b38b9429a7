//===- specializer/polyhedral/kernel/contraction_kernel.h - code for blocks of contractions ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits code for a contraction over a block of its iteration space: i in a range, j in a range that
// may depend on i, k in a range. packed_contraction.h handles any block, unpacked_contraction.h
// small ones of constant size.
//
// Every result is loaded first and updated with k in ascending order, so its value equals the
// source's bit by bit. Results outside of the range are neither read nor written.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_KERNEL_CONTRACTION_KERNEL_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_KERNEL_CONTRACTION_KERNEL_H

#include "specializer/polyhedral/contraction/contraction.h"
#include "specializer/polyhedral/schedule/tiling_target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class IRBuilderBase;
} // namespace llvm

namespace specrt {

/// Base + Slope * i; Slope is -1, 0 or 1.
struct RowTerm {
  llvm::Value *Base = nullptr; ///< i64
  int Slope = 0;
};

/// The block of one call. Upper bounds are exclusive; all values are i64.
struct ContractionBlock {
  llvm::Value *RowBegin = nullptr, *RowEnd = nullptr; ///< null when there is no row dimension
  /// j runs from the maximum of ColumnBegin to the minimum of ColumnEnd; at most one term of each
  /// list depends on i.
  llvm::SmallVector<RowTerm, 2> ColumnBegin, ColumnEnd;
  llvm::Value *ReducedBegin = nullptr, *ReducedEnd = nullptr;
  /// Upper bounds on the numbers of iterations; 0: unknown.
  int64_t MaxRows = 0, MaxColumns = 0, MaxReduced = 0;
};

/// The form that was chosen.
enum class KernelForm { Packed, Unpacked };

/// Returns the address of an access at i = j = k = 0 for the current outer dimensions.
using BaseOf = llvm::function_ref<llvm::Value *(const LinearAddress &)>;
/// Returns the value of something invariant in the block.
using UniformOf = llvm::function_ref<llvm::Value *(llvm::Value *)>;

/// Emits a function that computes a block, with the attributes of \p User, and a call of it at the
/// builder's insertion point.
KernelForm emitContraction(llvm::IRBuilderBase &Builder, const Contraction &C,
                           const ContractionBlock &Block, const TilingTarget &Target,
                           const llvm::Function &User, BaseOf baseOf, UniformOf uniform);

} // namespace specrt

#endif
