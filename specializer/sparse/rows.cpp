//===- specializer/sparse/rows.cpp - row loops with code for classes of rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/rows.h"
#include "specializer/sparse/classes/class_loops.h"
#include "specializer/sparse/classes/runner.h"
#include "specializer/sparse/classes/unrolled.h"
#include "specializer/sparse/forms/entry_runs.h"
#include "specializer/sparse/inspect/inspector.h"
#include "specializer/sparse/loops/loop_copy.h"
#include "specializer/sparse/loops/row_inputs.h"
#include "specializer/sparse/parallel_worker.h"
#include "specializer/sparse/site_digest.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <numeric>

using namespace llvm;

namespace specrt {
namespace {

/// How many rows the loop has, as an i64 in its preheader; null when it cannot be said there.
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

uint32_t waiting(const RowLoop &Rows) {
  if (!Rows.MayWait)
    return SPECRT_ROWS_NEVER_WAIT;
  return Rows.hasNarrowCarried() ? SPECRT_ROWS_LISTED_IN_32_BITS : SPECRT_ROWS_LISTED_IN_64_BITS;
}

class SiteBuilder {
public:
  SiteBuilder(Function &F) : M(*F.getParent()), Context(M.getContext()), B(Context) {}

  GlobalVariable *build(const RowLoop &Rows, const LoopInfo &LI, ArrayRef<specrt_row_class> Classes,
                        bool Parallel, unsigned VectorBytes, const specrt_row_traces *Unrolled,
                        Constant *NextSite);

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
};

/// No row is of a class that has no code.
Constant *SiteBuilder::describe(const specrt_row_class &Class, const ClassCode &Has) {
  static_assert(sizeof(specrt_row_entry) == 32 && sizeof(specrt_row_class) == 40);
  SmallVector<uint64_t> Words;
  for (auto [I, E] : enumerate(ArrayRef(Class.entries, Class.num_entries))) {
    const uint32_t Given = Has.Given && (*Has.Given)[I] ? SPECRT_ROW_GIVEN : 0;
    append_range(Words, ArrayRef<uint64_t>{E.kind | uint64_t{E.mode} << 32, uint64_t(E.number),
                                           E.ties | Given | uint64_t{uint32_t(E.beside)} << 32,
                                           uint64_t(E.apart)});
  }
  return ConstantStruct::getAnon(
      {constant(ConstantDataArray::get(Context, Words)), B.getInt32(Class.num_entries),
       B.getInt32(Has.HasRows ? Class.step : 0), B.getInt32(Class.min_rows),
       B.getInt32(Has.HasLanes), B.getInt32(Has.HasBlocks), B.getInt32(Has.Given.has_value()),
       B.getInt32(0)});
}

/// \p Said gets all that they are.
Constant *SiteBuilder::describe(const specrt_row_traces &Traces, SmallVector<uint32_t> &Said) {
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

GlobalVariable *SiteBuilder::build(const RowLoop &Rows, const LoopInfo &LI,
                                   ArrayRef<specrt_row_class> Classes, bool Parallel,
                                   unsigned VectorBytes, const specrt_row_traces *Unrolled,
                                   Constant *NextSite) {
  SmallVector<uint32_t> Bases;
  for (const RowBase &Base : Rows.Bases)
    append_range(Bases, ArrayRef<uint32_t>{Rows.inputOf(Base), Base.Flags});
  SmallVector<uint32_t> Said = Bases; // of what the digest has besides code and classes
  append_range(Said, Rows.IsDeciding);
  const uint32_t IsLinear = Rows.Linearity.has_value();
  append_range(Said, ArrayRef<uint32_t>{waiting(Rows), uint32_t(Rows.Carried.size()), IsLinear});
  SmallVector<Constant *> All;
  for (auto [I, Class] : enumerate(Classes)) {
    const ClassCode Has = classCode(Rows, LI, Classes, unsigned(I), VectorBytes);
    append_range(Said, ArrayRef<uint32_t>{Has.HasLanes, Has.HasBlocks, Has.Given.has_value()});
    if (Has.Given)
      append_range(Said, *Has.Given);
    All.push_back(describe(Class, Has));
  }
  Constant *Null = ConstantPointerNull::get(B.getPtrTy());
  Constant *OnlyRows = Unrolled ? describe(*Unrolled, Said) : Null;
  Constant *ClassArray =
      All.empty()
          ? Null
          : constant(ConstantArray::get(ArrayType::get(All[0]->getType(), All.size()), All));
  Function *Inspector = buildInspector(Rows, LI);
  const std::array<uint64_t, 2> Digest = digestOf(*Inspector, Said, Classes);
  Constant *Init = ConstantStruct::getAnon(
      {Null, Inspector, constant(ConstantDataArray::get(Context, Bases)), ClassArray,
       constant(ConstantDataArray::get(Context, ArrayRef(Rows.IsDeciding))),
       B.getInt32(uint32_t(Rows.Inputs.size())), B.getInt32(uint32_t(Rows.Bases.size())),
       B.getInt32(uint32_t(All.size())), B.getInt32(Parallel), B.getInt32(waiting(Rows)),
       B.getInt32(uint32_t(Rows.Carried.size())), B.getInt32(Parallel), B.getInt32(IsLinear),
       B.getInt32(Rows.hasAddresses()), B.getInt32(Rows.places()), OnlyRows, NextSite,
       ConstantDataArray::get(Context, ArrayRef(Digest))});
  static_assert(sizeof(specrt_rows_site) == 112);
  auto *Site = new GlobalVariable(M, Init->getType(), /*isConstant=*/false,
                                  GlobalValue::InternalLinkage, Init, "specrt.rows");
  Site->setDSOLocal(true);
  Site->setAlignment(Align(8));
  return Site;
}

/// void (ptr words, i64 begin, i64 end): the segments from begin to end. The words are the inputs,
/// then the table.
Function *buildSegments(const RowLoop &Rows, Function &Runner) {
  Function &F = *Rows.L->getHeader()->getParent();
  IRBuilder<> B(F.getContext());
  Type *Word = B.getInt64Ty();
  Function *Segments =
      createLike(F, B.getVoidTy(), {B.getPtrTy(), Word, Word}, F.getName() + ".rows.segments");
  B.SetInsertPoint(BasicBlock::Create(F.getContext(), "entry", Segments));
  SmallVector<Value *> Arguments;
  for (unsigned I = 0; I < Rows.Inputs.size(); ++I)
    Arguments.push_back(unpackInput(B, Rows, Segments->getArg(0), I));
  Value *Table = B.CreateLoad(
      B.getPtrTy(), B.CreateConstInBoundsGEP1_64(Word, Segments->getArg(0), Rows.Inputs.size()));
  append_range(Arguments, ArrayRef<Value *>{Table, Segments->getArg(1), Segments->getArg(2)});
  B.CreateCall(&Runner, Arguments);
  B.CreateRetVoid();
  return Segments;
}

/// Takes parts until none is left. The words are as in buildSegments.
Function *buildWorker(const RowLoop &Rows, Function &Segments) {
  Function &F = *Rows.L->getHeader()->getParent();
  Value *Words = nullptr, *Table = nullptr, *Share = nullptr, *Lent = nullptr;
  const auto OfTable = [&](IRBuilder<> &B, size_t Offset) {
    return B.CreateLoad(B.getPtrTy(), B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Table, Offset));
  };
  const auto LoadTable = [&](IRBuilder<> &B, Value *At) -> Value * {
    Words = At;
    Type *Pointer = B.getPtrTy(), *Word = B.getInt64Ty();
    Table = B.CreateLoad(Pointer, B.CreateConstInBoundsGEP1_64(Word, Words, Rows.Inputs.size()));
    Share = OfTable(B, offsetof(specrt_rows_table, share));
    if (!Rows.hasNotes())
      return nullptr;
    Words = B.CreateAlloca(ArrayType::get(Word, Rows.Inputs.size() + 1));
    auto *T = FunctionType::get(B.getInt32Ty(), {Pointer, Pointer, Pointer}, false);
    CallInst *Call =
        B.CreateCall(T, OfTable(B, offsetof(specrt_rows_table, lend)), {Table, At, Words});
    Call->setDoesNotThrow();
    Lent = Call;
    return B.CreateIsNotNull(Lent);
  };
  const auto Execute = [&](IRBuilder<> &B, Value *From, Value *To) {
    if (!Rows.MayWait) {
      B.CreateCall(&Segments, {Words, From, To});
      return;
    }
    Function *Worker = B.GetInsertBlock()->getParent();
    auto *InAnyOrder = BasicBlock::Create(F.getContext(), "any", Worker);
    auto *InOrder = BasicBlock::Create(F.getContext(), "order", Worker);
    auto *Next = BasicBlock::Create(F.getContext(), "next", Worker);
    B.CreateCondBr(B.CreateIsNull(Share), InAnyOrder, InOrder);
    B.SetInsertPoint(InAnyOrder);
    B.CreateCall(&Segments, {Words, From, To});
    B.CreateBr(Next);
    B.SetInsertPoint(InOrder);
    Type *Pointer = B.getPtrTy();
    B.CreateCall(FunctionType::get(B.getVoidTy(), {Pointer, Pointer, Pointer}, false), Share,
                 {Table, &Segments, Words})
        ->setDoesNotThrow();
    B.CreateBr(Next);
    B.SetInsertPoint(Next);
  };
  const auto GiveBack = [&](IRBuilder<> &B) {
    if (!Lent)
      return;
    auto *T = FunctionType::get(B.getVoidTy(), {B.getPtrTy(), B.getInt32Ty()}, false);
    B.CreateCall(T, OfTable(B, offsetof(specrt_rows_table, give_back)), {Table, Lent})
        ->setDoesNotThrow();
  };
  return buildParallelWorker(F, F.getName() + ".rows.worker",
                             {.Begin = LoadTable, .Part = Execute, .End = GiveBack});
}

void runInParallel(IRBuilderBase &B, const RowLoop &Rows, Function &Runner, Value *Words,
                   Value *Table) {
  Type *Word = B.getInt64Ty();
  Function *Worker = buildWorker(Rows, *buildSegments(Rows, Runner));
  B.CreateStore(Table, B.CreateConstInBoundsGEP1_64(Word, Words, Rows.Inputs.size()));
  Value *Parts =
      B.CreateLoad(Word, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Table,
                                                      offsetof(specrt_rows_table, num_parts)));
  runParallelWorker(B, *Worker, Words, B.getInt32(0), Parts);
}

void callWithInputs(IRBuilderBase &B, const RowLoop &Rows, Function &Callee,
                    ArrayRef<Value *> More) {
  SmallVector<Value *> Arguments(Rows.Inputs.begin(), Rows.Inputs.end());
  append_range(Arguments, More);
  B.CreateCall(&Callee, Arguments);
}

void runAlone(IRBuilderBase &B, const RowLoop &Rows, Function &Runner, Value *Table) {
  Value *NumSegments = B.CreateLoad(
      B.getInt64Ty(), B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Table,
                                                   offsetof(specrt_rows_table, num_segments)));
  callWithInputs(B, Rows, Runner, {Table, B.getInt64(0), NumSegments});
}

