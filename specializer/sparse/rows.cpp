//===- specializer/sparse/rows.cpp - row loops with code for classes of rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/rows.h"
#include "specializer/sparse/canonical/entry_runs.h"
#include "specializer/sparse/classes/unrolled.h"
#include "specializer/sparse/formats/format.h"
#include "specializer/sparse/formats/runner.h"
#include "specializer/sparse/fused_loops.h"
#include "specializer/sparse/inspect/inspector.h"
#include "specializer/sparse/loops/row_inputs.h"
#include "specializer/sparse/row_footprint.h"
#include "specializer/sparse/sparse_loop_digest.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <numeric>

using namespace llvm;

namespace specrt {
namespace {

/// Returns the number of rows as an i64 in the loop's preheader; null if it cannot be computed
/// there.
Value *countRows(const RowLoop &Rows, ScalarEvolution &SE) {
  Instruction *Before = Rows.L->getLoopPreheader()->getTerminator();
  SCEVExpander Expander(SE, "rows");
  if (!Expander.isSafeToExpandAt(Rows.BackedgeTaken, Before))
    return nullptr;
  Type *Word = Type::getInt64Ty(Before->getContext());
  const SCEV *Wide = SE.getNoopOrZeroExtend(Rows.BackedgeTaken, Word);
  Value *Count = Expander.expandCodeFor(SE.getAddExpr(Wide, SE.getOne(Word)), Word, Before);
  return IRBuilder<>(Before).CreateFreeze(Count);
}

uint32_t dependenceOf(const RowLoop &Rows) {
  if (!Rows.MayDepend)
    return SPECRT_ROWS_INDEPENDENT;
  return Rows.hasNarrowCarried() ? SPECRT_ROWS_LISTED_IN_32_BITS : SPECRT_ROWS_LISTED_IN_64_BITS;
}

class SparseLoopBuilder {
public:
  /// \p MayBeFused: whether tables must allow their loop to be fused with another.
  explicit SparseLoopBuilder(Function &F, bool MayBeFused = false)
      : M(*F.getParent()), Context(M.getContext()), B(Context), MayBeFused(MayBeFused) {}

  /// \p Codes: the code for each class.
  GlobalVariable *build(const LoopClasses &Of, ArrayRef<ClassCode> Codes, bool Parallel,
                        const specrt_row_traces *Unrolled, Constant *NextLoop);

private:
  Constant *constant(Constant *Init) {
    auto *Global = new GlobalVariable(M, Init->getType(), /*isConstant=*/true,
                                      GlobalValue::PrivateLinkage, Init, "specrt.rows.data");
    Global->setAlignment(Align(8));
    return Global;
  }
  Constant *describe(const specrt_row_class &Class, const ClassCode &Has);
  Constant *describe(const specrt_row_traces &Traces, SmallVector<uint32_t> &Said);

