//===- specializer/polyhedral/schedule/tiling_target.h - what block sizes depend on ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_TILING_TARGET_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_TILING_TARGET_H

namespace llvm {
class TargetTransformInfo;
}

namespace specrt {

/// Which part of the second cache the data of a tile may fill.
inline constexpr double CacheShare = 0.8;

struct TilingTarget {
  unsigned VectorBytes = 16;               ///< widest vector register
  unsigned NumVectorRegisters = 16;        ///< of that width
  unsigned L1Bytes = 32 * 1024;            ///< data cache of one core
  unsigned L2Bytes = 512 * 1024;           ///< cache of one core
  unsigned long L3Bytes = 8 * 1024 * 1024; ///< cache that cores share
  unsigned LineBytes = 64;                 ///< what moves between caches, a power of two
  unsigned Threads = 1;                    ///< > 1: the outermost loop is cut for that many workers
  double ParallelWorkNs = 0; ///< serial work that pays for one start of a parallel loop
};

/// The machine this process runs on, for functions compiled with \p TTI. Sizes the system does not
/// tell keep their defaults.
TilingTarget describeHost(const llvm::TargetTransformInfo &TTI, unsigned Threads);

} // namespace specrt

#endif
