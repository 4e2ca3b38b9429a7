//===- jit/code/helper_symbols.cpp - functions that generated code may call by name ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/code/helper_symbols.h"
#include "specializer/polyhedral/kernel/contraction_kernel.h"
#include "support/helper_functions.h"
#include "support/memory/scratch.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace specrt {
namespace {

const StringSet<> &helperNames() {
  static const auto &Names = *new StringSet<>{"memcpy",
                                              "memmove",
                                              "memset",
                                              "memcmp",
                                              "bcmp",
                                              "sqrt",
                                              "sqrtf",
                                              "sin",
                                              "sinf",
                                              "cos",
                                              "cosf",
                                              "tan",
                                              "tanf",
                                              "asin",
                                              "asinf",
                                              "acos",
                                              "acosf",
                                              "atan",
                                              "atanf",
                                              "atan2",
                                              "atan2f",
                                              "sinh",
                                              "sinhf",
                                              "cosh",
                                              "coshf",
                                              "tanh",
                                              "tanhf",
                                              "exp",
                                              "expf",
                                              "exp2",
                                              "exp2f",
                                              "exp10",
                                              "exp10f",
                                              "log",
                                              "logf",
                                              "log2",
                                              "log2f",
                                              "log10",
                                              "log10f",
                                              "pow",
                                              "powf",
                                              "fmod",
                                              "fmodf",
                                              "floor",
                                              "floorf",
                                              "ceil",
                                              "ceilf",
                                              "trunc",
                                              "truncf",
                                              "rint",
                                              "rintf",
                                              "nearbyint",
                                              "nearbyintf",
                                              "round",
                                              "roundf",
                                              "roundeven",
                                              "roundevenf",
                                              "fma",
                                              "fmaf",
                                              "fmin",
                                              "fminf",
                                              "fmax",
                                              "fmaxf",
                                              "ldexp",
                                              "ldexpf",
                                              "frexp",
                                              "frexpf",
                                              "lround",
                                              "lroundf",
                                              "llround",
                                              "llroundf",
                                              "lrint",
                                              "lrintf",
                                              "llrint",
                                              "llrintf",
                                              "sincos",
                                              "sincosf",
                                              "__powidf2",
                                              "__powisf2",
                                              "__divti3",
                                              "__modti3",
                                              "__udivti3",
                                              "__umodti3",
                                              "__multi3",
                                              "__floattidf",
                                              "__floattisf",
                                              "__floatuntidf",
                                              "__floatuntisf",
                                              "__fixdfti",
                                              "__fixsfti",
                                              "__fixunsdfti",
                                              "__fixunssfti",
                                              "__popcountdi2",
                                              "__truncdfhf2",
                                              "__extendhfsf2",
                                              "__truncsfhf2",
                                              "__truncdfbf2",
                                              "__truncsfbf2",
                                              TakeScratchName,
                                              GiveScratchName,
                                              SPECRT_ROWS_BEGIN,
                                              SPECRT_ROWS_END,
                                              SPECRT_ENTRY_RUNS_BEGIN,
                                              SPECRT_ENTRY_RUNS_END,
                                              SPECRT_FUSED_ROWS_BEGIN,
                                              SPECRT_FUSED_ROWS_END,
                                              SPECRT_ZEROS_BEGIN,
                                              SPECRT_ZEROS_FIT,
                                              SPECRT_ZEROS_END};
  return Names;
}

} // namespace

void *helperAddress(const std::string &Name) {
  return helperNames().contains(Name) ? helperFunction(Name) : nullptr;
}

bool isHelper(StringRef Name) { return helperNames().contains(Name) || isLoopFunction(Name.str()); }

/// Stands for all loop functions in a process that runs no candidates.
static void nothing() {}

Expected<StringMap<void *>> parallelSymbols(const std::string &Directory, unsigned Threads) {
  StringMap<void *> Symbols;
  std::string Why;
  for (const char *Name : loopFunctions()) {
    void *Address = Directory.empty() ? reinterpret_cast<void *>(&nothing)
                                      : loopFunction(Name, Directory, Threads, Why);
    if (!Address)
      return createStringError(Why);
    Symbols[Name] = Address;
  }
  return Symbols;
}

} // namespace specrt