  Module &M;
  LLVMContext &Context;
  IRBuilder<> B;
  const bool MayBeFused;
};

/// Describes a class; without code for it, the description admits no row.
Constant *SparseLoopBuilder::describe(const specrt_row_class &Class, const ClassCode &Has) {
  static_assert(sizeof(specrt_row_entry) == 32 && sizeof(specrt_row_class) == 24);
  SmallVector<uint64_t> Words;
  for (auto [I, E] : enumerate(ArrayRef(Class.entries, Class.num_entries))) {
    const uint32_t Given = !Has.Given.empty() && Has.Given[I] ? SPECRT_ROW_GIVEN : 0;
    append_range(Words, ArrayRef<uint64_t>{E.kind | uint64_t{E.mode} << 32, uint64_t(E.number),
                                           E.ties | Given | uint64_t{uint32_t(E.beside)} << 32,
                                           uint64_t(E.apart)});
  }
  return ConstantStruct::getAnon({constant(ConstantDataArray::get(Context, Words)),
                                  B.getInt32(Class.num_entries),
                                  B.getInt32(Has.runs(SPECRT_SEGMENT_AFFINE) ? Class.step : 0),
                                  B.getInt32(Class.min_rows), B.getInt32(Has.Kinds)});
}

/// Describes traces; appends all their contents to \p Said.
Constant *SparseLoopBuilder::describe(const specrt_row_traces &Traces,
                                      SmallVector<uint32_t> &Said) {
  const ArrayRef Lengths(Traces.lengths, Traces.num_rows);
  const size_t Entries = std::accumulate(Lengths.begin(), Lengths.end(), size_t{0});
  const ArrayRef Kinds(Traces.kinds, Entries);
  const ArrayRef Values(reinterpret_cast<const uint64_t *>(Traces.values), Entries);
  append_range(Said, Lengths);
  append_range(Said, Kinds);
  for (const uint64_t Value : Values)
    append_range(Said, ArrayRef<uint32_t>{uint32_t(Value), uint32_t(Value >> 32)});
  static_assert(sizeof(specrt_row_traces) == 32);
  return constant(ConstantStruct::getAnon({B.getInt64(Traces.num_rows),
                                           constant(ConstantDataArray::get(Context, Lengths)),
                                           constant(ConstantDataArray::get(Context, Kinds)),
                                           constant(ConstantDataArray::get(Context, Values))}));
}

GlobalVariable *SparseLoopBuilder::build(const LoopClasses &Of, ArrayRef<ClassCode> Codes,
                                         bool Parallel, const specrt_row_traces *Unrolled,
                                         Constant *NextLoop) {
  const RowLoop &Rows = Of.Rows;
  SmallVector<uint32_t> Bases;
  for (const RowBase &Base : Rows.Bases)
    append_range(Bases, ArrayRef<uint32_t>{Rows.inputOf(Base), Base.Flags});
  SmallVector<uint32_t> Said = Bases; // contents of the digest besides code and classes
  append_range(Said, Rows.IsDeciding);
  const uint32_t IsLinear = Rows.Linearity.has_value();
  append_range(Said, ArrayRef<uint32_t>{dependenceOf(Rows), uint32_t(Rows.Carried.size()), IsLinear,
                                        MayBeFused});
  SmallVector<Constant *> All;
  for (auto [Class, Has] : zip_equal(Of.Classes, Codes)) {
    Said.push_back(Has.Kinds);
    append_range(Said, Has.Given);
    All.push_back(describe(Class, Has));
  }
  Constant *Null = ConstantPointerNull::get(B.getPtrTy());
  Constant *OnlyRows = Unrolled ? describe(*Unrolled, Said) : Null;
  Constant *ClassArray =
      All.empty()
          ? Null
          : constant(ConstantArray::get(ArrayType::get(All[0]->getType(), All.size()), All));
  Function *Inspector = buildInspector(Rows, Of.LI);
  const std::array<uint64_t, 2> Digest = digestOf(*Inspector, Said, Of.Classes);
  Constant *Init = ConstantStruct::getAnon(
      {Null, Inspector, constant(ConstantDataArray::get(Context, Bases)), ClassArray,
       constant(ConstantDataArray::get(Context, ArrayRef(Rows.IsDeciding))),
       B.getInt32(uint32_t(Rows.Inputs.size())), B.getInt32(uint32_t(Rows.Bases.size())),
       B.getInt32(uint32_t(All.size())), B.getInt32(Parallel), B.getInt32(dependenceOf(Rows)),
       B.getInt32(uint32_t(Rows.Carried.size())), B.getInt32(Parallel), B.getInt32(IsLinear),
       B.getInt32(Rows.hasAddresses()), B.getInt32(Rows.places()), OnlyRows, NextLoop, Null,
       ConstantDataArray::get(Context, ArrayRef(Digest))});
  static_assert(sizeof(specrt_sparse_loop) == 120);
  auto *SparseLoop = new GlobalVariable(M, Init->getType(), /*isConstant=*/false,
                                        GlobalValue::InternalLinkage, Init, "specrt.rows");
  SparseLoop->setDSOLocal(true);
  SparseLoop->setAlignment(Align(8));
  return SparseLoop;
}

/// Settings for adding tables to the loops of a function.
struct Adding {
  RowsCode Code;
  unsigned VectorBytes;
};

/// Makes \p Rows ask for a table before it begins. The sparse loop says at run time whether threads
/// share it. \p Footprint: the footprint function of a loop that may be fused; or null. Returns
/// null if the number of rows is unknown.
std::unique_ptr<LoopWithTable> addTable(const RowLoop &Rows, const LoopInfo &LI,
                                        ScalarEvolution &SE, const specrt_rows_fact &Fact,
                                        const Adding &How, Function *Footprint,
                                        Constant *NextLoop) {
  Value *Count = countRows(Rows, SE);
  if (!Count)
    return nullptr;
  Function *Unrolled =
      How.Code == RowsCode::Unrolled ? buildUnrolled(Rows, LI, Fact.traces) : nullptr;
  const LoopClasses Of(Rows, LI, ArrayRef(Fact.classes, Unrolled ? 0 : Fact.num_classes),
                       How.VectorBytes);
  const std::vector<ClassCode> Codes = codesOf(Of);
  const bool MayShare = How.Code == RowsCode::Parallel &&
                        Rows.ReportingErrors.empty() && // errno is the calling thread's
                        Rows.NotesMayMove;              // each thread makes its own
  Function &F = *Rows.L->getHeader()->getParent();
  Module &M = *F.getParent();
  GlobalVariable *SparseLoop =
      SparseLoopBuilder(F, Footprint)
          .build(Of, Codes, MayShare, Unrolled ? &Fact.traces : nullptr, NextLoop);
  Function *Runner = Unrolled ? Unrolled : buildRunner(Of, Codes);

  BasicBlock *Preheader = Rows.L->getLoopPreheader(), *Exit = Rows.L->getExitBlock();
  auto *Run = BasicBlock::Create(M.getContext(), "rows.run", &F, Rows.L->getHeader());
  IRBuilder<> B(Preheader->getTerminator());
  Value *Words = packInputs(B, Rows);
  Type *Word = B.getInt64Ty(), *Pointer = B.getPtrTy();
  FunctionCallee Begin = M.getOrInsertFunction(
      SPECRT_ROWS_BEGIN, FunctionType::get(Pointer, {Pointer, Pointer, Word}, false));
  FunctionCallee End = M.getOrInsertFunction(
      SPECRT_ROWS_END, FunctionType::get(B.getVoidTy(), {Pointer, Pointer}, false));
  CallInst *Table = B.CreateCall(Begin, {SparseLoop, Words, Count});
  Table->setDoesNotThrow();
  B.CreateCondBr(B.CreateIsNull(Table), Rows.L->getHeader(), Run);
  Preheader->getTerminator()->eraseFromParent();

  B.SetInsertPoint(Run);
  auto Added = std::make_unique<LoopWithTable>(
      LoopWithTable{Rows, SparseLoop, TableCode(Rows, *SparseLoop, *Runner, MayShare), Table, Words,
                    Count, Footprint, !!Unrolled});
  if (Unrolled)
    B.CreateCall(Unrolled, SmallVector<Value *>(Rows.Inputs.begin(), Rows.Inputs.end()));
  else
    Added->Code.run(B, Words, Table);
  B.CreateCall(End, {SparseLoop, Table})->setDoesNotThrow();
  B.CreateBr(Exit);
  for (PHINode &Phi : Exit->phis())
    Phi.addIncoming(Phi.getIncomingValueForBlock(Rows.L->getLoopLatch()), B.GetInsertBlock());
  return Added;
}

/// Returns the vector width in bytes. Wider vectors do not pay where elements of rows are combined
/// in pairs.
unsigned bytesOfVectors(const TargetTransformInfo &TTI) {
  constexpr unsigned Most = 32;
  const TypeSize Bits = TTI.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector);
  return std::min(Most, unsigned(Bits.getFixedValue() / 8));
}

/// Returns whether code for \p Rows with \p Fact differs usefully from the loop as written: in its
/// order, or by using several threads. Rows that entries name hardly wait for each other.
bool isOfUse(const RowLoop &Rows, const specrt_rows_fact &Fact, RowsCode Code) {
  return Code != RowsCode::Serial || Fact.num_classes != 0 ||
         (Rows.MayDepend && !isOverRuns(*Rows.L));
}

/// Returns null if nothing is known about the loop.
const specrt_rows_fact *factOf(ArrayRef<specrt_rows_fact> Known, unsigned Loop) {
  const auto *Found =
      llvm::find_if(Known, [&](const specrt_rows_fact &Fact) { return Fact.loop == Loop; });
  return Found == Known.end() ? nullptr : Found;
}

/// Fuses consecutive loops. \p Between: for each loop the blocks between it and the next one, if
/// the two may be fused.
void fuse(std::vector<std::unique_ptr<LoopWithTable>> &Loops,
          ArrayRef<SmallVector<BasicBlock *>> Between) {
  const auto HasTable = [](const auto &Loop) { return Loop && !Loop->IsUnrolled; };
  for (size_t I = 0; I + 1 < Loops.size(); ++I)
    if (!Between[I].empty() && HasTable(Loops[I]) && HasTable(Loops[I + 1]))
      fuseLoops(*Loops[I], *Loops[I + 1], Between[I]);
}

} // namespace

