//===- jit/helper_symbols.cpp - what generated code may call by name ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/helper_symbols.h"
#include "llvm/ADT/StringSet.h"

#include <dlfcn.h>

using namespace llvm;

namespace specrt {
namespace {

const StringSet<> &helperNames() {
  static const auto &Names = *new StringSet<>{
      "memcpy",       "memmove",       "memset",        "memcmp",       "bcmp",
      "sqrt",         "sqrtf",         "sin",           "sinf",         "cos",
      "cosf",         "tan",           "tanf",          "asin",         "asinf",
      "acos",         "acosf",         "atan",          "atanf",        "atan2",
      "atan2f",       "sinh",          "sinhf",         "cosh",         "coshf",
      "tanh",         "tanhf",         "exp",           "expf",         "exp2",
      "exp2f",        "exp10",         "exp10f",        "log",          "logf",
      "log2",         "log2f",         "log10",         "log10f",       "pow",
      "powf",         "fmod",          "fmodf",         "floor",        "floorf",
      "ceil",         "ceilf",         "trunc",         "truncf",       "rint",
      "rintf",        "nearbyint",     "nearbyintf",    "round",        "roundf",
      "roundeven",    "roundevenf",    "fma",           "fmaf",         "fmin",
      "fminf",        "fmax",          "fmaxf",         "ldexp",        "ldexpf",
      "frexp",        "frexpf",        "lround",        "lroundf",      "llround",
      "llroundf",     "lrint",         "lrintf",        "llrint",       "llrintf",
      "sincos",       "sincosf",       "__powidf2",     "__powisf2",    "__divti3",
      "__modti3",     "__udivti3",     "__umodti3",     "__multi3",     "__floattidf",
      "__floattisf",  "__floatuntidf", "__floatuntisf", "__fixdfti",    "__fixsfti",
      "__fixunsdfti", "__fixunssfti",  "__popcountdi2", "__truncdfhf2", "__extendhfsf2",
      "__truncsfhf2", "__truncdfbf2",  "__truncsfbf2"};
  return Names;
}

/// Helpers of libgcc that no shared library needs to export.
double powiDouble(double X, int N) { return __builtin_powi(X, N); }
float powiFloat(float X, int N) { return __builtin_powif(X, N); }

} // namespace

void *helperAddress(const std::string &Name) {
  if (!helperNames().contains(Name))
    return nullptr;
  // The program's own choice first: its C library, or what it interposes.
  if (void *Address = dlsym(RTLD_DEFAULT, Name.c_str()))
    return Address;
  if (Name == "__powidf2")
    return reinterpret_cast<void *>(&powiDouble);
  if (Name == "__powisf2")
    return reinterpret_cast<void *>(&powiFloat);
  return nullptr;
}

namespace {
constexpr std::pair<StringLiteral, const char *> ParallelNames[] = {
    {"GOMP_parallel_loop_runtime_start", "specrt_parallel_loop_runtime_start"},
    {"GOMP_parallel_end", "specrt_parallel_end"},
    {"GOMP_loop_runtime_next", "specrt_loop_runtime_next"},
    {"GOMP_loop_end_nowait", "specrt_loop_end_nowait"}};
} // namespace

bool isHelper(StringRef Name) {
  return helperNames().contains(Name) ||
         any_of(ParallelNames, [&](const auto &Pair) { return Pair.first == Name; });
}

Expected<StringMap<void *>> parallelSymbols(const std::string &Directory, unsigned Threads) {
  std::string Path = Directory + "/libspecrt-parallel.so";
  // Opening it again only counts a reference; it is never closed.
  void *Library = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Library) {
    const char *Why = dlerror();
    return createStringError(Twine("parallel loops are not available: ") +
                             (Why ? Why : "libspecrt-parallel.so cannot be opened"));
  }
  StringMap<void *> Symbols;
  for (const auto &[Wanted, Ours] : ParallelNames) {
    void *Address = dlsym(Library, Ours);
    if (!Address)
      return createStringError(Twine(Path) + " does not define " + Ours);
    Symbols[Wanted] = Address;
  }
  // The program may have set the number by specrt_configure, which the library cannot see.
  if (auto *Configure =
          reinterpret_cast<void (*)(unsigned)>(dlsym(Library, "specrt_parallel_configure")))
    Configure(Threads);
  return Symbols;
}

} // namespace specrt
