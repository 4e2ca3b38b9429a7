//===- jit/code/llvm_imports.cpp - what libLLVM calls in other libraries --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/code/llvm_imports.h"
#include "llvm-c/Core.h"

#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
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

struct RelroQuery {
  ElfW(Addr) Base;
  ElfW(Addr) Address;
  bool Protected = false;
};

int visitLibrary(dl_phdr_info *Info, size_t, void *Data) {
  auto &Query = *static_cast<RelroQuery *>(Data);
  if (Info->dlpi_addr != Query.Base)
    return 0;
  for (int I = 0; I < Info->dlpi_phnum; ++I) {
    const auto &Header = Info->dlpi_phdr[I];
    ElfW(Addr) Begin = Query.Base + Header.p_vaddr;
    if (Header.p_type == PT_GNU_RELRO && Query.Address >= Begin &&
        Query.Address < Begin + Header.p_memsz)
      Query.Protected = true;
  }
  return 1;
}

/// Writes a slot of an import table, which the loader may have made read-only.
bool writeSlot(void **Slot, void *Value, ElfW(Addr) Base) {
  RelroQuery Query{Base, reinterpret_cast<ElfW(Addr)>(Slot)};
  dl_iterate_phdr(visitLibrary, &Query);
  uintptr_t PageSize = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  void *Page = reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(Slot) & ~(PageSize - 1));
  if (Query.Protected && mprotect(Page, PageSize, PROT_READ | PROT_WRITE))
    return false;
  __atomic_store_n(Slot, Value, __ATOMIC_RELEASE);
  if (Query.Protected)
    mprotect(Page, PageSize, PROT_READ);
  return true;
}

} // namespace

bool replaceImportOfLLVM(const char *Name, void *Replacement) {
  Dl_info Info;
  link_map *Library = nullptr;
  if (!dladdr1(reinterpret_cast<void *>(&LLVMGetVersion), &Info,
               reinterpret_cast<void **>(&Library), RTLD_DL_LINKMAP) ||
      !Library)
    return false;
  void **Slot = importSlot(readImports(Library->l_ld, Library->l_addr), Library->l_addr, Name);
  return Slot && writeSlot(Slot, Replacement, Library->l_addr);
}

} // namespace specrt
