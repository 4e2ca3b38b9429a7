//===- arch/x86_64/processor_features.h - what this processor can do ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_ARCH_X86_64_PROCESSOR_FEATURES_H
#define SPECRT_ARCH_X86_64_PROCESSOR_FEATURES_H

namespace specrt {

/// Features that this processor has and the operating system supports.
struct ProcessorFeatures {
  bool Avx2 = false;
  bool Avx512 = false;           ///< AVX-512F, VL and DQ
  bool InvariantCounter = false; ///< the time-stamp counter has a constant rate
};

/// Returns what the C library detected at process start. Executing CPUID, as compilers do in a
/// constructor for __builtin_cpu_supports, takes some 2 us each time in a virtual machine.
/// Async-signal-safe.
ProcessorFeatures processorFeatures() noexcept;

} // namespace specrt

#endif
