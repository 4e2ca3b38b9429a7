//===- runtime/compile/loaded_object.h - finds the library that contains an address ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_COMPILE_LOADED_OBJECT_H
#define SPECRT_RUNTIME_COMPILE_LOADED_OBJECT_H

#include <dlfcn.h>
#include <link.h>

namespace specrt {

/// Returns the executable or library that is mapped at \p Address; null for none. Takes no lock.
/// dladdr would take the loader's lock and compare the address with all symbols of the library.
inline link_map *loadedObjectAt(const void *Address) noexcept {
  dl_find_object Found;
  return _dl_find_object(const_cast<void *>(Address), &Found) == 0 ? Found.dlfo_link_map : nullptr;
}

} // namespace specrt

#endif
