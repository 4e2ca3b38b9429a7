//===- jit/code/llvm_imports.cpp - what libLLVM calls in other libraries --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/code/llvm_imports.h"
#include "jit/code/loaded_library.h"
#include "llvm-c/Core.h"

#include <cstddef>
#include <cstring>
#include <elf.h>

namespace specrt {
namespace {

/// The parts of a loaded library's dynamic section that describe its imported functions.
struct Imports {
  const ElfW(Sym) *Symbols = nullptr;
  const char *Names = nullptr;
  const ElfW(Rela) *Plt = nullptr, *Data = nullptr;
  size_t PltBytes = 0, DataBytes = 0;
};

Imports readImports(const ElfW(Dyn) * Dynamic, ElfW(Addr) Base) {
  Imports I;
  // glibc has relocated these pointers in place, other loaders leave them relative.
  auto absolute = [Base](ElfW(Addr) Pointer) { return Pointer < Base ? Base + Pointer : Pointer; };
  for (; Dynamic->d_tag != DT_NULL; ++Dynamic)
    switch (Dynamic->d_tag) {
    case DT_SYMTAB:
      I.Symbols = reinterpret_cast<const ElfW(Sym) *>(absolute(Dynamic->d_un.d_ptr));
      break;
    case DT_STRTAB:
      I.Names = reinterpret_cast<const char *>(absolute(Dynamic->d_un.d_ptr));
      break;
    case DT_JMPREL:
      I.Plt = reinterpret_cast<const ElfW(Rela) *>(absolute(Dynamic->d_un.d_ptr));
      break;
    case DT_PLTRELSZ:
      I.PltBytes = Dynamic->d_un.d_val;
      break;
    case DT_RELA:
      I.Data = reinterpret_cast<const ElfW(Rela) *>(absolute(Dynamic->d_un.d_ptr));
      break;
    case DT_RELASZ:
      I.DataBytes = Dynamic->d_un.d_val;
      break;
    default:
      break;
    }
  return I;
}

/// The slot through which the library calls Name, or null.
void **importSlot(const Imports &I, ElfW(Addr) Base, const char *Name) {
  if (!I.Symbols || !I.Names)
    return nullptr;
  auto Find = [&](const ElfW(Rela) * Table, size_t Bytes) -> void ** {
    for (size_t N = 0; Table && N < Bytes / sizeof(*Table); ++N)
      if (size_t Symbol = ELF64_R_SYM(Table[N].r_info))
        if (!std::strcmp(I.Names + I.Symbols[Symbol].st_name, Name))
          return reinterpret_cast<void **>(Base + Table[N].r_offset);
    return nullptr;
  };
  void **Slot = Find(I.Plt, I.PltBytes);
  return Slot ? Slot : Find(I.Data, I.DataBytes);
}

} // namespace

bool replaceImportOfLLVM(const char *Name, void *Replacement) {
  const LoadedLibrary Library = findLibrary(reinterpret_cast<ElfW(Addr)>(&LLVMGetVersion));
  if (!Library.Dynamic)
    return false;
  void **Slot = importSlot(readImports(Library.Dynamic, Library.Base), Library.Base, Name);
  return Slot && Library.write({Slot, 1}, Replacement);
}

} // namespace specrt
