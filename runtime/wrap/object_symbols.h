//===- runtime/wrap/object_symbols.h - finds the symbols that a library's code uses ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bitcode contains the names of what a function refers to, which the program has bound already. A
// definition found somewhere in the process need not be the one that the function's library uses:
// that one may be hidden inside of it. So a name is valid only if the library exports or imports
// it; of two definitions, the one that the library was bound to is used.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_WRAP_OBJECT_SYMBOLS_H
#define SPECRT_RUNTIME_WRAP_OBJECT_SYMBOLS_H

#include <string>

struct link_map;

namespace specrt {

/// The executable or library that contains one function. Keeps it loaded. Must not be created,
/// destroyed or used while the registry's mutex is held: the dynamic linker has locks of its own,
/// under which libraries register.
class ObjectSymbols {
public:
  explicit ObjectSymbols(void *Function);
  ~ObjectSymbols();
  ObjectSymbols(const ObjectSymbols &) = delete;
  ObjectSymbols &operator=(const ObjectSymbols &) = delete;

  /// Returns the address of \p Name as the object's code uses it; null with \p Why (static text
  /// that follows the name) if that is unknown. HasOneMeaning: every function of this name gives
  /// the same results, so any is valid if the object's own compiler needed no call of it.
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
