//===- specializer/polyhedral/register_tiling.h - schedules for contraction-shaped bands
//--------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A statement such as C[i,j] += A[i,k] * B[k,j] in a permutable band reuses every operand along a
// dimension the operand does not depend on. isl finds the band but not how to use it. Here the band
// is reordered and strip-mined so that a block of C stays in vector registers while k runs:
//
//   for r/Tr, k/Tk, v/Tv          cache tiles
//     for v/Mv, r/Mr              register blocks, full ones isolated from the ragged edge
//       for k                     the contraction, C's block stays in registers
//         for r (unrolled) for v  Mr x Mv results, v consecutive in memory
//
// Every result still sees its k in ascending order, so floating-point results do not change. The
// dependences are checked again on the finished schedule.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_REGISTER_TILING_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_REGISTER_TILING_H

#include "isl/isl-noexceptions.h"

namespace llvm {
class TargetTransformInfo;
}
namespace polly {
class Dependences;
class Scop;
} // namespace polly

namespace specrt {

/// What the tile sizes depend on.
struct TilingTarget {
  unsigned VectorBytes = 16;        ///< widest vector register
  unsigned NumVectorRegisters = 16; ///< of that width
  unsigned L1Bytes = 32 * 1024;     ///< data cache of one core
  unsigned L2Bytes = 512 * 1024;    ///< cache of one core
  unsigned Threads = 1;             ///< > 1: the outermost tile loop is cut for that many workers
};

/// The machine this process runs on, for functions compiled with \p TTI. Sizes the system does not
/// tell keep their defaults.
TilingTarget describeHost(const llvm::TargetTransformInfo &TTI, unsigned Threads);

/// A schedule of \p S in which every contraction-shaped permutable band is rewritten as described
/// above; other bands are as isl's scheduler leaves them. It respects the dependences \p D. Null
/// when no band qualifies or isl gave up.
isl::schedule tileContractions(polly::Scop &S, const polly::Dependences &D,
                               const TilingTarget &Target);

} // namespace specrt

#endif
