//===- specializer/polyhedral/schedule/host.cpp - caches and vector registers of this machine ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "specializer/polyhedral/schedule/tiling_target.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Support/MathExtras.h"
#include <unistd.h>

using namespace llvm;

namespace specrt {

TilingTarget describeHost(const TargetTransformInfo &TTI, unsigned Threads) {
  TilingTarget Target;
  Target.Threads = Threads;
  if (TypeSize Bits = TTI.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector);
      !Bits.isScalable() && Bits.getFixedValue() >= 64)
    Target.VectorBytes = Bits.getFixedValue() / 8;
  if (unsigned Registers = TTI.getNumberOfRegisters(TTI.getRegisterClassForType(/*Vector=*/true)))
    Target.NumVectorRegisters = Registers;
  // sysconf returns 0 or -1 if the kernel does not describe the caches.
  if (long Bytes = sysconf(_SC_LEVEL1_DCACHE_SIZE); Bytes > 0)
    Target.L1Bytes = Bytes;
  if (long Bytes = sysconf(_SC_LEVEL2_CACHE_SIZE); Bytes > 0)
    Target.L2Bytes = Bytes;
  if (long Bytes = sysconf(_SC_LEVEL3_CACHE_SIZE); Bytes > 0)
    Target.L3Bytes = Bytes;
  // Buffers are aligned to it.
  if (long Bytes = sysconf(_SC_LEVEL1_DCACHE_LINESIZE); Bytes > 0 && isPowerOf2_64(uint64_t(Bytes)))
    Target.LineBytes = Bytes;
  return Target;
}

} // namespace specrt
