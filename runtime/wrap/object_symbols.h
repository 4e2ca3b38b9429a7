//===- runtime/wrap/object_symbols.h - what a library's code calls by name ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bitcode knows the names of what a function refers to, the program has bound them long ago. A name
// found somewhere in the process need not be the one that the function's library meant: that one
// may be hidden inside of it. So a name counts only when the library exports or imports it; of two
// definitions the one counts that the library was bound to.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_WRAP_OBJECT_SYMBOLS_H
#define SPECRT_RUNTIME_WRAP_OBJECT_SYMBOLS_H

#include <string>

struct link_map;

namespace specrt {

/// The executable or library that holds one function. Keeps it loaded. Must not be created,
/// destroyed or asked while the registry's mutex is held: the dynamic linker has locks of its own,
/// under which libraries register.
class ObjectSymbols {
public:
  explicit ObjectSymbols(void *Function);
  ~ObjectSymbols();
  ObjectSymbols(const ObjectSymbols &) = delete;
  ObjectSymbols &operator=(const ObjectSymbols &) = delete;

  /// The address of what the object's code means by \p Name; null and \p Why (static text that goes
  /// on after the name) when that cannot be known. HasOneMeaning: every function of this name gives
  /// the same results, so any will do where the object's own compiler needed no call of it.
  void *find(const char *Name, bool HasOneMeaning, const char *&Why) const;

private:
  bool isInside(const void *Address) const;
  bool imports(const char *Name) const;
  void *bound(const char *Name) const;

  link_map *Map = nullptr;
  void *Handle = nullptr;
};

} // namespace specrt

#endif
