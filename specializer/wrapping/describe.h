//===- specializer/wrapping/describe.h - describes a C function as a region -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For functions that were not compiled with the plugin: reads the bitcode that the user supplies,
// builds a function with a region's parameters (adapter.h), brings it into the form in which the
// plugin sees code, and computes what the plugin would have written into the program.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_WRAPPING_DESCRIBE_H
#define SPECRT_SPECIALIZER_WRAPPING_DESCRIBE_H

#include "specializer/module/budget.h"
#include "specrt/jit_api.h"
#include "llvm/ADT/SmallVector.h"
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class TargetMachine;
}

namespace specrt {

/// A result with the data that it points to.
struct Description final : specrt_describe_result {
  Description() : specrt_describe_result{} {}
  Description(const Description &) = delete;
  Description &operator=(const Description &) = delete;

  void fail(specrt_describe_status Status, const std::string &Why);
  const char *keep(const std::string &Text) { return Strings.emplace_back(Text).c_str(); }
  /// Sets the region's pointers to the members below.
  void seal();

  std::deque<std::string> Strings;
  std::vector<uint8_t> Kinds;
  std::vector<const char *> Names;
  std::vector<specrt_symbol> Symbols;
  llvm::SmallVector<specrt_access, 0> Accesses;
  llvm::SmallVector<specrt_loop, 0> Loops;
  llvm::SmallVector<specrt_cell> Cells;
  llvm::SmallVector<char, 0> Bitcode;
};

/// Fills \p Result, which also reports errors.
void describe(const specrt_describe_request &Request, llvm::TargetMachine &TM,
              CompileBudget &Budget, Description &Result);

} // namespace specrt

#endif
