//===- jit/code/loaded_library.h - tables of a library in this process ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_JIT_CODE_LOADED_LIBRARY_H
#define SPECRT_JIT_CODE_LOADED_LIBRARY_H

#include <link.h>
#include <span>

namespace specrt {

/// A library, and where it is.
struct LoadedLibrary {
  ElfW(Addr) Base = 0;
  const ElfW(Dyn) *Dynamic = nullptr;            ///< null: there is no such library
  ElfW(Addr) ReadOnlyBegin = 0, ReadOnlyEnd = 0; ///< what the loader protects when it is done

  /// Writes \p Value into slots of its tables, which the loader may have made read-only. False when
  /// they cannot be written; then nothing has changed.
  bool write(std::span<void *> Slots, void *Value) const;
};

/// The library with the address \p Inside. Does not look at its symbols, as dladdr would.
LoadedLibrary findLibrary(ElfW(Addr) Inside);

} // namespace specrt

#endif