/// \p Rows asks for a table before it begins. Whether threads share it, the site says when the loop
/// begins. \p Unrolled, unless null, does all rows of \p Fact.
GlobalVariable *addTable(const RowLoop &Rows, const LoopInfo &LI, ScalarEvolution &SE,
                         const specrt_rows_fact &Fact, bool Parallel, unsigned VectorBytes,
                         Function *Unrolled, Constant *NextSite) {
  Value *Count = countRows(Rows, SE);
  if (!Count)
    return nullptr;
  const ArrayRef<specrt_row_class> Classes(Fact.classes, Unrolled ? 0 : Fact.num_classes);
  Parallel &= !Unrolled && Rows.ReportingErrors.empty(); // errno is the calling thread's
  Parallel &= Rows.NotesMayMove;                         // each thread makes its own
  Function &F = *Rows.L->getHeader()->getParent();
  Module &M = *F.getParent();
  GlobalVariable *Site = SiteBuilder(F).build(Rows, LI, Classes, Parallel, VectorBytes,
                                              Unrolled ? &Fact.traces : nullptr, NextSite);
  Function *Runner = Unrolled ? nullptr : buildRunner(Rows, LI, Classes, VectorBytes);

  BasicBlock *Preheader = Rows.L->getLoopPreheader(), *Exit = Rows.L->getExitBlock();
  auto *Run = BasicBlock::Create(M.getContext(), "rows.run", &F, Rows.L->getHeader());
  IRBuilder<> B(Preheader->getTerminator());
  Value *Words = packInputs(B, Rows);
  Type *Word = B.getInt64Ty(), *Pointer = B.getPtrTy();
  FunctionCallee Begin = M.getOrInsertFunction(
      SPECRT_ROWS_BEGIN, FunctionType::get(Pointer, {Pointer, Pointer, Word}, false));
  FunctionCallee End = M.getOrInsertFunction(
      SPECRT_ROWS_END, FunctionType::get(B.getVoidTy(), {Pointer, Pointer}, false));
  CallInst *Table = B.CreateCall(Begin, {Site, Words, Count});
  Table->setDoesNotThrow();
  B.CreateCondBr(B.CreateIsNull(Table), Rows.L->getHeader(), Run);
  Preheader->getTerminator()->eraseFromParent();

  B.SetInsertPoint(Run);
  if (Parallel) {
    auto *Shared = BasicBlock::Create(M.getContext(), "rows.shared", &F, Rows.L->getHeader());
    auto *Alone = BasicBlock::Create(M.getContext(), "rows.alone", &F, Rows.L->getHeader());
    auto *Over = BasicBlock::Create(M.getContext(), "rows.over", &F, Rows.L->getHeader());
    Value *IsParallel = B.CreateLoad(
        B.getInt32Ty(),
        B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Site, offsetof(specrt_rows_site, is_parallel)));
    B.CreateCondBr(B.CreateIsNotNull(IsParallel), Shared, Alone);
    B.SetInsertPoint(Shared);
    runInParallel(B, Rows, *Runner, Words, Table);
    B.CreateBr(Over);
    B.SetInsertPoint(Alone);
    runAlone(B, Rows, *Runner, Table);
    B.CreateBr(Over);
    B.SetInsertPoint(Over);
    Run = Over;
  } else if (Unrolled) {
    callWithInputs(B, Rows, *Unrolled, {});
  } else {
    runAlone(B, Rows, *Runner, Table);
  }
  B.CreateCall(End, {Site, Table})->setDoesNotThrow();
  B.CreateBr(Exit);
  for (PHINode &Phi : Exit->phis())
    Phi.addIncoming(Phi.getIncomingValueForBlock(Rows.L->getLoopLatch()), Run);
  return Site;
}

