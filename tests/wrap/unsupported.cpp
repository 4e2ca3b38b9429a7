// tests/wrap/unsupported.cpp - functions that run as they are, each for a reason
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <csetjmp>
#include <cstdarg>
#include <stdexcept>

extern "C" {
static int Counter = 3;
int setCounter(int N) { return Counter = N; }
int usesStatic(int N) { return N + ++Counter; }
// Nobody in this function writes it: what the bitcode says about its start must not be believed.
int readsStatic(int N) { return N * Counter; }

__attribute__((visibility("hidden"))) int Hidden = 4;
int usesHidden(int N) { return N + Hidden; }

thread_local int PerThread = 5;
int usesThreadLocal(int N) { return N + PerThread++; }

int usesInlineAssembly(int N) {
  __asm__ volatile("" : "+r"(N));
  return N;
}

int usesSetjmp(int N) {
  std::jmp_buf Place;
  return setjmp(Place) == 0 ? N : -N;
}

int usesAtomic(std::atomic<int> *P) { return P->fetch_add(1); }
int usesVolatile(volatile int *P) { return *P + *P; }

int throwsOnOdd(int N) {
  if (N % 2)
    throw std::runtime_error("odd");
  return N;
}
int catches(int N) {
  try {
    return throwsOnOdd(N);
  } catch (const std::runtime_error &) {
    return -1;
  }
}

int takesMany(int N, ...) {
  va_list List;
  va_start(List, N);
  int Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += va_arg(List, int);
  va_end(List);
  return Sum;
}

// The address may be kept by whoever gets it, longer than a version lives.
const char *namesItself(int N) { return N > 0 ? "positive" : "not positive"; }

__attribute__((target("fma"))) void fusesFreely(double *Values, int N) {
#pragma clang fp contract(fast)
  for (int I = 1; I < N; ++I)
    Values[I] += Values[I - 1] * Values[I];
}

double reorders(const double *Values, int N) {
  double Sum = 0;
#pragma clang loop vectorize(enable)
  for (int I = 0; I < N; ++I)
    Sum += Values[I];
  return Sum;
}

const void *returnAddress(int N) { return N ? __builtin_return_address(0) : nullptr; }
}

namespace outer {
double half(double X) { return X / 2; }
} // namespace outer

// Goes through the caller without running anything in it.
extern "C" int passThrough(int N, int (*Call)(int)) { return Call(N) + 1; }
