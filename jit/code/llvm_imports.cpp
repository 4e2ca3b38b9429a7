//===- jit/code/llvm_imports.cpp - what libLLVM calls in other libraries --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/code/llvm_imports.h"
#include "llvm-c/Core.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <link.h>
#include <span>
#include <sys/mman.h>
#include <unistd.h>

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

/// A library, and where it is.
struct LoadedLibrary {
  const ElfW(Addr) Inside; ///< any address in it
  ElfW(Addr) Base = 0;
  const ElfW(Dyn) *Dynamic = nullptr;            ///< null: there is no such library
  ElfW(Addr) ReadOnlyBegin = 0, ReadOnlyEnd = 0; ///< what the loader protects when it is done
};

int visitLibrary(dl_phdr_info *Info, size_t, void *Data) {
  auto &Found = *static_cast<LoadedLibrary *>(Data);
  const auto Begin = [&](const ElfW(Phdr) & Part) { return Info->dlpi_addr + Part.p_vaddr; };
  const std::span Parts(Info->dlpi_phdr, Info->dlpi_phnum);
  if (std::none_of(Parts.begin(), Parts.end(), [&](const ElfW(Phdr) & Part) {
        return Part.p_type == PT_LOAD && Found.Inside - Begin(Part) < Part.p_memsz;
      }))
    return 0;
  Found.Base = Info->dlpi_addr;
  for (const ElfW(Phdr) &Part : Parts)
    if (Part.p_type == PT_DYNAMIC) {
      Found.Dynamic = reinterpret_cast<const ElfW(Dyn) *>(Begin(Part));
    } else if (Part.p_type == PT_GNU_RELRO) {
      Found.ReadOnlyBegin = Begin(Part);
      Found.ReadOnlyEnd = Begin(Part) + Part.p_memsz;
    }
  return 1;
}

/// Writes a slot of \p Of's import table, which the loader may have made read-only.
bool writeSlot(void **Slot, void *Value, const LoadedLibrary &Of) {
  const auto Address = reinterpret_cast<ElfW(Addr)>(Slot);
  const bool IsProtected = Address >= Of.ReadOnlyBegin && Address < Of.ReadOnlyEnd;
  const auto PageSize = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  void *Page = reinterpret_cast<void *>(Address & ~(PageSize - 1));
  if (IsProtected && mprotect(Page, PageSize, PROT_READ | PROT_WRITE))
    return false;
  __atomic_store_n(Slot, Value, __ATOMIC_RELEASE);
  if (IsProtected)
    mprotect(Page, PageSize, PROT_READ);
  return true;
}

} // namespace

bool replaceImportOfLLVM(const char *Name, void *Replacement) {
  // dladdr would look at all of its symbols.
  LoadedLibrary Library{.Inside = reinterpret_cast<ElfW(Addr)>(&LLVMGetVersion)};
  dl_iterate_phdr(visitLibrary, &Library);
  if (!Library.Dynamic)
    return false;
  void **Slot = importSlot(readImports(Library.Dynamic, Library.Base), Library.Base, Name);
  return Slot && writeSlot(Slot, Replacement, Library);
}

} // namespace specrt