/// Where elements of each row come together in pairs, wider ones cost as much as they save.
unsigned bytesOfVectors(const TargetTransformInfo &TTI) {
  constexpr unsigned Most = 32;
  const TypeSize Bits = TTI.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector);
  return std::min(Most, unsigned(Bits.getFixedValue() / 8));
}

/// Would code for \p Rows, of which \p Fact is known, be more than the loop as it was written, in
/// another order or by several threads? Rows that entries name hardly wait for each other.
bool isOfUse(const RowLoop &Rows, const specrt_rows_fact &Fact, RowsCode Code) {
  return Code != RowsCode::Serial || Fact.num_classes != 0 ||
         (Rows.MayWait && !isOverRuns(*Rows.L));
}

/// Null: nothing is known of the loop that would be of use.
const specrt_rows_fact *factOf(ArrayRef<specrt_rows_fact> Known, unsigned Loop) {
  const auto *Found =
      llvm::find_if(Known, [&](const specrt_rows_fact &Fact) { return Fact.loop == Loop; });
  return Found == Known.end() ? nullptr : Found;
}

} // namespace

LoopsWithRows addRows(Function &F, FunctionAnalysisManager &FAM, ArrayRef<specrt_rows_fact> Known,
                      RowsCode Code) {
  splitCarriedSums(F, FAM);
  const std::vector<RowLoop> All = findRowLoops(F, FAM, RowSums::AreSplit);
  const LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  const unsigned VectorBytes = bytesOfVectors(FAM.getResult<TargetIRAnalysis>(F));
  LoopsWithRows Added;
  Constant *Next = ConstantPointerNull::get(PointerType::get(F.getContext(), 0));
  for (auto [I, Rows] : enumerate(All)) {
    const specrt_rows_fact *Fact = factOf(Known, unsigned(I));
    if (!Fact || !isOfUse(Rows, *Fact, Code))
      continue;
    Function *Unrolled =
        Code == RowsCode::Unrolled ? buildUnrolled(Rows, LI, Fact->traces) : nullptr;
    if (GlobalVariable *Site = addTable(Rows, LI, SE, *Fact, Code == RowsCode::Parallel,
                                        VectorBytes, Unrolled, Next)) {
      Next = Site;
      Added.All += Code != RowsCode::Unrolled || Unrolled;
      Added.ForOneThread += isOfUse(Rows, *Fact, RowsCode::Serial);
    }
  }
  if (auto *First = dyn_cast<GlobalVariable>(Next)) {
    First->setName(RowsSiteName);
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
    GlobalVariable *Site = SiteBuilder(F).build(
        Rows, LI, {}, /*Parallel=*/false, /*VectorBytes=*/0,
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
                                  {At(&Into), B.getInt32(uint32_t(I)), Site, Words, Count});
    Call->setDoesNotThrow();
    ++Shown;
  }
  FAM.clear();
  return Shown;
}

} // namespace specrt
