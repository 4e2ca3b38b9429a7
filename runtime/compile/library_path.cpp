//===- runtime/compile/library_path.cpp - what lies beside libspecrt.so ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compile/library_path.h"

#include <cstring>
#include <dlfcn.h>

namespace specrt {

/// The loader's own text, which stays while the library is loaded: nothing here may throw.
static const char *findLibraryPath() noexcept {
  Dl_info Info;
  if (!dladdr(reinterpret_cast<void *>(&libraryDirectory), &Info) || !Info.dli_fname)
    return "";
  return Info.dli_fname;
}

static const char *LibraryPath = findLibraryPath();

const char *libraryPath() { return LibraryPath; }

void setLibraryPath(const char *Path) { LibraryPath = Path; }

std::string libraryDirectory() {
  const char *Slash = std::strrchr(LibraryPath, '/');
  return Slash ? std::string(LibraryPath, Slash) : "";
}

} // namespace specrt
