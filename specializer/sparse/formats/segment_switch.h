//===- specializer/sparse/formats/segment_switch.h - branches to the code of a segment ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Segments are short where rows wait for each other, so finding their code must be cheap. The
// switch is over one number, made of a segment's kind and class without gaps, and is therefore one
// jump table. Only SegmentSwitch::caseOf defines this number, for records and for cases.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_FORMATS_SEGMENT_SWITCH_H
#define SPECRT_SPECIALIZER_SPARSE_FORMATS_SEGMENT_SWITCH_H

#include "specializer/sparse/loops/row_inputs.h"
#include "specrt/rows.h"
#include "llvm/IR/IRBuilder.h"

namespace specrt {

class SegmentSwitch {
public:
  /// Emits the switch over the record at \p Segment at the end of \p B's block. Segments without a
  /// case branch to \p Default.
  SegmentSwitch(llvm::IRBuilderBase &B, llvm::Value *Segment, size_t NumClasses,
                llvm::BasicBlock *Default)
      : NumClasses(unsigned(NumClasses)),
        Switch(B.CreateSwitch(caseOf(B, field(B, Segment, offsetof(specrt_rows_segment, kind)),
                                     field(B, Segment, offsetof(specrt_rows_segment, class_index))),
                              Default)) {}

  /// Adds the code for segments of \p Kind; \p ClassIndex is 0 for kinds without a class.
  void add(specrt_segment_kind Kind, unsigned ClassIndex, llvm::BasicBlock *Code) {
    llvm::IRBuilder<> B(Switch);
    Switch->addCase(
        llvm::cast<llvm::ConstantInt>(caseOf(B, B.getInt32(Kind), B.getInt32(ClassIndex))), Code);
  }

private:
  static llvm::Value *field(llvm::IRBuilderBase &B, llvm::Value *Segment, size_t Offset) {
    return loadField(B, B.getInt32Ty(), Segment, Offset);
  }
  /// Returns the number of a kind and a class; a constant for constants.
  llvm::Value *caseOf(llvm::IRBuilderBase &B, llvm::Value *Kind, llvm::Value *ClassIndex) const {
    llvm::Value *Before = B.CreateMul(Kind, B.getInt32(std::max(NumClasses, 1u)));
    return B.CreateAdd(Before, ClassIndex, "segment.case");
  }

  const unsigned NumClasses;
  llvm::SwitchInst *const Switch;
};

} // namespace specrt

#endif
