//===- bench/warmstart.cpp - the first call of each region in a new process ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: bench-warmstart REGIONS CALLS
//
// Calls the first REGIONS kernels CALLS times each and prints, in nanoseconds of CLOCK_MONOTONIC,
// when the first call and when the last region's first call had ended, how many of the regions run
// a specialised version, the number of compiles, and whether LLVM is mapped. The parent process
// reads the same clock before it starts this one.
//
//===----------------------------------------------------------------------===//
#include "bench/warmstart_kernels.h"
#include "specrt/specrt.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

using namespace specrt::bench;

static uint64_t nowNs() {
  timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  return uint64_t(Now.tv_sec) * 1000000000 + uint64_t(Now.tv_nsec);
}

static bool isMapped(const char *Library) {
  std::FILE *Maps = std::fopen("/proc/self/maps", "r");
  bool Found = false;
  char Line[4096];
  while (Maps && std::fgets(Line, sizeof(Line), Maps))
    Found |= std::strstr(Line, Library) != nullptr;
  if (Maps)
    std::fclose(Maps);
  return Found;
}

int main(int Argc, char **Argv) {
  if (Argc != 3)
    return 2;
  int Regions = std::min(static_cast<int>(std::strtol(Argv[1], nullptr, 10)), NumKernels);
  long Calls = std::strtol(Argv[2], nullptr, 10);
  constexpr long N = 24;
  std::vector<double> A(N * N, 0.5), B(N * N, 0.25), C(N * N, 0.0);
  uint64_t First = 0;
  for (int R = 0; R < Regions; ++R) {
    Kernels[R](N, A.data(), B.data(), C.data());
    if (R == 0)
      First = nowNs();
  }
  uint64_t Last = nowNs();
  for (int R = 0; R < Regions; ++R)
    for (long I = 1; I < Calls; ++I)
      Kernels[R](N, A.data(), B.data(), C.data());
  int Specialised = 0;
  specrt_for_each_region(
      [](const specrt_region_info *Info, void *Context) {
        *static_cast<int *>(Context) += Info->state == SPECRT_STATE_SPECIALISED;
        return 0;
      },
      &Specialised);
  std::printf("{\"first_ns\": %llu, \"last_ns\": %llu, \"specialised\": %d, \"compiles\": %llu, "
              "\"llvm_mapped\": %d}\n",
              static_cast<unsigned long long>(First), static_cast<unsigned long long>(Last),
              Specialised, static_cast<unsigned long long>(specrt_num_compiles()),
              isMapped("libLLVM"));
  return C[0] > 0 ? 0 : 1;
}
