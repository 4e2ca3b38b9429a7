//===- specializer/loops/shared_loop.cpp - a loop that threads share -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/shared_loop.h"
#include "specializer/loops/accumulator.h"
#include "specializer/loops/loop_copy.h"
#include "specializer/loops/loop_shape.h"
#include "specializer/loops/parallel_worker.h"
#include "specializer/polyhedral/parallel_start.h"
#include "specializer/polyhedral/private_memory.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace specrt {
namespace {

/// Builds two functions. One executes iterations and receives the loop's inputs as arguments, which
/// keep their attributes. The other is the worker that threads start with; it loads the inputs from
/// a structure.
class LoopSharer {
public:
  LoopSharer(Loop &L, FunctionAnalysisManager &FAM, ArrayRef<WorkArray> Arrays,
             ArrayRef<Loop *> Shared, const BalancedNest *Nest = nullptr)
      : L(L), F(*L.getHeader()->getParent()), M(*F.getParent()),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)), AA(FAM.getResult<AAManager>(F)),
        Arrays(Arrays), Shared(Shared), Nest(Nest), B(F.getContext()), Word(B.getInt64Ty()) {
    for (const WorkArray &Array : Arrays)
      Places.push_back(placeInMemory(Array.FirstByte, Array.NumBytes, Bytes));
  }

  bool share(Value &Apart);

private:
  /// A loop of which a function executes some iterations.
  struct Part {
    Loop *Of;
    SmallVector<std::pair<PHINode *, Value *>> Steps; ///< of its counters
    /// Its number of iterations, known in its preheader, if the function may be called for
    /// iterations beyond it; otherwise null.
    Value *Trips = nullptr;
  };

  bool collect();
  bool addInput(const Instruction &I, Value &V);
  bool isApartFromInputs(const Argument &A);
  void prepareCuts();
  void prepareCounters();
  Function *buildIterations(ArrayRef<const Part *> Once, ArrayRef<const Part *> Limited);
  void skipMissing(const Part &To, Value &Begin, Value *&End, ValueToValueMapTy &Map);
  void limit(const Part &To, Value &Begin, Value &Last, ValueToValueMapTy &Map);
  void callIterations(IRBuilder<> &In, Function &Iterations, SmallVector<Value *> Arguments,
                      Value *From, Value *To);
  Function *buildWorker(ArrayRef<Function *> Iterations, StructType &Words);
  void start(Function &Worker, StructType &Words, Value &Apart);

  Loop &L;
  Function &F;
  Module &M;
  ScalarEvolution &SE;
  BatchAAResults AA;
  const ArrayRef<WorkArray> Arrays;
  const ArrayRef<Loop *> Shared;  ///< loops in L; empty: threads share L itself
  const BalancedNest *const Nest; ///< that L is the outermost loop of; null: chunks are iterations
  SmallVector<Value *, 2> CutTrips; ///< [Nest->Cut] iterations, in the preheader
  SmallVector<uint64_t, 4> Places;  ///< [array] its offset in a thread's memory
  uint64_t Bytes = 0;               ///< the size of that memory
  IRBuilder<> B;
  Type *Word;
  SmallSetVector<Value *, 16> Inputs;
  SmallSetVector<Instruction *, 8> Addresses; ///< before the loop; threads compute them again
  SmallSetVector<AllocaInst *, 4> Own;        ///< on the stack, used in the loop only
  SmallVector<Part, 3> Parts;                 ///< L, then the loops of Shared or Nest->Cut
  SmallVector<Accumulator, 2> Accumulators;
  Value *Trips = nullptr;            ///< iterations of the loops that are shared
  ConstantInt *OuterTrips = nullptr; ///< iterations of the loop around them
};

