//===- runtime/api/structure.cpp - the functions of structure.h -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Beside the worker, whose compiler may never be needed: both find the same library in the process.
//
//===----------------------------------------------------------------------===//
#include "specrt/structure.h"
#include "runtime/base/export.h"
#include "runtime/compile/jit_library.h"
#include "specrt/jit_api.h"

#include <dlfcn.h>
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
                            NoLibrary = failure("libspecrt-jit.so cannot be opened"),
                            OtherLibrary =
                                failure("libspecrt-jit.so belongs to another version of libspecrt");

/// Null: *Why says why there is no compiler.
const specrt_jit_api *openCompiler(const specrt_structures *&Why) {
  const std::string Path = libraryDirectory() + "/libspecrt-jit.so";
  void *Handle = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL);
  auto *Query =
      Handle ? reinterpret_cast<decltype(&specrt_jit_query)>(dlsym(Handle, "specrt_jit_query"))
             : nullptr;
  Why = Handle ? &OtherLibrary : &NoLibrary;
  return Query ? Query(SPECRT_JIT_API_VERSION) : nullptr;
}

struct Compiler {
  const specrt_structures *Why = nullptr;
  const specrt_jit_api *Api = openCompiler(Why);

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
    return C.Api ? C.Api->propagate(Request) : C.Why;
  } catch (...) {
    return &NoMemory;
  }
}

SPECRT_EXPORT void specrt_free_structures(const specrt_structures *Structures) {
  if (Structures && Structures != &NoMemory && Structures != &NoLibrary &&
      Structures != &OtherLibrary)
    Compiler::get().Api->free_structures(Structures);
}
