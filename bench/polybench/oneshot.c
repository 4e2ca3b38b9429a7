//===- bench/polybench/oneshot.c - a program that calls one kernel once ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models programs that compute one result and end: all sizes are constants, the kernel is inlined
// into main, the arrays come from another file. The build uses -DKERNEL_FILE='"kernels/NAME.c"' and
// -DSIZE_CLASS=N, which is a column of the kernel's SizeClasses.
#define POLYBENCH_ONESHOT
#include KERNEL_FILE

#include "oneshot.h"

int main(void) {
  void *Data[MaxArrays];
  makeInitialArrays(Kernel.SizeClasses[SIZE_CLASS], Data);
  const double Start = now();
  [[clang::always_inline]] run(Kernel.SizeClasses[SIZE_CLASS], Data);
  const double Seconds = now() - Start;
  printOutcome(Seconds, Kernel.SizeClasses[SIZE_CLASS], Data);
}
