//===- examples/wrap/host.cpp - specialises a kernel of a plug-in ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This program loads its kernels from plug-ins, which other people compile with gcc. To specialise
// them, it only needs the bitcode of the same source:
//
//   gcc -O2 -fPIC -shared kernel.c -o libkernel.so
//   clang-22 -O2 -Xclang -disable-llvm-passes -emit-llvm -c kernel.c -o kernel.bc
//   c++ -std=c++20 host.cpp -lspecrt -o host
//   ./host --plugin=./libkernel.so --bitcode=kernel.bc
//
// The host runs the kernel both ways and checks that every bit agrees. Neither the host nor the
// plug-in is compiled with specrt-clang.
//
//===----------------------------------------------------------------------===//
#include "../support.h"
#include "specrt/specrt.hpp"
#include "specrt/wrap.hpp"

#include <dlfcn.h>
#include <iterator>

using namespace example;
using HeatStep = void(double *, const double *, int, int, double);

/// Returns the temperatures after Steps steps of heat flow from one hot side.
static std::vector<double> simulate(HeatStep *Step, long Size, long Steps, Stopwatch &Watch) {
  std::vector<double> Now(Size * Size), Next;
  for (long J = 0; J < Size; ++J)
    Now[J] = 100;
  Next = Now;
  Watch.start();
  for (long I = 0; I < Steps; ++I) {
    Step(Next.data(), Now.data(), int(Size), int(Size), 0.2);
    Now.swap(Next);
  }
  Watch.stop();
  return Now;
}

int main(int Argc, char **Argv) {
  long Size = 200, Steps = 2000;
  std::string PluginFile = "./libkernel.so", BitcodeFile = "kernel.bc";
  CommandLine Line("wrap", "heat flow on a square plate by a kernel from a plug-in");
  Line.positional("size", "rows and columns of the plate", Size, 3, 20000);
  Line.positional("steps", "time steps", Steps, 1, 1000000);
  Line.option("plugin", "library with the kernel", PluginFile);
  Line.option("bitcode", "LLVM bitcode of the kernel", BitcodeFile);
  Line.parse(Argc, Argv);

  void *Plugin = dlopen(PluginFile.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Plugin)
    fail(dlerror());
  auto *Step = reinterpret_cast<HeatStep *>(dlsym(Plugin, "heat_step"));
  if (!Step)
    fail(dlerror());
  std::ifstream File(BitcodeFile, std::ios::binary);
  std::string Bitcode(std::istreambuf_iterator<char>(File), {});
  if (Bitcode.empty())
    fail("cannot read " + BitcodeFile);

  Stopwatch Direct, Wrapped;
  std::vector<double> Expected = simulate(Step, Size, Steps, Direct), Found;
  {
    specrt::Wrapped<HeatStep> Specialised(Step, "heat_step", Bitcode);
    if (!Specialised.error().empty())
      fail("not wrapped: " + Specialised.error());
    Found = simulate(Specialised.get(), Size, Steps, Wrapped);
    if (std::optional<specrt::RegionInfo> Region = specrt::region("heat_step"))
      std::printf("calls %llu, in versions %llu%s%s\n", (unsigned long long)Region->Calls,
                  (unsigned long long)Region->Hits, Region->Reason.empty() ? "" : ": ",
                  Region->Reason.c_str());
  }
  dlclose(Plugin);
  std::printf("direct %.3f s, wrapped %.3f s\n", Direct.seconds(), Wrapped.seconds());
  if (Found != Expected)
    fail("the results differ");
  std::printf("the results agree in every bit\n");
}
