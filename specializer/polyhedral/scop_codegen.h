//===- specializer/polyhedral/scop_codegen.h - from a syntax tree back to IR -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polly's code generation, extended by what marks in the schedule ask for. Below a mark named
// ContractionMark lies a block of a contraction, as loops over i (if there is one), j and k; it
// becomes a call of a kernel. Where the loops do not have the form that the kernel needs, they are
// generated as they are, so a mark never changes what is computed.
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

/// Replaces the region of \p S by code for \p Ast. The analyses in \p FAM are kept up to date as
/// far as Polly does. Parallel loops have Target.ParallelWorkNs to do each time they start; where
/// that differs from start to start, the others run on one thread. Loops of which two iterations
/// form a pair of \p Conflicts are not parallel; null: Polly's dependences say it all. Threads of
/// parallel loops get memory of their own for arrays in \p Moved where they would disturb each
/// other.
ScopCodegenResult generateScop(polly::Scop &S, polly::IslAstInfo &Ast, llvm::RegionInfo &RI,
                               llvm::FunctionAnalysisManager &FAM, const TilingTarget &Target,
                               const isl::union_map &Conflicts, const MovedArrays &Moved);

} // namespace specrt

#endif
