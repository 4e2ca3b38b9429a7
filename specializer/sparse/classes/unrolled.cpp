//===- specializer/sparse/classes/unrolled.cpp - unrolls all rows of a small loop -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/classes/unrolled.h"
#include "specializer/sparse/classes/class_body.h"
#include "specializer/sparse/loops/row_inputs.h"

using namespace llvm;

namespace specrt {
namespace {

/// Limit on the steps of a function: compile time grows faster than linearly.
constexpr size_t StepsInFunction = 1024;
/// Limit on instructions: reading more code would take longer than reading the data it replaces.
constexpr size_t MaxInstructions = 65536;

class UnrolledBuilder {
public:
  UnrolledBuilder(const RowLoop &Rows, const LoopInfo &LI, const specrt_row_traces &Traces)
      : Rows(Rows), LI(LI), Traces(Traces), F(*Rows.L->getHeader()->getParent()),
        B(F.getContext()) {}

  Function *build();

private:
  bool addRow(uint64_t Row);
  void beginPart();
  void endPart();
  void forget();

  const RowLoop &Rows;
  const LoopInfo &LI;
  const specrt_row_traces &Traces;
  Function &F;
  IRBuilder<> B;
  SmallVector<Function *> Parts;
  size_t Entry = 0; ///< first entry of the next row
  size_t Steps = 0; ///< steps in the last part
  size_t Instructions = 0;
};

void UnrolledBuilder::beginPart() {
  Parts.push_back(createWithInputs(Rows, {}, ".rows.part"));
  B.SetInsertPoint(BasicBlock::Create(F.getContext(), "entry", Parts.back()));
  Steps = 0;
}

void UnrolledBuilder::endPart() {
  B.CreateRetVoid();
  Instructions += Parts.back()->getInstructionCount();
}

/// Adds a row; returns false if the trace does not fit the loop.
bool UnrolledBuilder::addRow(uint64_t Row) {
  SmallVector<specrt_row_entry> Entries;
  SmallVector<Value *> Values;
  for (const size_t End = Entry + Traces.lengths[Row]; Entry < End; ++Entry) {
    const bool IsValue = Traces.kinds[Entry] == SPECRT_ROW_VALUE;
    Entries.push_back({.kind = Traces.kinds[Entry],
                       .mode = uint32_t(IsValue ? SPECRT_ROW_AFFINE : SPECRT_ROW_CONTROL),
                       .number = IsValue ? 0 : Traces.values[Entry],
                       .ties = 0,
                       .beside = 0,
                       .apart = 0});
    Values.push_back(B.getInt64(uint64_t(Traces.values[Entry])));
  }
  specrt_row_class Own{};
  Own.entries = Entries.data();
  Own.num_entries = uint32_t(Entries.size());
  Own.step = 1;
  const std::optional<ClassScript> Script = scriptOf(Rows, LI, Own);
  if (!Script)
    return false;
  if (Steps + Script->size() > StepsInFunction && Steps > 0) {
    endPart();
    beginPart();
  }
  Steps += Script->size();
  ValueToValueMapTy Outer;
  mapInputs(Rows, *Parts.back(), Outer);
  ClassBody(Rows, Own, *Script, Outer).build(B, B.getInt64(Row), B.getInt64(0), Values);
  return true;
}

void UnrolledBuilder::forget() {
  for (Function *Part : Parts)
    Part->eraseFromParent();
}

Function *UnrolledBuilder::build() {
  beginPart();
  for (uint64_t Row = 0; Row < Traces.num_rows; ++Row)
    if (Instructions > MaxInstructions || !addRow(Row)) {
      forget();
      return nullptr;
    }
  endPart();
  Function *All = createWithInputs(Rows, {}, ".rows.unrolled");
  B.SetInsertPoint(BasicBlock::Create(F.getContext(), "entry", All));
  SmallVector<Value *> Arguments;
  for (Argument &A : All->args())
    Arguments.push_back(&A);
  for (Function *Part : Parts)
    B.CreateCall(Part, Arguments);
  B.CreateRetVoid();
  return All;
}

} // namespace

Function *buildUnrolled(const RowLoop &Rows, const LoopInfo &LI, const specrt_row_traces &Traces) {
  if (Traces.num_rows == 0 || Rows.hasAddresses())
    return nullptr;
  return UnrolledBuilder(Rows, LI, Traces).build();
}

} // namespace specrt
