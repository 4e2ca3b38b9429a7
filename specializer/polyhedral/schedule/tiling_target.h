//===- specializer/polyhedral/schedule/tiling_target.h - machine parameters of tile sizes -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_TILING_TARGET_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_TILING_TARGET_H

namespace llvm {
class TargetTransformInfo;
}

namespace specrt {

/// Share of the second cache that the data of a tile may fill.
inline constexpr double CacheShare = 0.8;

struct TilingTarget {
  unsigned VectorBytes = 16;               ///< widest vector register
  unsigned NumVectorRegisters = 16;        ///< of that width
  unsigned L1Bytes = 32 * 1024;            ///< data cache of one core
  unsigned L2Bytes = 512 * 1024;           ///< cache of one core
  unsigned long L3Bytes = 8 * 1024 * 1024; ///< cache that cores share
  unsigned LineBytes = 64;                 ///< unit of transfers between caches, a power of two
  unsigned Threads = 1;                    ///< > 1: the outermost loop is cut for that many workers
  double ParallelWorkNs = 0; ///< serial work that pays for one start of a parallel loop
};

/// Describes the machine that this process runs on, for functions compiled with \p TTI. Sizes that
/// the system does not report keep their defaults.
TilingTarget describeHost(const llvm::TargetTransformInfo &TTI, unsigned Threads);

} // namespace specrt

#endif
