//===- specializer/sparse/formats/format.h - how code runs the rows of segments ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There is one format for each kind of segment (enum specrt_segment_kind). A format says for which
// classes there is such code, describes what libspecrt.so needs to know to pack rows of a class
// into segments of this kind (runtime/rows), and emits the code.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_FORMATS_FORMAT_H
#define SPECRT_SPECIALIZER_SPARSE_FORMATS_FORMAT_H

#include "specializer/sparse/formats/loop_classes.h"
#include "llvm/IR/BasicBlock.h"

namespace specrt {

class SegmentLoops;

/// The code for a class, as the class's record describes it (specrt/rows.h).
struct ClassCode {
  uint32_t Kinds = 0; ///< specrt_row_class::segment_kinds
  /// By entry: whether the code for rows with a pattern gets the entry of each row from memory
  /// (SPECRT_ROW_GIVEN). Empty without such code.
  llvm::SmallVector<bool> Given = {};

  bool runs(specrt_segment_kind Kind) const { return Kinds & SPECRT_SEGMENT_BIT(Kind); }
};

class Format {
public:
  specrt_segment_kind kind() const { return Kind; }
  bool hasClass() const { return SPECRT_SEGMENT_HAS_CLASS(Kind); }

  /// Returns whether there is code for class number \p I. \p Before has the code of the classes
  /// before it. \p I is 0 for formats without a class.
  virtual bool matches(const LoopClasses &Of, unsigned I,
                       llvm::ArrayRef<ClassCode> Before) const = 0;
  /// Adds what packing needs to know, besides the kind, to \p Into. The class matches.
  virtual void describe(const LoopClasses & /*Of*/, unsigned /*I*/, ClassCode & /*Into*/) const {}
  /// Emits the code for class number \p I, which matches. Returns the block in which it begins.
  virtual llvm::BasicBlock *emit(SegmentLoops &Into, unsigned I) const = 0;

protected:
  explicit constexpr Format(specrt_segment_kind Kind) : Kind(Kind) {}
  ~Format() = default;

private:
  const specrt_segment_kind Kind;
};

/// The formats; each is in a file that is named after it or its family.
const Format &asWritten();
const Format &affineRows();
const Format &registerBlocks();
const Format &streamedBlocks();
const Format &listedAsWritten();
const Format &listedRows();
const Format &wavefrontRows();
const Format &patternGroups();
const Format &patternRows();

/// Returns all formats, in the order of their kinds.
llvm::ArrayRef<const Format *> allFormats();

/// Returns the code for each class.
std::vector<ClassCode> codesOf(const LoopClasses &Of);

} // namespace specrt

#endif