/// Collects the accumulators and inputs of the loop. Returns false if the loop cannot be shared.
bool LoopSharer::collect() {
  if (!tripsOf(L, SE))
    return false;
  for (const WorkArray &Array : Arrays)
    if (Array.LastWrite && !isa<Constant>(Array.LastWrite))
      Inputs.insert(Array.LastWrite);
  for (PHINode &Phi : L.getHeader()->phis()) {
    if (counterOf(Phi, L, SE))
      continue;
    const std::optional<Accumulator> Of = accumulatorOf(Phi, L);
    if (!Of)
      return false;
    Accumulators.push_back(*Of);
  }
  const auto IsAccumulated = [&](const Instruction &I) {
    return any_of(Accumulators, [&](const Accumulator &Of) { return Of.Last == &I; });
  };
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      if (isOnlySaid(I))
        continue;
      const bool IsLeft =
          any_of(I.users(), [&](const User *U) { return !L.contains(cast<Instruction>(U)); });
      if (IsLeft && !IsAccumulated(I))
        return false;
      for (Value *V : I.operands()) {
        const auto *Outside = dyn_cast<Instruction>(V);
        if ((isa<Argument>(V) || (Outside && !L.contains(Outside))) && !addInput(I, *V))
          return false;
      }
    }
  return true;
}

/// Adds \p V, a value from before the loop that \p I uses. Threads compute an address again if it
/// is in memory that each thread has for itself, or if it is based on an argument, so that the
/// argument's attributes stay true. Returns false if they would have to and cannot.
bool LoopSharer::addInput(const Instruction &I, Value &V) {
  Value *Object = V.getType()->isPointerTy() ? getUnderlyingObject(&V, /*MaxLookup=*/0) : nullptr;
  auto *Room = dyn_cast_or_null<AllocaInst>(Object);
  const auto IsHere = [&](const User *U) {
    const auto &By = *cast<Instruction>(U);
    return L.contains(&By) || By.isLifetimeStartOrEnd();
  };
  const bool IsWorkArray =
      any_of(Arrays, [&](const WorkArray &Array) { return Array.Base == Object; });
  const bool IsOwn = Room && Room->isStaticAlloca() && !IsWorkArray &&
                     (all_of(Room->users(), IsHere) ||
                      areAllAccesses(*Room, [&](const Instruction &By) { return IsHere(&By); }));
  if (IsOwn)
    Own.insert(Room);
  const bool IsOfThread = IsOwn || IsWorkArray;
  if (!IsOfThread && Room == &V && !isa<LoadInst>(I)) // other code uses the memory, too
    return false;
  auto *Address = dyn_cast<GetElementPtrInst>(&V);
  if (IsOfThread ? &V == Object : !Address || !isa<Argument>(Object)) {
    if (!IsOfThread)
      Inputs.insert(&V);
    return true;
  }
  const auto Add = [&](Value *Operand) {
    return !isa<Argument, Instruction>(Operand) || addInput(I, *Operand);
  };
  return Address && all_of(Address->operands(), Add) && (Addresses.insert(Address), true);
}

/// Returns whether no other input that is not an argument may point to the object of \p A. All
/// inputs become arguments, so that noalias promises more than it does for \p A here.
bool LoopSharer::isApartFromInputs(const Argument &A) {
  return all_of(Inputs, [&](const Value *V) {
    return isa<Argument>(V) || !V->getType()->isPointerTy() ||
           AA.isNoAlias(MemoryLocation::getBeforeOrAfter(&A), MemoryLocation::getBeforeOrAfter(V));
  });
}

/// Computes the numbers of iterations of inner loops that threads may share in front of these.
void LoopSharer::prepareCuts() {
  SCEVExpander Expander(SE, "nest");
  if (Nest)
    for (Loop *Inner : Nest->Cut)
      CutTrips.push_back(Expander.expandCodeFor(tripsOf(*Inner, SE), Word,
                                                Inner->getLoopPreheader()->getTerminator()));
}

/// Computes the steps of the counters and the number of iterations in front of the loop.
void LoopSharer::prepareCounters() {
  SCEVExpander Expander(SE, "shared");
  Instruction *Before = L.getLoopPreheader()->getTerminator();
  const auto Add = [&](Loop &Of, Value *InnerTrips = nullptr) {
    Part &New = Parts.emplace_back(Part{&Of, {}, InnerTrips});
    for (PHINode &Phi : Of.getHeader()->phis())
      if (const SCEVAddRecExpr *Counter = counterOf(Phi, Of, SE))
        New.Steps.emplace_back(
            &Phi, Expander.expandCodeFor(Counter->getStepRecurrence(SE), nullptr, Before));
    for (auto [Phi, Step] : New.Steps)
      if (!isa<Constant>(Step))
        Inputs.insert(Step);
  };
  Add(L);
  for (Loop *Inner : Shared)
    Add(*Inner);
  if (Nest)
    for (auto [Inner, InnerTrips] : zip_equal(Nest->Cut, CutTrips)) {
      Add(*Inner, InnerTrips);
      if (!isa<Constant>(InnerTrips) &&
          (!isa<Instruction>(InnerTrips) || !L.contains(cast<Instruction>(InnerTrips))))
        Inputs.insert(InnerTrips);
    }
  if (!Shared.empty())
    OuterTrips = cast<SCEVConstant>(tripsOf(L, SE))->getValue();
  Trips = Expander.expandCodeFor(tripsOf(Shared.empty() ? L : *Shared.front(), SE), Word, Before);
}