LoopsWithRows addRows(Function &F, FunctionAnalysisManager &FAM, ArrayRef<specrt_rows_fact> Known,
                      RowsCode Code) {
  splitCarriedSums(F, FAM);
  const std::vector<RowLoop> All = findRowLoops(F, FAM, RowSums::AreSplit);
  const LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  const Adding How = {Code, bytesOfVectors(FAM.getResult<TargetIRAnalysis>(F))};
  std::vector<SmallVector<BasicBlock *>> Between(All.size()); // for each loop and the next one
  // A loop behind both might use values computed between them.
  if (const size_t Last = All.size(); Last > 1)
    Between[Last - 2] = blocksToFuse(All[Last - 2], All[Last - 1]);
  LoopsWithRows Added;
  std::vector<std::unique_ptr<LoopWithTable>> WithTables(All.size());
  Constant *Next = ConstantPointerNull::get(PointerType::get(F.getContext(), 0));
  for (auto [I, Rows] : enumerate(All)) {
    const specrt_rows_fact *Fact = factOf(Known, unsigned(I));
    if (!Fact || !isOfUse(Rows, *Fact, Code))
      continue;
    const bool MayBeFused = !Between[I].empty() || (I > 0 && !Between[I - 1].empty());
    Function *Footprint = MayBeFused ? buildFootprint(Rows) : nullptr;
    WithTables[I] = addTable(Rows, LI, SE, *Fact, How, Footprint, Next);
    if (!WithTables[I])
      continue;
    Next = WithTables[I]->SparseLoop;
    Added.All += Code != RowsCode::Unrolled || WithTables[I]->IsUnrolled;
    Added.ForOneThread += isOfUse(Rows, *Fact, RowsCode::Serial);
  }
  fuse(WithTables, Between);
  if (auto *First = dyn_cast<GlobalVariable>(Next)) {
    First->setName(SparseLoopName);
    First->setLinkage(GlobalValue::ExternalLinkage);
  }
  FAM.clear();
  return Added;
}

