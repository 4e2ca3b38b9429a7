//===- bench/polybench/limits.c - measures the speed of arithmetic and memory -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: limits [--threads=N] [--bytes=N]...
//
// Prints one JSON object with the highest rates of N threads together: operations per second of
// fused multiply-adds on vectors of double and of float (two operations each) and of additions and
// minima on vectors of int, and bytes per second through loads and stores for working sets that fit
// half of the second-level cache of each thread, half of the last cache, and no cache.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#define REGISTER "+v"
#elif defined(__AVX__)
#define VECTOR_BYTES 32
#define REGISTER "+x"
#else
#define VECTOR_BYTES 16
#define REGISTER "+x"
#endif

typedef double Doubles __attribute__((vector_size(VECTOR_BYTES)));
typedef float Floats __attribute__((vector_size(VECTOR_BYTES)));
typedef int Ints __attribute__((vector_size(VECTOR_BYTES)));

enum {
  Chains = 12, ///< independent operations in flight: latency times units, but no spills
  Rounds = 2000000,
  Trials = 7,
  MaxSets = 8,
  MaxThreads = 256
};

/// The work of one thread in one trial on its part of the data, and its amount.
typedef struct {
  double (*Work)(double *Data, size_t Elements); ///< returns operations or bytes
  double *Data;
  size_t Elements;
  double Amount, Start, End;
  pthread_barrier_t *Together;
} Task;

static double now(void) {
  struct timespec Time;
  clock_gettime(CLOCK_MONOTONIC, &Time);
  return (double)Time.tv_sec + 1e-9 * (double)Time.tv_nsec;
}

// Keeps \p VALUE and all computations that lead to it. A constant that passes through it is unknown
// to the compiler, so that nothing is folded.
#define KEEP(VALUE) __asm__ volatile("" : REGISTER(VALUE))

#define MULTIPLY_ADD(NAME, TYPE, ONE)                                                              \
  static double NAME(double *Data, size_t Elements) {                                              \
    TYPE Factor = (TYPE){0} + (ONE), Term = Factor;                                                \
    KEEP(Factor);                                                                                  \
    KEEP(Term);                                                                                    \
    TYPE Sums[Chains];                                                                             \
    for (int C = 0; C < Chains; ++C)                                                               \
      Sums[C] = Term;                                                                              \
    for (long R = 0; R < Rounds; ++R)                                                              \
      _Pragma("clang loop unroll(full)") for (int C = 0; C < Chains; ++C) Sums[C] =                \
          Sums[C] * Factor + Term;                                                                 \
    for (int C = 0; C < Chains; ++C)                                                               \
      KEEP(Sums[C]);                                                                               \
    return 2.0 * Chains * Rounds * (double)sizeof(TYPE) / (double)sizeof(ONE);                     \
  }
MULTIPLY_ADD(multiplyAddDoubles, Doubles, 1.0)
MULTIPLY_ADD(multiplyAddFloats, Floats, 1.0f)

static double addAndMinimum(double *Data, size_t Elements) {
  Ints Step = (Ints){0} + 1, Bound = (Ints){0} + (1 << 30);
  KEEP(Step);
  KEEP(Bound);
  Ints Values[Chains] = {{0}};
  for (long R = 0; R < Rounds; ++R)
#pragma clang loop unroll(full)
    for (int C = 0; C < Chains; ++C)
      Values[C] = __builtin_elementwise_min(Values[C] + Step, Bound);
  for (int C = 0; C < Chains; ++C)
    KEEP(Values[C]);
  return 2.0 * Chains * Rounds * (double)sizeof(Ints) / (double)sizeof(int);
}

// Returns a number of passes that makes the time of reading the clock negligible.
static long passes(size_t Bytes) { return 1 + (long)((32u << 20) / (Bytes + 1)); }

// Computes a = b + s c for three arrays that lie one after another.
static double triad(double *Data, size_t Elements) {
  const size_t n = Elements / 3;
  double *A = Data, *B = Data + n, *C = Data + 2 * n, Factor = 0.5;
  const long Passes = passes(Elements * sizeof(double));
  for (long P = 0; P < Passes; ++P) {
    KEEP(Factor);
#pragma clang loop vectorize(assume_safety)
    for (size_t i = 0; i < n; ++i)
      A[i] = B[i] + Factor * C[i];
    __asm__ volatile("" ::: "memory");
  }
  return (double)Passes * 3.0 * (double)n * sizeof(double);
}

