//===- runtime/compile/function_table.h - finds the code of functions by address ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table contains the small functions of instrumented files, for regions of other files that
// call them. Both name and address must be those that the region refers to: an address identifies
// one definition, even if the linker or the loader uses another one elsewhere, and linkers that
// fold equal functions give several names one address.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_COMPILE_FUNCTION_TABLE_H
#define SPECRT_RUNTIME_COMPILE_FUNCTION_TABLE_H

#include "specrt/abi.h"
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace specrt {

/// The parts of a region besides its own bitcode.
struct DistantCode {
  /// the region's symbols, then others that the callees refer to
  std::vector<specrt_symbol> Symbols;
  std::vector<specrt_callee> Callees; ///< callees that others call come after them

private:
  friend class DistantCodeBuilder;
  std::deque<std::string> Names;
  std::deque<std::vector<const char *>> Theirs;
  std::deque<std::vector<uint32_t>> Positions;
  std::vector<std::unique_ptr<char[]>> Files;
};

/// Why a region's bitcode cannot be completed with the functions that it calls.
struct MissingCode {
  enum class Cause : uint8_t {
    NotKnown,    ///< no instrumented file has given the function's code
    CallsItself, ///< it calls itself, directly or through others
    TooMany,     ///< there are more functions than a region may consist of
    Ambiguous    ///< two of the functions or variables cannot be told apart
  };
  Cause Why = Cause::NotKnown;
  std::string Symbol;            ///< name of the function; "" for Ambiguous
  const void *Address = nullptr; ///< its address; null: a weak function without a definition
};

/// The functions of all images. Not thread-safe.
class FunctionTable {
public:
  void add(const specrt_function *Begin, const specrt_function *End);
  void remove(const specrt_function *Begin);

  /// Returns whether every function of other files that \p R calls, directly or through others, is
  /// known.
  bool covers(const specrt_region &R) const;
  /// Returns the first reason for which covers() is false; nothing when it is true.
  std::optional<MissingCode> missingFor(const specrt_region &R) const;
  /// Returns a copy of their code; null when R calls none, or not all are known.
  std::shared_ptr<const DistantCode> codeFor(const specrt_region &R) const;

private:
  friend class DistantCodeBuilder;
  /// Returns the code of the functions that R calls, or null with the reason in Missing.
  std::shared_ptr<const DistantCode> assemble(const specrt_region &R, MissingCode &Missing) const;
  const specrt_function *find(const specrt_symbol &Symbol) const;

  struct Image {
    const specrt_function *Begin, *End;
  };
  std::vector<Image> Images;
  /// Ordered by address; built on first use.
  mutable std::vector<const specrt_function *> Index;
  mutable bool Indexed = false;
};

} // namespace specrt

#endif
