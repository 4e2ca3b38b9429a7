//===- runtime/wrap/object_symbols.cpp - what a library's code calls by name ==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/wrap/object_symbols.h"

#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

namespace specrt {

static link_map *objectOf(const void *Address) {
  Dl_info Info;
  void *Extra = nullptr;
  if (!dladdr1(Address, &Info, &Extra, RTLD_DL_LINKMAP))
    return nullptr;
  return static_cast<link_map *>(Extra);
}

ObjectSymbols::ObjectSymbols(void *Function) : Map(objectOf(Function)) {
  if (!Map)
    return;
  // The executable itself has no name here and is opened by none.
  const char *Name = Map->l_name && *Map->l_name ? Map->l_name : nullptr;
  Handle = dlopen(Name, RTLD_NOW | RTLD_NOLOAD);
}

ObjectSymbols::~ObjectSymbols() {
  if (Handle)
    dlclose(Handle);
}

bool ObjectSymbols::isInside(const void *Address) const {
  return Address && objectOf(Address) == Map;
}

/// Is Name among the undefined symbols of the object's dynamic symbol table? They come before those
/// that the hash table knows.
bool ObjectSymbols::imports(const char *Name) const {
  const ElfW(Sym) *Symbols = nullptr;
  const char *Strings = nullptr;
  uint32_t Count = 0;
  for (const ElfW(Dyn) *Entry = Map->l_ld; Entry && Entry->d_tag != DT_NULL; ++Entry) {
    auto *Table = reinterpret_cast<const uint32_t *>(Entry->d_un.d_ptr);
    if (Entry->d_tag == DT_SYMTAB)
      Symbols = reinterpret_cast<const ElfW(Sym) *>(Entry->d_un.d_ptr);
    else if (Entry->d_tag == DT_STRTAB)
      Strings = reinterpret_cast<const char *>(Entry->d_un.d_ptr);
    else if (Entry->d_tag == DT_GNU_HASH)
      Count = Table[1]; // the number of the first symbol that is hashed
    else if (Entry->d_tag == DT_HASH && Count == 0)
      Count = Table[1]; // the number of all
  }
  if (!Symbols || !Strings)
    return false;
  for (uint32_t I = 1; I < Count; ++I)
    if (Symbols[I].st_shndx == SHN_UNDEF && std::strcmp(Strings + Symbols[I].st_name, Name) == 0)
      return true;
  return false;
}

void *ObjectSymbols::find(const char *Name, bool IsLibraryFunction, const char *&Why) const {
  // In the object and what it depends on, and in what is visible to everybody.
  void *Near = Handle ? dlsym(Handle, Name) : nullptr;
  void *Global = dlsym(RTLD_DEFAULT, Name);
  if (Handle && (isInside(Near) || imports(Name))) {
    if (Near && Global && Near != Global) {
      Why = "is defined more than once";
      return nullptr;
    }
    Why = "is not defined";
    return Near ? Near : Global;
  }
  Why = "cannot be found from outside of its library";
  return IsLibraryFunction ? Global : nullptr;
}

} // namespace specrt
