//===- bench/dispatch_kernels.cpp - the functions whose calls are measured ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SPECRT_BENCH_NAMESPACE says which of the two copies this is (see dispatch_kernels.h).
#include "dispatch_kernels.h"

namespace SPECRT_BENCH_NAMESPACE {

// A few nanoseconds for 8 to 16 elements.
__attribute__((noinline)) void tiny(double *Out, const double *In, long n, double Factor) {
  for (long i = 0; i < n; ++i)
    Out[i] += Factor * In[i];
}

// A chain of n dependent operations: about a nanosecond each, whatever the caches do.
__attribute__((noinline)) void micro(double *Out, const double *In, long n, double Factor) {
  double Value = 0.0;
  for (long i = 0; i < n; ++i) {
    Value = Factor * Value + In[i];
    Out[i] = Value;
  }
}

} // namespace SPECRT_BENCH_NAMESPACE
