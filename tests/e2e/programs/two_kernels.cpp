//===- tests/e2e/programs/two_kernels.cpp - a program that disturbs the cache ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: two-kernels [configure NAME VALUE | fork | register PLUGIN | once]. Two hot regions, and
// no region that runs before main; a third one that is called once, for long. Prints checksums of
// what they compute; lines that start with '#' are about libspecrt.
//
//===----------------------------------------------------------------------===//
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

// Absent in the plain build: the linker leaves weak undefined functions at null.
struct specrt_record;
extern "C" {
__attribute__((weak)) int specrt_wait_idle(unsigned TimeoutMilliseconds);
__attribute__((weak)) const char *specrt_configure(const char *Name, const char *Value);
#ifdef WITH_SPECRT
void specrt_unregister_records(specrt_record **Begin, specrt_record **End);
void specrt_register_records(specrt_record **Begin, specrt_record **End);
#endif
}

#define KERNEL extern "C" __attribute__((noinline))

KERNEL void product(long n, const double *A, const double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < n; k++)
      for (long j = 0; j < n; j++)
        C[i * n + j] += A[i * n + k] * B[k * n + j];
}

KERNEL void outer(long n, const double *X, const double *Y, double *A) {
  for (int Round = 0; Round < 100; Round++)
    for (long i = 0; i < n; i++)
      for (long j = 0; j < n; j++)
        A[i * n + j] = 0.5 * A[i * n + j] + X[i] * Y[j];
}

KERNEL void transposed(long n, const double *A, double *B) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      B[i * n + j] = 0.5 * B[i * n + j] + A[j * n + i];
}

namespace {

constexpr long Size = 64;

std::vector<double> numbers(long Count, unsigned Seed) {
  std::vector<double> Values(Count);
  for (double &V : Values) {
    Seed = Seed * 1664525u + 1013904223u;
    V = double(Seed >> 8) / double(1 << 24) - 0.5;
  }
  return Values;
}

uint64_t hashOf(const std::vector<double> &Values) {
  uint64_t Hash = 1469598103934665603u;
  for (double V : Values) {
    uint64_t Bits;
    std::memcpy(&Bits, &V, sizeof Bits);
    Hash = (Hash ^ Bits) * 1099511628211u;
  }
  return Hash;
}

uint64_t kernels(int Calls, bool Settle) {
  std::vector<double> A = numbers(Size * Size, 1), B = numbers(Size * Size, 2);
  std::vector<double> C(Size * Size, 0.0), D(Size * Size, 0.0);
  for (int I = 0; I < Calls; ++I) {
    product(Size, A.data(), B.data(), C.data());
    outer(Size, A.data(), B.data(), D.data());
    if (Settle && I % 8 == 7 && specrt_wait_idle)
      specrt_wait_idle(60000);
  }
  return hashOf(C) ^ (3 * hashOf(D));
}

void configure(const char *Name, const char *Value) {
  const char *Answer = specrt_configure ? specrt_configure(Name, Value) : nullptr;
  std::printf("# configure: %s\n", Answer ? Answer : "ok");
}

/// A child at every stage: while plans are compiled, linked, stored, tried.
void forkOften() {
  int Failed = 0;
  uint64_t Expected = kernels(3, false);
  for (int Round = 0; Round < 60; ++Round) {
    pid_t Child = fork();
    if (Child == 0)
      _exit(kernels(3, false) == Expected ? 0 : 1);
    int Status = -1;
    waitpid(Child, &Status, 0);
    Failed += Status != 0;
    usleep(1000);
  }
  std::printf("failed children %d\n", Failed);
}

/// An ordinary thread registers regions that have stored versions, while another one opens a
/// library that registers its own from a constructor, which the loader runs under its lock.
void registerBesideTheLoader([[maybe_unused]] const char *Plugin) {
#ifdef WITH_SPECRT
  alarm(60); // instead of waiting for ever
  // This program's regions. A declaration would collide with the one that is generated.
  specrt_record **Begin, **End;
  asm("lea __start_specrt_records(%%rip), %0" : "=r"(Begin));
  asm("lea __stop_specrt_records(%%rip), %0" : "=r"(End));
  std::thread Opening([=] {
    for (int Round = 0; Round < 200; ++Round)
      if (void *Library = dlopen(Plugin, RTLD_NOW))
        dlclose(Library);
  });
  for (int Round = 0; Round < 60; ++Round) {
    specrt_unregister_records(Begin, End);
    specrt_register_records(Begin, End);
  }
  Opening.join();
#endif
}

void once() {
  constexpr long N = 5000;
  std::vector<double> A = numbers(N * N, 1), B(N * N, 0.0);
  if (specrt_wait_idle)
    specrt_wait_idle(60000); // as if reading the input took that long
  transposed(N, A.data(), B.data());
  std::printf("once %016" PRIx64 "\n", hashOf(B));
}

} // namespace

int main(int Argc, char **Argv) {
  std::string Mode = Argc > 1 ? Argv[1] : "";
  if (Mode == "configure" && Argc > 3)
    configure(Argv[2], Argv[3]);
  if (Mode == "fork")
    forkOften();
  if (Mode == "register" && Argc > 2)
    registerBesideTheLoader(Argv[2]);
  if (Mode == "once") {
    once();
    return 0;
  }
  std::printf("kernels %016" PRIx64 "\n", kernels(200, true));
  if (Mode == "configure")
    configure("log", "warning");
  return 0;
}
