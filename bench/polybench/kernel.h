//===- bench/polybench/kernel.h - macros and description of a kernel ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file in kernels/ holds one kernel in the usual form of programs: heap arrays behind plain
// pointers that may overlap, sizes that are known at run time only. It also describes its sizes
// and arrays, from which the driver creates the data, so that the kernel's own loops are the only
// ones in the file. Every compiler under comparison compiles the file with its own flags.
//
// Macros select the form. With -DPOLYBENCH_VLA an m x n matrix is a `double (*A)[n]`; otherwise it
// is a `double *A`, addressed as A[i * n + j]. With -DPOLYBENCH_INDEX=int subscripts are int, not
// long. With -DPOLYBENCH_ONESHOT the kernel becomes part of its caller, which knows all sizes. With
// -DPOLYBENCH_BLAS calls of BLAS or LAPACK replace loops of the kernels, if there are such
// functions.
#ifndef SPECRT_BENCH_POLYBENCH_KERNEL_H
#define SPECRT_BENCH_POLYBENCH_KERNEL_H

#ifdef POLYBENCH_BLAS
#include <cblas.h>
void dpotrf_(const char *Triangle, const int *N, double *A, const int *Stride, int *Info);
void dgetrf_(const int *M, const int *N, double *A, const int *Stride, int *Pivots, int *Info);
#endif

#ifndef POLYBENCH_INDEX
#define POLYBENCH_INDEX long
#define POLYBENCH_FLAT_FORM "flat"
#else
#define POLYBENCH_FLAT_FORM "int"
#endif
typedef POLYBENCH_INDEX Index;

// MATRIX and TENSOR declare a parameter, all extents but the first; AT2 to AT4 are its elements.
#ifdef POLYBENCH_VLA
#define POLYBENCH_FORM "vla"
#define MATRIX(NAME, N1) (*(NAME))[N1]
#define TENSOR3(NAME, N1, N2) (*(NAME))[N1][N2]
#define TENSOR4(NAME, N1, N2, N3) (*(NAME))[N1][N2][N3]
#define AT2(NAME, N1, I, J) NAME[I][J]
#define AT3(NAME, N1, N2, I, J, K) NAME[I][J][K]
#define AT4(NAME, N1, N2, N3, I, J, K, L) NAME[I][J][K][L]
#else
#define POLYBENCH_FORM POLYBENCH_FLAT_FORM
#define MATRIX(NAME, N1) *NAME
#define TENSOR3(NAME, N1, N2) *NAME
#define TENSOR4(NAME, N1, N2, N3) *NAME
#define AT2(NAME, N1, I, J) NAME[(I) * (N1) + (J)]
#define AT3(NAME, N1, N2, I, J, K) NAME[((I) * (N1) + (J)) * (N2) + (K)]
#define AT4(NAME, N1, N2, N3, I, J, K, L) NAME[(((I) * (N1) + (J)) * (N2) + (K)) * (N3) + (L)]
#endif

// Except in oneshot.c, compilers must not learn the arguments from the only call.
#ifdef POLYBENCH_ONESHOT
#define KERNEL static inline __attribute__((always_inline)) void
#elif defined(__clang__)
#define KERNEL __attribute__((noinline)) void
#else
#define KERNEL __attribute__((noipa)) void
#endif

enum { MaxSizes = 6, MaxArrays = 10, MaxRank = 4, NumSizeClasses = 4 };

typedef enum { TypeDouble, TypeFloat, TypeInt, TypeChar } ElementType;

/// The contents of an array before each repetition, which are the same on every machine.
typedef enum {
  FillUniform,  ///< numbers in [-1, 1)
  FillZero,     ///< zeros
  FillDominant, ///< a matrix of FillUniform with its row length added to the diagonal
  FillDefinite, ///< the same, symmetric, so that it is positive definite
  FillDecaying, ///< numbers below 0.3 / (i + 1)^2: the autocorrelation of some process
  FillWeights,  ///< integers from 1 to 1000
  FillBases     ///< integers from 0 to 3
} Fill;

typedef struct {
  const char *Name;
  ElementType Type;
  Fill Initial;
  int Rank;
  int Extents[MaxRank]; ///< numbers of sizes, outermost first
} ArrayInfo;

typedef struct {
  const char *Name;
  const char *Form;                           ///< POLYBENCH_FORM
  const char *SizeNames[MaxSizes];            ///< ends with a null pointer
  long SizeClasses[NumSizeClasses][MaxSizes]; ///< MINI, SMALL, MEDIUM, LARGE
  ArrayInfo Arrays[MaxArrays];                ///< ends with a null name
  /// Arithmetic operations of the definition, and bytes that must be moved when each array is read
  /// and written at most once. Both are expressions in the sizes.
  const char *Flops, *Bytes;
  /// Calls the kernel. \p S has the sizes, \p D the arrays, in the order of the description.
  void (*Run)(const long *S, void *const *D);
} KernelInfo;

/// Every kernel file defines this.
extern const KernelInfo Kernel;

#endif
