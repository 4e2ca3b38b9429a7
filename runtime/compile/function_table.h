//===- runtime/compile/function_table.h - the code of functions, by address ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What instrumented files know about their small functions, for regions of other files that call
// them. Name and address must both be those that the region refers to: an address is that of one
// definition, whatever the linker or the loader put in its place elsewhere, and linkers that fold
// equal functions leave several names one address.
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

/// What a region consists of beside its own bitcode.
struct DistantCode {
  std::vector<specrt_symbol> Symbols; ///< the region's, then what else the callees refer to
  std::vector<specrt_callee> Callees; ///< those that others call come after them

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
    CallsItself, ///< it leads back to itself
    TooMany,     ///< there are more functions than a region may consist of
    Ambiguous    ///< two of the functions or variables cannot be told apart
  };
  Cause Why = Cause::NotKnown;
  std::string Symbol;            ///< of the function; "" for Ambiguous
  const void *Address = nullptr; ///< of its code; null: a weak function that nobody defines
};

/// Of all images. The caller sees to it that one thread at a time uses it.
class FunctionTable {
public:
  void add(const specrt_function *Begin, const specrt_function *End);
  void remove(const specrt_function *Begin);

  /// Whether every function of other files that \p R calls, directly or through others, is known.
  bool covers(const specrt_region &R) const;
  /// Returns the first reason for which covers() is false; nothing when it is true.
  std::optional<MissingCode> missingFor(const specrt_region &R) const;
  /// Their code, copied; null when R calls none, or not all are known.
  std::shared_ptr<const DistantCode> codeFor(const specrt_region &R) const;

private:
  friend class DistantCodeBuilder;
  /// Returns the code of the functions that R calls; where that is impossible null, and in Missing
  /// why.
  std::shared_ptr<const DistantCode> assemble(const specrt_region &R, MissingCode &Missing) const;
  const specrt_function *find(const specrt_symbol &Symbol) const;

  struct Image {
    const specrt_function *Begin, *End;
  };
  std::vector<Image> Images;
  /// Ordered by address; made when it is needed.
  mutable std::vector<const specrt_function *> Index;
  mutable bool Indexed = false;
};

} // namespace specrt

#endif
