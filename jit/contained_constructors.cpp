//===- jit/contained_constructors.cpp - libraries that find no memory while they start ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/contained_constructors.h"
#include "jit/code/loaded_library.h"
#include "jit/containment.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <dlfcn.h>
#include <iterator>
#include <span>
#include <utility>

namespace specrt {
namespace {

std::atomic<bool> Failed{false};

/// Those of all libraries, in the order of the libraries.
std::array<void *, 4096> Kept;
size_t NumKept = 0;
/// Each holds the constructors of one library.
std::array<std::span<void *>, 8> Tables;
size_t NumTables = 0;

void runTable(std::span<void *> Table, int Count, char **Arguments, char **Environment) {
  Failure Why;
  auto Run = [&] {
    for (void *Next : Table)
      reinterpret_cast<Constructor>(Next)(Count, Arguments, Environment);
  };
  if (!Failed && !runContained(Run, Why))
    Failed = true;
}

/// Stands in for the first constructor of a library: the loader calls it, and it runs all of them.
template <size_t I> void runAll(int Count, char **Arguments, char **Environment) {
  runTable(Tables[I], Count, Arguments, Environment);
}
void runNone(int, char **, char **) {}

template <size_t... I> constexpr auto makeRunners(std::index_sequence<I...>) {
  return std::array<Constructor, sizeof...(I)>{runAll<I>...};
}
constexpr auto Runners =
    makeRunners(std::make_index_sequence<std::tuple_size_v<decltype(Tables)>>());

std::span<void *> constructorsOf(const link_map &Library) {
  ElfW(Addr) Begin = 0;
  size_t Bytes = 0;
  for (const ElfW(Dyn) *Entry = Library.l_ld; Entry->d_tag != DT_NULL; ++Entry)
    if (Entry->d_tag == DT_INIT_ARRAY)
      Begin = Library.l_addr + Entry->d_un.d_ptr;
    else if (Entry->d_tag == DT_INIT_ARRAYSZ)
      Bytes = Entry->d_un.d_val;
  if (Begin == 0)
    return {};
  return {reinterpret_cast<void **>(Begin), Bytes / sizeof(void *)};
}

/// Has \p Table, of which nothing has run, run contained.
void contain(std::span<void *> Table) {
  if (Table.empty() || NumTables == Tables.size() || NumKept + Table.size() > Kept.size())
    return;
  const std::span<void *> Copy(&Kept[NumKept], Table.size());
  std::copy(Table.begin(), Table.end(), Copy.begin());
  const LoadedLibrary Library = findLibrary(reinterpret_cast<ElfW(Addr)>(Table.data()));
  if (!Library.write(Table, reinterpret_cast<void *>(&runNone)))
    return;
  Tables[NumTables] = Copy;
  Library.write(Table.first(1), reinterpret_cast<void *>(Runners[NumTables]));
  NumKept += Table.size();
  ++NumTables;
}

} // namespace

void containConstructors(Constructor Caller) {
  Dl_info Info;
  link_map *Own = nullptr;
  if (!dladdr1(reinterpret_cast<void *>(&containConstructors), &Info,
               reinterpret_cast<void **>(&Own), RTLD_DL_LINKMAP))
    return;
  const std::span<void *> Mine = constructorsOf(*Own);
  const auto Running = std::find(Mine.begin(), Mine.end(), reinterpret_cast<void *>(Caller));
  if (Running != Mine.end())
    contain({std::next(Running), Mine.end()});
  // The loader appends what it loads. A single constructor is that of the C compiler's start-up
  // code, which allocates nothing.
  for (const link_map *Next = Own->l_next; Next; Next = Next->l_next)
    if (const std::span<void *> Table = constructorsOf(*Next); Table.size() > 1)
      contain(Table);
}

bool haveConstructorsFailed() { return Failed; }

} // namespace specrt
