//===- runtime/wrap/object_symbols.cpp - finds the symbols that a library's code uses ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/wrap/object_symbols.h"
#include "runtime/compile/loaded_object.h"

#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

namespace specrt {

ObjectSymbols::ObjectSymbols(void *Function) : Map(loadedObjectAt(Function)) {
  if (!Map)
    return;
  // The executable itself has no name here; a null name opens it.
  const char *Name = Map->l_name && *Map->l_name ? Map->l_name : nullptr;
  Handle = dlopen(Name, RTLD_NOW | RTLD_NOLOAD);
}

ObjectSymbols::~ObjectSymbols() {
  if (Handle)
    dlclose(Handle);
}

bool ObjectSymbols::isInside(const void *Address) const {
  return Address && loadedObjectAt(Address) == Map;
}

namespace {

/// The dynamic section of one object, with addresses that the dynamic linker has made absolute.
struct DynamicSection {
  explicit DynamicSection(const link_map &Map);

  const ElfW(Sym) *Symbols = nullptr;
  const char *Strings = nullptr;
  /// The relocations of the table of addresses that its code uses: for data, and for calls.
  const ElfW(Rela) * Relocations[2] = {nullptr, nullptr};
  size_t RelocationBytes[2] = {0, 0};

  /// Visits the relocations of a symbol with this name until Visit returns true; returns whether it
  /// did.
  template <typename F> bool anyOf(const char *Name, F Visit) const {
    for (unsigned Kind = 0; Symbols && Strings && Kind < 2; ++Kind)
      for (size_t I = 0; I < RelocationBytes[Kind] / sizeof(ElfW(Rela)); ++I) {
        const ElfW(Rela) &R = Relocations[Kind][I];
        const ElfW(Sym) &Symbol = Symbols[ELF64_R_SYM(R.r_info)];
        if (std::strcmp(Strings + Symbol.st_name, Name) == 0 && Visit(R, Symbol))
          return true;
      }
    return false;
  }
};

DynamicSection::DynamicSection(const link_map &Map) {
  for (const ElfW(Dyn) *Entry = Map.l_ld; Entry && Entry->d_tag != DT_NULL; ++Entry)
    switch (Entry->d_tag) {
    case DT_SYMTAB:
      Symbols = reinterpret_cast<const ElfW(Sym) *>(Entry->d_un.d_ptr);
      break;
    case DT_STRTAB:
      Strings = reinterpret_cast<const char *>(Entry->d_un.d_ptr);
      break;
    case DT_RELA:
    case DT_JMPREL:
      Relocations[Entry->d_tag == DT_JMPREL] =
          reinterpret_cast<const ElfW(Rela) *>(Entry->d_un.d_ptr);
      break;
    case DT_RELASZ:
    case DT_PLTRELSZ:
      RelocationBytes[Entry->d_tag == DT_PLTRELSZ] = Entry->d_un.d_val;
      break;
    default:
      break;
    }
}

} // namespace

/// Returns whether the object imports the name: an object that uses a definition of another one has
/// a relocation for it. The table of symbols has no length of its own, and the hash tables list
/// exports, maybe none.
bool ObjectSymbols::imports(const char *Name) const {
  return DynamicSection(*Map).anyOf(
      Name, [](const auto &, const ElfW(Sym) & Symbol) { return Symbol.st_shndx == SHN_UNDEF; });
}

/// Returns the address that the dynamic linker has entered for Name in the object's table of
/// addresses; null when the object's code does not use the table for it, or it is not bound yet.
void *ObjectSymbols::bound(const char *Name) const {
  void *Address = nullptr;
  DynamicSection(*Map).anyOf(Name, [&](const ElfW(Rela) & R, const auto &) {
    size_t Type = ELF64_R_TYPE(R.r_info);
    if (Type == R_X86_64_GLOB_DAT || Type == R_X86_64_JUMP_SLOT)
      Address =
          __atomic_load_n(reinterpret_cast<void **>(Map->l_addr + R.r_offset), __ATOMIC_RELAXED);
    return Address != nullptr;
  });
  return Address;
}

void *ObjectSymbols::find(const char *Name, bool HasOneMeaning, const char *&Why) const {
  // Near is in the object or its dependences, Global in the global scope.
  void *Near = Handle ? dlsym(Handle, Name) : nullptr;
  void *Global = dlsym(RTLD_DEFAULT, Name);
  void *Bound = Handle ? bound(Name) : nullptr;
  // An address inside the object that is not the symbol's may be a stub that binds at the first
  // call.
  if (Bound && (Bound == Near || !isInside(Bound)))
    return Bound;
  if (!Handle || !(isInside(Near) || imports(Name))) {
    Why = "cannot be found from outside of its library";
    return HasOneMeaning ? Global : nullptr;
  }
  if (!Near || !Global || Near == Global) {
    Why = "is not defined";
    return Near ? Near : Global;
  }
  // There are two definitions, as in a program with its own malloc, and no table that decides.
  if (!Bound && isInside(Near))
    return Near;
  Why = "is defined more than once";
  return nullptr;
}

} // namespace specrt
