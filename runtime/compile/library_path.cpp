//===- runtime/compile/library_path.cpp - finds files beside libspecrt.so -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compile/library_path.h"
#include "runtime/compile/loaded_object.h"

#include <cstring>

namespace specrt {

/// Returns the loader's own text, which is valid while the library is loaded: nothing here may
/// throw.
static const char *findLibraryPath() noexcept {
  const link_map *Object = loadedObjectAt(reinterpret_cast<void *>(&libraryDirectory));
  return Object && Object->l_name ? Object->l_name : "";
}

static const char *LibraryPath = findLibraryPath();

const char *libraryPath() { return LibraryPath; }

void setLibraryPath(const char *Path) { LibraryPath = Path; }

std::string libraryDirectory() {
  const char *Slash = std::strrchr(LibraryPath, '/');
  return Slash ? std::string(LibraryPath, Slash) : "";
}

} // namespace specrt
