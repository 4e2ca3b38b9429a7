//===- jit/code/loaded_library.cpp - tables of a library in this process --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/code/loaded_library.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

namespace specrt {
namespace {

struct Search {
  const ElfW(Addr) Inside;
  LoadedLibrary Found = {};
};

int visitLibrary(dl_phdr_info *Info, size_t, void *Data) {
  auto &[Inside, Found] = *static_cast<Search *>(Data);
  const auto Begin = [&](const ElfW(Phdr) & Part) { return Info->dlpi_addr + Part.p_vaddr; };
  const std::span Parts(Info->dlpi_phdr, Info->dlpi_phnum);
  if (std::none_of(Parts.begin(), Parts.end(), [&, Address = Inside](const ElfW(Phdr) & Part) {
        return Part.p_type == PT_LOAD && Address - Begin(Part) < Part.p_memsz;
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

} // namespace

LoadedLibrary findLibrary(ElfW(Addr) Inside) {
  Search For{.Inside = Inside};
  dl_iterate_phdr(visitLibrary, &For);
  return For.Found;
}

bool LoadedLibrary::write(std::span<void *> Slots, void *Value) const {
  const auto Begin = reinterpret_cast<ElfW(Addr)>(Slots.data());
  const ElfW(Addr) End = Begin + Slots.size_bytes();
  const bool IsProtected = Begin >= ReadOnlyBegin && Begin < ReadOnlyEnd;
  const auto PageSize = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const ElfW(Addr) Page = Begin & ~(PageSize - 1);
  void *Pages = reinterpret_cast<void *>(Page);
  if (IsProtected && mprotect(Pages, End - Page, PROT_READ | PROT_WRITE))
    return false;
  for (void *&Slot : Slots)
    __atomic_store_n(&Slot, Value, __ATOMIC_RELEASE);
  if (IsProtected)
    mprotect(Pages, End - Page, PROT_READ);
  return true;
}

} // namespace specrt
