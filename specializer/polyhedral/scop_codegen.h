//===- specializer/polyhedral/scop_codegen.h - generates IR from a syntax tree -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polly's code generation, extended by the marks of schedules. Below a ContractionMark there is a
// block of a contraction, as loops over i (if there is one), j and k; it becomes a call of a
// kernel. If the loops do not have the form that the kernel needs, they are generated as loops, so
// a mark never changes results.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_SCOP_CODEGEN_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_SCOP_CODEGEN_H

#include "specializer/polyhedral/schedule/tiling_target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/PassManager.h"
#include "isl/isl-noexceptions.h"

namespace llvm {
class RegionInfo;
}
namespace polly {
class IslAstInfo;
class Scop;
} // namespace polly

namespace specrt {

class PrivateArrays;
struct CompactArray;

/// Arrays that are moved: private ones to memory of each thread, compact ones to joined places.
struct MovedArrays {
  const PrivateArrays &Private;
  llvm::ArrayRef<CompactArray> Compact;
};

struct ScopCodegenResult {
  bool Generated = false;
  unsigned NumKernels = 0;  ///< calls of contraction kernels
  unsigned NumUnpacked = 0; ///< of them in place, see unpacked_contraction.h
  unsigned NumPrivate = 0;  ///< arrays that threads have copies of, for each loop
  unsigned NumTooShort = 0; ///< loops that are serial because a start of them does not pay
};

/// Replaces the region of \p S by code for \p Ast. Keeps the analyses in \p FAM up to date as far
/// as Polly does. Parallel loops need work of Target.ParallelWorkNs per start; if that differs from
/// start to start, starts with less run on one thread. A loop is not parallel if two of its
/// iterations form a pair of \p Conflicts; null: Polly's dependences are complete. Threads of
/// parallel loops get memory of their own for arrays in \p Moved where they would conflict.
ScopCodegenResult generateScop(polly::Scop &S, polly::IslAstInfo &Ast, llvm::RegionInfo &RI,
                               llvm::FunctionAnalysisManager &FAM, const TilingTarget &Target,
                               const isl::union_map &Conflicts, const MovedArrays &Moved);

} // namespace specrt

#endif
