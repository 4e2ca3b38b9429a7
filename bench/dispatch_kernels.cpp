//===- bench/dispatch_kernels.cpp - the functions whose calls are measured ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SPECRT_BENCH_NAMESPACE selects one of the two copies (see dispatch_kernels.h).
#include "dispatch_kernels.h"

namespace SPECRT_BENCH_NAMESPACE {

// Takes a few nanoseconds for 8 to 16 elements.
__attribute__((noinline)) void tiny(double *Out, const double *In, long n, double Factor) {
  for (long i = 0; i < n; ++i)
    Out[i] += Factor * In[i];
}

// Executes n dependent operations, about a nanosecond each, independent of the caches.
__attribute__((noinline)) void micro(double *Out, const double *In, long n, double Factor) {
  double Value = 0.0;
  for (long i = 0; i < n; ++i) {
    Value = Factor * Value + In[i];
    Out[i] = Value;
  }
}

} // namespace SPECRT_BENCH_NAMESPACE
