//===- bench/dispatch_kernels.h - the functions whose calls are measured ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dispatch_kernels.cpp is compiled twice, plain into `direct` and with specrt into `instrumented`.
#ifndef SPECRT_BENCH_DISPATCH_KERNELS_H
#define SPECRT_BENCH_DISPATCH_KERNELS_H

#define SPECRT_BENCH_DECLARE(NAMESPACE)                                                            \
  namespace NAMESPACE {                                                                            \
  void tiny(double *Out, const double *In, long n, double Factor);                                 \
  void micro(double *Out, const double *In, long n, double Factor);                                \
  }

SPECRT_BENCH_DECLARE(direct)
SPECRT_BENCH_DECLARE(instrumented)

#endif
