//===- bench/polybench/arrays.c - a kernel's arrays and their initial values ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arrays.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ArrayAlignment = 64 };

void fail(const char *Format, ...) {
  va_list Arguments;
  va_start(Arguments, Format);
  fputs("error: ", stderr);
  vfprintf(stderr, Format, Arguments);
  fputc('\n', stderr);
  va_end(Arguments);
  exit(2);
}

int numSizes(void) {
  int Count = 0;
  while (Count < MaxSizes && Kernel.SizeNames[Count])
    ++Count;
  return Count;
}

int numArrays(void) {
  int Count = 0;
  while (Count < MaxArrays && Kernel.Arrays[Count].Name)
    ++Count;
  return Count;
}

size_t elementSize(int Array) {
  static const size_t Sizes[] = {sizeof(double), sizeof(float), sizeof(int), sizeof(char)};
  return Sizes[Kernel.Arrays[Array].Type];
}

void *allocate(size_t Bytes) {
  void *Memory =
      aligned_alloc(ArrayAlignment, (Bytes + ArrayAlignment - 1) / ArrayAlignment * ArrayAlignment);
  if (!Memory)
    fail("no memory for %zu bytes", Bytes);
  return Memory;
}

void measureArray(int Array, const long *Sizes, ArrayData *Out) {
  const ArrayInfo *Info = &Kernel.Arrays[Array];
  Out->Elements = 1;
  // A kernel may touch the first row or element of an array without rows.
  for (int D = 0; D < Info->Rank; ++D)
    Out->Elements *= Sizes[Info->Extents[D]] > 0 ? (size_t)Sizes[Info->Extents[D]] : 1;
  Out->Bytes = Out->OwnedBytes = Out->Elements * elementSize(Array);
}

// Implements a linear congruential generator, which yields the same numbers on every machine.
static uint64_t nextBits(uint64_t *State) {
  *State = *State * 6364136223846793005u + 1442695040888963407u;
  return *State >> 11;
}

static double nextNumber(uint64_t *State) {
  return (double)((int64_t)nextBits(State) - ((int64_t)1 << 52)) * 0x1p-52;
}

static double initialNumber(Fill Kind, uint64_t *State, size_t Position) {
  double Number = Kind == FillZero ? 0.0 : nextNumber(State);
  if (Kind == FillDecaying)
    Number *= 0.3 / ((double)(Position + 1) * (double)(Position + 1));
  return Number;
}

// Makes a matrix diagonally dominant, and symmetric if \p Symmetric.
static void makeDominant(double *A, long n, int Symmetric) {
  for (long i = 0; i < n; ++i) {
    A[i * n + i] += (double)n;
    for (long j = 0; Symmetric && j < i; ++j)
      A[i * n + j] = A[j * n + i];
  }
}

void fill(const ArrayInfo *Info, const long *Sizes, ArrayData *Array, uint64_t Seed) {
  uint64_t State = Seed * 0x9e3779b97f4a7c15u + 1;
  for (size_t I = 0; I < Array->Elements; ++I)
    switch (Info->Type) {
    case TypeDouble:
      ((double *)Array->Data)[I] = initialNumber(Info->Initial, &State, I);
      break;
    case TypeFloat:
      ((float *)Array->Data)[I] = (float)initialNumber(Info->Initial, &State, I);
      break;
    case TypeInt:
      ((int *)Array->Data)[I] = Info->Initial == FillZero ? 0 : (int)(nextBits(&State) % 1000) + 1;
      break;
    case TypeChar:
      Array->Data[I] = (char)(nextBits(&State) >> 20 & 3);
      break;
    }
  if (Info->Initial == FillDominant || Info->Initial == FillDefinite)
    makeDominant((double *)Array->Data, Sizes[Info->Extents[0]], Info->Initial == FillDefinite);
}

void writeArrays(FILE *File, const ArrayData *Arrays) {
  if (!File)
    return;
  for (int I = 0; I < numArrays(); ++I)
    if (fwrite(Arrays[I].Data, 1, Arrays[I].Bytes, File) != Arrays[I].Bytes)
      fail("cannot write the arrays: %s", strerror(errno));
}

// Computes FNV-1a over words of eight bytes, folded.
uint64_t checksum(const ArrayData *Arrays) {
  uint64_t Hash = 0xcbf29ce484222325u;
  for (int I = 0; I < numArrays(); ++I)
    for (size_t Byte = 0; Byte < Arrays[I].Bytes; Byte += sizeof(uint64_t)) {
      uint64_t Word = 0;
      size_t Left = Arrays[I].Bytes - Byte;
      memcpy(&Word, Arrays[I].Data + Byte, Left < sizeof Word ? Left : sizeof Word);
      Hash = (Hash ^ Word) * 0x100000001b3u;
      Hash ^= Hash >> 29;
    }
  return Hash;
}

double now(void) {
  struct timespec Time;
  clock_gettime(CLOCK_MONOTONIC, &Time);
  return (double)Time.tv_sec + 1e-9 * (double)Time.tv_nsec;
}
