//===- specializer/sparse/formats/listed_rows.cpp - rows of a list with equal control ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/classes/class_body.h"
#include "specializer/sparse/formats/format.h"
#include "specializer/sparse/formats/segment_loops.h"

using namespace llvm;

namespace specrt {
namespace {

/// A class with the control of another one, all of whose values are loaded: consecutive rows of a
/// list have little else in common.
class LoadedClass {
public:
  LoadedClass(const LoopClasses &Of, unsigned I)
      : Entries(ArrayRef(Of.Classes[I].entries, Of.Classes[I].num_entries)), Class(Of.Classes[I]) {
    const size_t NumCarried = Of.Rows.Carried.size();
    for (auto [Number, E] : enumerate(Entries))
      if (E.kind == SPECRT_ROW_VALUE)
        E = {.kind = SPECRT_ROW_VALUE,
             .mode = uint32_t(Number < NumCarried ? SPECRT_ROW_AFFINE : SPECRT_ROW_LOADED),
             .number = 0,
             .ties = 0,
             .beside = 0,
             .apart = 0};
    Class.entries = Entries.data();
    Script = scriptOf(Of.Rows, Of.LI, Class);
  }
  LoadedClass(const LoadedClass &) = delete;
  LoadedClass &operator=(const LoadedClass &) = delete;

  const specrt_row_class &get() const { return Class; }
  const std::optional<ClassScript> &script() const { return Script; }

private:
  SmallVector<specrt_row_entry> Entries;
  specrt_row_class Class;
  std::optional<ClassScript> Script;
};

/// Classes with the same control share the code of the first one.
class ListedRows final : public Format {
public:
  constexpr ListedRows() : Format(SPECRT_SEGMENT_LISTED) {}

  bool matches(const LoopClasses &Of, unsigned I, ArrayRef<ClassCode>) const override {
    return Of.Rows.MayDepend && Of.alikeBefore(I).empty() && LoadedClass(Of, I).script();
  }
  BasicBlock *emit(SegmentLoops &Into, unsigned I) const override {
    IRBuilder<> &B = Into.B;
    const LoadedClass Class(Into.Of, I);
    BasicBlock *Before = Into.block("listed.class"), *Loop = Into.block("listed.rows");
    BranchInst::Create(Loop, Before);
    B.SetInsertPoint(Loop);
    PHINode *T = Into.countFrom(B.getInt64(0), *Before);
    SmallVector<Value *> Known(Class.get().num_entries);
    for (unsigned Entry = 0; Entry < Into.Of.Rows.Carried.size(); ++Entry)
      Known[Entry] = Into.listedWord(T, Entry + 1);
    Value *Row = Into.listedWord(T, 0);
    ClassBody(Into.Of.Rows, Class.get(), *Class.script(), Into.Outer).build(B, Row, T, Known);
    Into.countOn(*T, *Loop);
    return Before;
  }
};

constexpr ListedRows TheListedRows;

} // namespace

const Format &listedRows() { return TheListedRows; }

} // namespace specrt
