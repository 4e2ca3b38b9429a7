//===- guards/fp_environment.h - checks the floating-point environment ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_GUARDS_FP_ENVIRONMENT_H
#define SPECRT_GUARDS_FP_ENVIRONMENT_H

#include "guards/kind.h"

namespace specrt {

/// MXCSR at the start of a program: rounds to nearest, keeps denormals, masks all exceptions.
constexpr uint32_t MxcsrDefault = 0x1f80;
constexpr uint32_t MxcsrControl = 0xffc0;   ///< all but the sticky flags and reserved bits
constexpr uint32_t MxcsrDenormals = 0x8040; ///< flush to zero, denormals are zero
constexpr uint32_t X87Default = 0x037f;
constexpr uint32_t X87Control = 0x0f3f; ///< rounding, precision, exception masks

/// The bits Mxcsr of the calling thread's MXCSR, and the bits X87 of its x87 control word, are as
/// at the start of a program. An X87 of 0 means that the x87 control word is not read.
struct FpEnvironmentGuard : GuardRecord {
  static constexpr GuardKindId Kind = GuardKindId::FpEnvironment;
  uint32_t Mxcsr, X87;

  FpEnvironmentGuard(uint32_t Mxcsr, uint32_t X87)
      : Mxcsr(Mxcsr & MxcsrControl), X87(X87 & X87Control) {}

  const char *problem(const specrt_region &Region) const;
  bool holds(const specrt_region &Region, const uint64_t *Packed) const;
  std::string describe(const specrt_region &Region) const;
  double costNs() const;
};

} // namespace specrt

#endif