// Computes a sum with several chains, because reading alone is faster on some machines.
static double readAll(double *Data, size_t Elements) {
  enum { Lanes = VECTOR_BYTES / sizeof(double), Block = 8 * Lanes };
  const size_t Whole = Elements - Elements % Block;
  const long Passes = passes(Elements * sizeof(double));
  Doubles Sums[8] = {{0}};
  for (long P = 0; P < Passes; ++P)
    for (size_t i = 0; i < Whole; i += Block)
#pragma clang loop unroll(full)
      for (int C = 0; C < 8; ++C) {
        Doubles Value;
        memcpy(&Value, Data + i + C * Lanes, sizeof Value);
        Sums[C] += Value;
      }
  for (int C = 0; C < 8; ++C)
    KEEP(Sums[C]);
  return (double)Passes * (double)Whole * sizeof(double);
}

static void *runTask(void *Argument) {
  Task *T = Argument;
  // Each thread touches its data first, so that the memory is local to it.
  for (size_t i = 0; i < T->Elements; ++i)
    T->Data[i] = 1.0;
  for (int Trial = 0; Trial < Trials; ++Trial) {
    pthread_barrier_wait(T->Together);
    double Start = now(), Amount = T->Work(T->Data, T->Elements), End = now();
    pthread_barrier_wait(T->Together);
    if (Trial == 0 || Amount / (End - Start) > T->Amount / (T->End - T->Start)) {
      T->Amount = Amount;
      T->Start = Start;
      T->End = End;
    }
  }
  return NULL;
}

// Returns the highest rate of all threads together, whose working set has \p Bytes bytes.
static double measure(size_t Threads, size_t Bytes, double (*Work)(double *, size_t)) {
  Task Tasks[MaxThreads];
  pthread_t Handles[MaxThreads];
  pthread_barrier_t Together;
  pthread_barrier_init(&Together, NULL, (unsigned)Threads);
  const size_t Elements = Bytes / sizeof(double) / Threads;
  double *Data = malloc((Elements * Threads + 1) * sizeof(double));
  if (!Data) {
    fprintf(stderr, "error: no memory for %zu bytes\n", Bytes);
    exit(1);
  }
  for (size_t I = 0; I < Threads; ++I) {
    Tasks[I] = (Task){Work, Data + I * Elements, Elements, 0, 0, 0, &Together};
    if (pthread_create(&Handles[I], NULL, runTask, &Tasks[I])) {
      fprintf(stderr, "error: cannot start %zu threads\n", Threads);
      exit(1);
    }
  }
  double Rate = 0.0;
  for (size_t I = 0; I < Threads; ++I) {
    pthread_join(Handles[I], NULL);
    Rate += Tasks[I].Amount / (Tasks[I].End - Tasks[I].Start);
  }
  pthread_barrier_destroy(&Together);
  free(Data);
  return Rate;
}

// Returns the positive number after \p Name in \p Word; 0 if there is none.
static size_t numberAfter(const char *Name, const char *Word) {
  const size_t Length = strlen(Name);
  if (strncmp(Word, Name, Length) != 0)
    return 0;
  char *End;
  unsigned long Number = strtoul(Word + Length, &End, 10);
  return *End ? 0 : Number;
}

int main(int Argc, char **Argv) {
  size_t Threads = 1, Sets[MaxSets];
  int NumSets = 0;
  for (int I = 1; I < Argc; ++I) {
    const size_t Count = numberAfter("--threads=", Argv[I]);
    const size_t Bytes = numberAfter("--bytes=", Argv[I]);
    if (Count && Count <= MaxThreads) {
      Threads = Count;
    } else if (Bytes && NumSets < MaxSets) {
      Sets[NumSets++] = Bytes;
    } else {
      fprintf(stderr, "error: usage: limits [--threads=1..%d] [--bytes=N]...\n", MaxThreads);
      return 2;
    }
  }
  printf("{\"threads\": %zu, \"double\": %.4g, \"float\": %.4g, \"int\": %.4g, \"bandwidth\": [",
         Threads, measure(Threads, 0, multiplyAddDoubles), measure(Threads, 0, multiplyAddFloats),
         measure(Threads, 0, addAndMinimum));
  for (int I = 0; I < NumSets; ++I) {
    double Triad = measure(Threads, Sets[I], triad), Read = measure(Threads, Sets[I], readAll);
    printf("%s{\"bytes\": %zu, \"rate\": %.4g}", I ? ", " : "", Sets[I],
           Triad > Read ? Triad : Read);
  }
  printf("]}\n");
  return 0;
}
