//===- runtime/api/structure.cpp - the functions of structure.h -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Beside the worker, whose compiler may never be needed: both find the same library in the process.
//
//===----------------------------------------------------------------------===//
#include "specrt/structure.h"
#include "runtime/base/export.h"
#include "runtime/base/log.h"
#include "runtime/compile/jit_library.h"
#include "specrt/jit_api.h"

#include <string>

namespace specrt {
namespace {

/// What does not come from the compiler stays for ever.
constexpr specrt_structures failure(const char *Why) {
  specrt_structures Result{};
  Result.error = Why;
  return Result;
}
constexpr specrt_structures NoMemory = failure("there is no memory"),
                            NoCompiler =
                                failure("libspecrt-jit.so cannot be used; the log says why");

const specrt_jit_api *openAndSay() {
  std::string Why;
  const specrt_jit_api *Found = openCompiler(Why);
  if (!Found)
    logLine(LogLevel::Warning, "nothing can be propagated: %s", Why.c_str());
  return Found;
}

struct Compiler {
  const specrt_jit_api *Api = openAndSay();

  static const Compiler &get() {
    static const Compiler Only;
    return Only;
  }
};

} // namespace
} // namespace specrt

using namespace specrt;

SPECRT_EXPORT const specrt_structures *specrt_propagate(const specrt_structure_request *Request) {
  try {
    const Compiler &C = Compiler::get();
    return C.Api ? C.Api->propagate(Request) : &NoCompiler;
  } catch (...) {
    return &NoMemory;
  }
}

SPECRT_EXPORT void specrt_free_structures(const specrt_structures *Structures) {
  if (Structures && Structures != &NoMemory && Structures != &NoCompiler)
    Compiler::get().Api->free_structures(Structures);
}
