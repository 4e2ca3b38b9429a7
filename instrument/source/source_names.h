//===- instrument/source/source_names.h - names of values in the source ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These names are only for people. The names in the bitcode, on which its hash depends, are
// computed separately (outline.h). With debug info, a number read from memory gets the expression
// that the source would use for it.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_SOURCE_SOURCE_NAMES_H
#define SPECRT_INSTRUMENT_SOURCE_SOURCE_NAMES_H

#include "analysis/memory/access_ranges.h"
#include "specrt/guard.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace llvm {
class DIType;
class DISubprogram;
class Function;
class Value;
} // namespace llvm

namespace specrt {

struct SourceValue {
  std::string Name; ///< "n", "this->nx"; "" when unknown
  /// Type of the value or, with IsPlace, of the object at this address; null when unknown.
  const llvm::DIType *Type = nullptr;
  bool IsPlace = false;
};

/// Returns the name of \p V in the source. Variables of \p Writer, which may be null, are
/// preferred.
SourceValue sourceValue(llvm::Value &V, const llvm::DISubprogram *Writer);

struct MemoryName {
  specrt_base Base;
  int32_t Begin;
  std::string Text;
};

/// Returns the names of the numbers and pointers that \p Body loads from constant offsets behind
/// its arguments, which are called \p Args, and behind globals.
std::vector<MemoryName> memoryNames(llvm::Function &Body, llvm::ArrayRef<SourceValue> Args,
                                    const SymbolIndex &Symbols);

} // namespace specrt

#endif
