//===- guards/fp_environment.cpp - checks the floating-point environment --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/fp_environment.h"

namespace specrt {

const char *FpEnvironmentGuard::problem(const specrt_region &) const {
  return (Mxcsr & ~MxcsrControl) || (X87 & ~X87Control)
             ? "looks at bits of the floating-point environment that control nothing"
             : nullptr;
}

/// Reads the control words of the calling thread.
bool FpEnvironmentGuard::holds(const specrt_region &, const uint64_t *) const {
  uint16_t Present = X87Default;
  if (X87 != 0)
    asm volatile("fnstcw %0" : "=m"(Present));
  return ((__builtin_ia32_stmxcsr() ^ MxcsrDefault) & Mxcsr) == 0 &&
         ((Present ^ X87Default) & X87) == 0;
}

std::string FpEnvironmentGuard::describe(const specrt_region &) const {
  std::string Text = X87 == 0 ? "floating point" : "floating point (x87 too)";
  if (Mxcsr & MxcsrDenormals)
    return Text + " rounds to nearest, keeps denormals and does not trap";
  return Text + " rounds to nearest and does not trap";
}

double FpEnvironmentGuard::costNs() const { return X87 == 0 ? 0.3 : 0.6; }

} // namespace specrt
