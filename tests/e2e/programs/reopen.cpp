//===- tests/e2e/programs/reopen.cpp - a program that opens a plug-in again and again ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: reopen PLUGIN CYCLES CALLS [wait]. Opens the plug-in, calls it, and closes it: CALLS times
// in the first cycle, twice in others. With "wait", the background work ends before the next cycle.
// Prints a checksum; lines that start with '#' say what memory the process had after a tenth of all
// cycles and at the end.
//
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <malloc.h>
#include <string>
#include <vector>

// Absent in the plain build: the linker leaves weak undefined functions at null.
extern "C" __attribute__((weak)) int specrt_wait_idle(unsigned TimeoutMilliseconds);

namespace {

using Kernels = void(long, const double *, const double *, double *, long);

void call(const char *Path, long Calls, const std::vector<double> &A, const std::vector<double> &B,
          std::vector<double> &C) {
  void *Plugin = dlopen(Path, RTLD_NOW | RTLD_LOCAL);
  auto *Run = Plugin ? reinterpret_cast<Kernels *>(dlsym(Plugin, "call_kernels")) : nullptr;
  if (!Run) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(2);
  }
  for (long I = 0; I < Calls; ++I)
    Run(48, A.data(), B.data(), C.data(), 16);
  dlclose(Plugin);
}

void waitForIdle() {
  if (specrt_wait_idle)
    specrt_wait_idle(60'000);
}

void printMemory(long Cycles) {
  waitForIdle();
  const struct mallinfo2 Heap = mallinfo2();
  long Mappings = 0, AnonymousKb = 0;
  {
    std::ifstream Maps("/proc/self/maps"), Status("/proc/self/status");
    for (std::string Line; std::getline(Maps, Line);)
      ++Mappings;
    for (std::string Line; std::getline(Status, Line);)
      std::sscanf(Line.c_str(), "RssAnon: %ld", &AnonymousKb);
  }
  std::printf("# cycles %ld malloc %zu mappings %ld anonymous %ld\n", Cycles,
              Heap.uordblks + Heap.hblkhd, Mappings, AnonymousKb);
}

} // namespace

int main(int Count, char **Arguments) {
  if (Count < 4)
    return 2;
  const bool Waits = Count > 4;
  const long Cycles = std::atol(Arguments[2]), Calls = std::atol(Arguments[3]);
  std::vector<double> A(48 * 48), B(48 * 48), C(48 * 48);
  for (size_t I = 0; I < A.size(); ++I) {
    A[I] = 1.0 / static_cast<double>(I + 1);
    B[I] = 1.0 / static_cast<double>(I + 7);
  }
  for (long I = 1; I <= Cycles; ++I) {
    std::fill(C.begin(), C.end(), 1.0);
    call(Arguments[1], I == 1 ? Calls : 2, A, B, C);
    if (Waits)
      waitForIdle();
    if (I == Cycles / 10 || I == Cycles)
      printMemory(I);
  }
  uint64_t Sum = 0;
  for (const double &X : C) {
    uint64_t Bits;
    std::memcpy(&Bits, &X, sizeof(Bits));
    Sum = Sum * 31 + Bits;
  }
  std::printf("%" PRIx64 "\n", Sum);
}
