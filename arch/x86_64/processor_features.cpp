//===- arch/x86_64/processor_features.cpp - detects features of this processor ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arch/x86_64/processor_features.h"

// The C library's header is C even where C++ reads it.
#define _Bool bool // NOLINT(bugprone-reserved-identifier)
#include <sys/platform/x86.h>
#undef _Bool

namespace specrt {

ProcessorFeatures processorFeatures() noexcept {
  return {.Avx2 = CPU_FEATURE_ACTIVE(AVX2),
          .Avx512 = CPU_FEATURE_ACTIVE(AVX512F) && CPU_FEATURE_ACTIVE(AVX512VL) &&
                    CPU_FEATURE_ACTIVE(AVX512DQ),
          .InvariantCounter = CPU_FEATURE_PRESENT(INVARIANT_TSC)};
}

} // namespace specrt
