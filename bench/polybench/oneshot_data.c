//===- bench/polybench/oneshot_data.c - the data of a program with one call ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oneshot.h"

void makeInitialArrays(const long *Sizes, void **Data) {
  for (int I = 0; I < numArrays(); ++I) {
    ArrayData Array = {0};
    measureArray(I, Sizes, &Array);
    Data[I] = Array.Data = allocate(Array.Bytes);
    fill(&Kernel.Arrays[I], Sizes, &Array, I + 1);
  }
}

void printOutcome(double Seconds, const long *Sizes, void *const *Data) {
  ArrayData Arrays[MaxArrays] = {{0}};
  for (int I = 0; I < numArrays(); ++I) {
    measureArray(I, Sizes, &Arrays[I]);
    Arrays[I].Data = Data[I];
  }
  printf("{\"seconds\": %.9f, \"checksum\": \"%016llx\"}\n", Seconds,
         (unsigned long long)checksum(Arrays));
}