/// Reduces \p End to the number of iterations of the copy of a loop. The copy is left out if none
/// of them is left. Its accumulators keep their values then.
void LoopSharer::skipMissing(const Part &To, Value &Begin, Value *&End, ValueToValueMapTy &Map) {
  const auto CopyOf = [&](BasicBlock *BB) { return cast<BasicBlock>(Map.lookup(BB)); };
  BasicBlock *const Before = CopyOf(To.Of->getLoopPreheader());
  BasicBlock *const Behind = CopyOf(To.Of->getExitBlock());
  Value *All = To.Trips;
  if (!isa<Constant>(All))
    All = Map.lookup(All);
  B.SetInsertPoint(Before->getTerminator());
  End = B.CreateBinaryIntrinsic(Intrinsic::umin, End, All);
  B.CreateCondBr(B.CreateICmpULT(&Begin, End), CopyOf(To.Of->getHeader()), Behind);
  Before->getTerminator()->eraseFromParent();
  BasicBlock *const Latch = To.Of->getLoopLatch();
  for (PHINode &Left : To.Of->getExitBlock()->phis()) {
    auto *Copy = cast<PHINode>(Map.lookup(&Left));
    // The loop computes no other value that is used behind it.
    Value *Skipped = Copy->getIncomingValueForBlock(CopyOf(Latch));
    for (PHINode &Carried : To.Of->getHeader()->phis())
      if (Carried.getIncomingValueForBlock(Latch) == Left.getIncomingValueForBlock(Latch))
        Skipped = cast<PHINode>(Map.lookup(&Carried))->getIncomingValueForBlock(Before);
    Copy->addIncoming(Skipped, Before);
  }
}

