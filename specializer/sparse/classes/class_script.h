//===- specializer/sparse/classes/class_script.h - the steps of a row of a class -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trace of a class determines the path of its rows through the loop and the integers that they
// read. Following it block by block gives straight-line code: branches and inner loops disappear,
// except for opaque loops.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_CLASSES_CLASS_SCRIPT_H
#define SPECRT_SPECIALIZER_SPARSE_CLASSES_CLASS_SCRIPT_H

#include "specializer/sparse/loops/row_loop.h"
#include <optional>
#include <vector>

namespace specrt {

struct RowStep {
  enum class Kind : uint8_t {
    Phis,  ///< all phis of Block, which is entered from From, at once
    Plain, ///< I
    Value, ///< I loads entry Number of the trace
    Note,  ///< I stores a note
    Noted, ///< I loads the value stored by step Note number Number, from 0
    Opaque ///< executes the loop Inner
  };
  Kind Is;
  unsigned Number = 0;
  const llvm::Instruction *I = nullptr;
  const llvm::BasicBlock *Block = nullptr, *From = nullptr;
  const llvm::Loop *Inner = nullptr;
};

using ClassScript = std::vector<RowStep>;

/// Returns the steps from the beginning of a row, where the header's phis are known, to its end.
/// Returns nothing if the trace does not fit the loop, or if the code would be too large.
std::optional<ClassScript> scriptOf(const RowLoop &Rows, const llvm::LoopInfo &LI,
                                    const specrt_row_class &Class);

} // namespace specrt

#endif