unsigned showRows(Function &F, FunctionAnalysisManager &FAM, const specrt_recording &Into) {
  const std::vector<RowLoop> All = findRowLoops(F, FAM, RowSums::MayBeCarried);
  const LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  unsigned Shown = 0;
  for (auto [I, Rows] : enumerate(All)) {
    Value *Count = countRows(Rows, SE);
    if (!Count)
      continue;
    GlobalVariable *SparseLoop = SparseLoopBuilder(F).build(
        LoopClasses(Rows, LI, {}, /*VectorBytes=*/0), {}, /*Parallel=*/false,
        /*Unrolled=*/nullptr, ConstantPointerNull::get(PointerType::get(F.getContext(), 0)));
    IRBuilder<> B(Rows.L->getLoopPreheader()->getTerminator());
    Value *Words = packInputs(B, Rows);
    Type *Word = B.getInt64Ty(), *Pointer = B.getPtrTy();
    auto At = [&](const void *Address) {
      return ConstantExpr::getIntToPtr(B.getInt64(reinterpret_cast<uint64_t>(Address)), Pointer);
    };
    auto *T =
        FunctionType::get(B.getVoidTy(), {Pointer, B.getInt32Ty(), Pointer, Pointer, Word}, false);
    CallInst *Call = B.CreateCall(T, B.CreateLoad(Pointer, At(&Into.rows)),
                                  {At(&Into), B.getInt32(uint32_t(I)), SparseLoop, Words, Count});
    Call->setDoesNotThrow();
    ++Shown;
  }
  FAM.clear();
  return Shown;
}

} // namespace specrt