/// Makes the copy of a loop execute its iterations [\p Begin, \p Last). \p Begin is below \p Last
/// unless the part has Trips.
void LoopSharer::limit(const Part &To, Value &Begin, Value &Last, ValueToValueMapTy &Map) {
  const auto CopyOf = [&](BasicBlock *BB) { return cast<BasicBlock>(Map.lookup(BB)); };
  BasicBlock *const Before = CopyOf(To.Of->getLoopPreheader());
  BasicBlock *const Header = CopyOf(To.Of->getHeader());
  BasicBlock *const Latch = CopyOf(To.Of->getLoopLatch());
  Value *End = &Last;
  if (To.Trips)
    skipMissing(To, Begin, End, Map);
  B.SetInsertPoint(Before->getTerminator());
  for (auto [Phi, Step] : To.Steps) {
    auto *Copy = cast<PHINode>(Map.lookup(Phi));
    Value *Start = Copy->getIncomingValueForBlock(Before);
    Value *By = Step;
    if (!isa<Constant>(Step))
      By = Map.lookup(Step);
    By = B.CreateMul(B.CreateZExtOrTrunc(&Begin, By->getType()), By);
    Copy->setIncomingValueForBlock(Before, Start->getType()->isPointerTy()
                                               ? B.CreatePtrAdd(Start, By)
                                               : B.CreateAdd(Start, By));
  }
  PHINode *Number = PHINode::Create(Word, 2, "iteration", Header->begin());
  Number->addIncoming(&Begin, Before);
  Instruction *Branch = Latch->getTerminator();
  B.SetInsertPoint(Branch);
  Value *Next = B.CreateAdd(Number, B.getInt64(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  Number->addIncoming(Next, Latch);
  B.CreateCondBr(B.CreateICmpEQ(Next, End), CopyOf(To.Of->getExitBlock()), Header);
  Branch->eraseFromParent();
}

/// Builds void (inputs..., arrays..., ptr to each accumulator, i64 k..., i64 begin, i64 end), which
/// executes, in iteration k of each loop \p Once, the iterations [begin, end) of the loops \p
/// Limited. The loop itself is the first of all these.
Function *LoopSharer::buildIterations(ArrayRef<const Part *> Once, ArrayRef<const Part *> Limited) {
  SmallVector<Type *> Types;
  for (Value *V : Inputs)
    Types.push_back(V->getType());
  Types.append(Arrays.size() + Accumulators.size(), B.getPtrTy());
  Types.append(Once.size() + 2, Word);
  Function *New = createLike(F, B.getVoidTy(), Types, F.getName() + ".shared_loop");
  New->addFnAttr(Attribute::NoInline);
  auto *Entry = BasicBlock::Create(M.getContext(), "entry", New);
  auto *Exit = BasicBlock::Create(M.getContext(), "exit", New);
  ReturnInst::Create(M.getContext(), Exit);
  const auto FirstArray = unsigned(Inputs.size());
  const unsigned FirstAccumulator = FirstArray + unsigned(Arrays.size());
  Value *Begin = New->getArg(New->arg_size() - 2), *End = New->getArg(New->arg_size() - 1);

  ValueToValueMapTy Map;
  for (auto [I, V] : enumerate(Inputs)) {
    Map[V] = New->getArg(unsigned(I));
    if (const auto *A = dyn_cast<Argument>(V))
      for (Attribute::AttrKind Kind :
           {Attribute::NoAlias, Attribute::Alignment, Attribute::NonNull,
            Attribute::Dereferenceable, Attribute::DereferenceableOrNull})
        if (A->hasAttribute(Kind) && (Kind != Attribute::NoAlias || isApartFromInputs(*A)))
          New->getArg(unsigned(I))->addAttr(A->getAttribute(Kind));
  }
  for (auto [I, Array] : enumerate(Arrays)) {
    Map[Array.Base] = New->getArg(FirstArray + unsigned(I));
    New->addParamAttr(FirstArray + unsigned(I), Attribute::NoAlias);
  }
  B.SetInsertPoint(Entry);
  for (AllocaInst *Room : Own)
    Map[Room] = B.Insert(Room->clone());
  for (Instruction *Address : Addresses) {
    Instruction *Copy = B.Insert(Address->clone());
    RemapInstruction(Copy, Map, RF_NoModuleLevelChanges);
    Map[Address] = Copy;
  }
  Map[L.getLoopPreheader()] = Entry;
  Map[L.getExitBlock()] = Exit;
  copyLoop(L, *New, Map, /*KeepsLines=*/true);
  auto *Header = cast<BasicBlock>(Map.lookup(L.getHeader()));
  if (Once.empty())
    B.CreateCondBr(B.CreateICmpULT(Begin, End), Header, Exit);
  else
    B.CreateBr(Header);
  for (auto [I, Around] : enumerate(Once)) {
    Value *Number = New->getArg(unsigned(New->arg_size() - 2 - Once.size() + I));
    B.SetInsertPoint(Entry->getTerminator());
    limit(*Around, *Number, *B.CreateAdd(Number, B.getInt64(1)), Map);
  }
  for (const Part *Of : Limited)
    limit(*Of, *Begin, *End, Map);
  for (auto [I, Of] : enumerate(Accumulators)) {
    cast<PHINode>(Map.lookup(Of.Phi))->setIncomingValueForBlock(Entry, Of.neutral());
    for (const Instruction *I : Of.Operations)
      cast<Instruction>(Map.lookup(I))->dropPoisonGeneratingFlags();
    PHINode *All = PHINode::Create(Of.Phi->getType(), 2, "", Exit->begin());
    if (Once.empty())
      All->addIncoming(Of.neutral(), Entry);
    All->addIncoming(Map.lookup(Of.Last), cast<BasicBlock>(Map.lookup(L.getLoopLatch())));
    IRBuilder<>(Exit->getTerminator())
        .CreateAtomicRMW(Of.Operation, New->getArg(FirstAccumulator + unsigned(I)), All,
                         MaybeAlign(), AtomicOrdering::Monotonic);
  }
  return New;
}

/// Calls the function \p Iterations for the iterations [\p From, \p To) of the loops that threads
/// share, in all iterations of a pipelined loop.
void LoopSharer::callIterations(IRBuilder<> &In, Function &Iterations,
                                SmallVector<Value *> Arguments, Value *From, Value *To) {
  BasicBlock *const Before = In.GetInsertBlock();
  PHINode *Outer = nullptr;
  if (!Shared.empty()) {
    auto *Step = BasicBlock::Create(M.getContext(), "step", Before->getParent());
    In.CreateBr(Step);
    In.SetInsertPoint(Step);
    Outer = In.CreatePHI(Word, 2);
    Outer->addIncoming(In.getInt64(0), Before);
    In.CreateCall(M.getOrInsertFunction(PipelineStep, In.getVoidTy(), Word), {Outer});
    Arguments.push_back(Outer);
  }
  append_range(Arguments, ArrayRef<Value *>{From, To});
  In.CreateCall(&Iterations, Arguments);
  if (!Outer)
    return;
  BasicBlock *const Step = In.GetInsertBlock();
  auto *After = BasicBlock::Create(M.getContext(), "through", Step->getParent());
  Value *Next = In.CreateAdd(Outer, In.getInt64(1));
  Outer->addIncoming(Next, Step);
  In.CreateCondBr(In.CreateICmpEQ(Next, OuterTrips), After, Step);
  In.SetInsertPoint(After);
}

/// Builds the function that threads start with. It takes iterations until none is left. The first
/// function of \p Iterations executes those of the loop, the others those of the loops Nest->Cut.
Function *LoopSharer::buildWorker(ArrayRef<Function *> Iterations, StructType &Words) {
  SmallVector<Value *> Arguments;
  SmallVector<Value *> Originals; // the addresses of the program's arrays
  SmallVector<Value *> Combined;  // the addresses of the combined accumulators
  Value *Mine = nullptr;
  const auto LoadInputs = [&](IRBuilder<> &In, Value *At) -> Value * {
    const auto Load = [&](unsigned Number, Type *T) {
      return In.CreateLoad(T, In.CreateStructGEP(&Words, At, Number));
    };
    for (unsigned I = 0; I < Inputs.size(); ++I)
      Arguments.push_back(Load(I, Inputs[I]->getType()));
    for (unsigned I = 0; I < Arrays.size(); ++I)
      Originals.push_back(Load(unsigned(Inputs.size()) + I, In.getPtrTy()));
    for (unsigned I = 0; I < Accumulators.size(); ++I)
      Combined.push_back(
          In.CreateStructGEP(&Words, At, unsigned(Inputs.size() + Arrays.size()) + I));
    if (!Arrays.empty())
      Mine = In.CreateCall(M.getOrInsertFunction(PrivateMemoryName, In.getPtrTy()), {});
    return nullptr;
  };
  const auto Execute = [&](IRBuilder<> &In, Value *From, Value *To) {
    SmallVector<Value *> All = Arguments;
    for (auto [Array, Original, Place] : zip_equal(Arrays, Originals, Places)) {
      // A loop that runs serially has no private memory.
      Value *HasLast = In.CreateICmpSGT(To, ConstantInt::getSigned(Word, Array.LastIteration));
      if (Array.LastWrite) {
        const auto *At = find(Inputs, Array.LastWrite);
        Value *Last = At == Inputs.end() ? Array.LastWrite : Arguments[At - Inputs.begin()];
        HasLast = In.CreateAnd(In.CreateICmpSLE(From, Last), In.CreateICmpSLT(Last, To));
      }
      Value *IsProgram = In.CreateOr(In.CreateIsNull(Mine), HasLast);
      Value *Own = In.CreatePtrAdd(Mine, In.getInt64(Place - Array.FirstByte));
      All.push_back(In.CreateSelect(IsProgram, Original, Own));
    }
    append_range(All, Combined);
    callIterations(In, *Iterations.front(), All, From, To);
  };
  const auto ExecuteInner = [&](IRBuilder<> &In, ArrayRef<Value *> Numbers) {
    SmallVector<Value *> All = Arguments;
    append_range(All, Combined);
    append_range(All, Numbers);
    In.CreateCall(Iterations[Numbers.size() - 2], All);
  };
  return buildParallelWorker(F, F.getName() + ".shared_worker",
                             {.Begin = LoadInputs,
                              .Part = Execute,
                              .NestLoops = Nest ? unsigned(Iterations.size()) : 0,
                              .InnerPart = ExecuteInner});
}

/// Replaces the loop by the start of \p Worker.
void LoopSharer::start(Function &Worker, StructType &Words, Value &Apart) {
  BasicBlock *Before = L.getLoopPreheader(), *Exit = L.getExitBlock(), *Latch = L.getLoopLatch();
  BasicBlock &Entry = F.getEntryBlock();
  Value *Room = IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(&Words, nullptr, "shared.inputs");
  B.SetInsertPoint(Before->getTerminator());
  for (auto [I, V] : enumerate(Inputs))
    B.CreateStore(V, B.CreateStructGEP(&Words, Room, unsigned(I)));
  for (auto [I, Array] : enumerate(Arrays))
    B.CreateStore(Array.Base, B.CreateStructGEP(&Words, Room, unsigned(Inputs.size() + I)));
  SmallVector<Value *> Combined;
  for (const Accumulator &Of : Accumulators) {
    const auto Field = unsigned(Inputs.size() + Arrays.size() + Combined.size());
    Combined.push_back(B.CreateStructGEP(&Words, Room, Field));
    B.CreateStore(Of.Phi->getIncomingValueForBlock(Before), Combined.back());
  }
  // 0 permits any number of threads; 1 runs the loop serially.
  Value *Threads = B.CreateSelect(&Apart, B.getInt32(0), B.getInt32(1));
  if (Nest)
    runNestWorker(B, Worker, Room, Threads, describe(*Nest, L, SE), Bytes);
  else
    runParallelWorker(B, Worker, Room, Threads, Trips, Bytes, /*IsPipeline=*/!Shared.empty());
  for (PHINode &Phi : Exit->phis()) {
    Value *Left = Phi.getIncomingValueForBlock(Latch);
    for (auto [Of, Place] : zip_equal(Accumulators, Combined))
      if (Of.Last == Left)
        Left = B.CreateLoad(Left->getType(), Place);
    Phi.addIncoming(Left, Before);
  }
  Before->getTerminator()->eraseFromParent();
  BranchInst::Create(Exit, Before);
  EliminateUnreachableBlocks(F);
}

bool LoopSharer::share(Value &Apart) {
  // Copying the loop maps operands of instructions only, not those of constant expressions.
  for (const WorkArray &Array : Arrays)
    if (auto *Variable = dyn_cast<GlobalVariable>(Array.Base))
      convertUsersOfConstantsToInstructions({Variable}, &F);
  prepareCuts();
  if (!collect())
    return false;
  prepareCounters();
  SmallVector<Type *> Types;
  for (Value *V : Inputs)
    Types.push_back(V->getType());
  Types.append(Arrays.size(), B.getPtrTy());
  for (const Accumulator &Of : Accumulators)
    Types.push_back(Of.Phi->getType());
  StructType *Words = StructType::get(M.getContext(), Types);
  SmallVector<Function *, 3> Iterations;
  SmallVector<const Part *, 4> All;
  for (const Part &Each : Parts)
    All.push_back(&Each);
  const ArrayRef<const Part *> Levels = All;
  if (!Shared.empty())
    Iterations.push_back(buildIterations(Levels.take_front(), Levels.drop_front()));
  else
    for (size_t Level = 0; Level < Levels.size(); ++Level)
      Iterations.push_back(buildIterations(Levels.take_front(Level), Levels.slice(Level, 1)));
  start(*buildWorker(Iterations, *Words), *Words, Apart);
  return true;
}

} // namespace

bool shareLoop(Loop &L, FunctionAnalysisManager &FAM, Value &Apart, ArrayRef<WorkArray> Arrays,
               const BalancedNest *Nest) {
  return LoopSharer(L, FAM, Arrays, {}, Nest).share(Apart);
}

bool pipelineLoop(Loop &L, FunctionAnalysisManager &FAM, ArrayRef<Loop *> Shared) {
  return LoopSharer(L, FAM, {}, Shared).share(*ConstantInt::getTrue(L.getHeader()->getContext()));
}

} // namespace specrt
