//===- runtime/process/exit_interposer.cpp - exit, called by any thread ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler is stopped before exit runs its handlers, for among them may be destructors of what
// it uses: TBB, the program's allocator, a libLLVM that the program had loaded. For the main thread
// its thread-local destructor sees to that (runtime/process/exit.h). A call of exit from another
// thread has nothing that comes before the handlers, so it comes here first: programs linked with
// libspecrt.so find this exit before that of the C library.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/export.h"
#include "runtime/process/exit.h"

#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

SPECRT_EXPORT void exit(int Status) noexcept {
  specrt::endCompiling();
  if (auto *Exit = reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, "exit")))
    Exit(Status);
  _exit(Status); // there is no C library without it
}
