//===- instrument/source/source_names.h - what the source calls a value -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names for people alone: the names of values in the bitcode, which decide about its hash, are
// others (outline.h). With debug info a number that was read from memory is called what the source
// would write there.
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
  /// Of the value, or, with IsPlace, of the object at this address; null when unknown.
  const llvm::DIType *Type = nullptr;
  bool IsPlace = false;
};

/// \p Writer: the function of the source whose variables are meant first; may be null.
SourceValue sourceValue(llvm::Value &V, const llvm::DISubprogram *Writer);

struct MemoryName {
  specrt_base Base;
  int32_t Begin;
  std::string Text;
};

/// What \p Body loads from known places behind its arguments, called \p Args, and behind globals.
std::vector<MemoryName> memoryNames(llvm::Function &Body, llvm::ArrayRef<SourceValue> Args,
                                    const SymbolIndex &Symbols);

} // namespace specrt

#endif
