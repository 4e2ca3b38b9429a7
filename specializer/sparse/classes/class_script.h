//===- specializer/sparse/classes/class_script.h - what a row of a class does, step by step -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trace of a class says which way its rows take through the loop and which integers they read.
// Followed once, block by block, it gives straight-line code: branches and inner loops disappear,
// but for opaque loops.
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
    Phis,  ///< those of Block, which is entered from From, all at once
    Plain, ///< I
    Value, ///< I loads entry Number of the trace
    Note,  ///< I stores a note
    Noted, ///< I loads what the step Note number Number, from 0, has stored
    Opaque ///< Inner
  };
  Kind Is;
  unsigned Number = 0;
  const llvm::Instruction *I = nullptr;
  const llvm::BasicBlock *Block = nullptr, *From = nullptr;
  const llvm::Loop *Inner = nullptr;
};

using ClassScript = std::vector<RowStep>;

/// From the beginning of a row, with the header's phis known, to its end. Nothing: the trace does
/// not lead there, or it takes too much code.
std::optional<ClassScript> scriptOf(const RowLoop &Rows, const llvm::LoopInfo &LI,
                                    const specrt_row_class &Class);

} // namespace specrt

#endif
