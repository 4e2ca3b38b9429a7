//===- jit/code/guard_code.cpp - guards as machine code -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/code/guard_code.h"
#include "guards/aligned.h"
#include "guards/disjoint.h"
#include "guards/equal.h"
#include "guards/fp_environment.h"
#include "guards/guards.h"
#include "guards/in_range.h"
#include "guards/memory/load_equal.h"
#include "specializer/module/region_module.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/MDBuilder.h"
#include <cstddef>

using namespace llvm;

namespace specrt {
namespace {

/// A value and the condition under which it is meaningful; Valid is null when it always is.
struct Checked {
  Value *V = nullptr;
  Value *Valid = nullptr;
};

/// Bytes behind a base, and the value that was loaded from them.
struct LoadedCell {
  specrt_base Holder;
  int64_t Offset;
  unsigned Width;
  Value *V;
};

class EntryBuilder {
public:
  EntryBuilder(const specrt_region &Region, const EntrySurroundings &Surroundings, Function &F)
      : Region(Region), Surroundings(Surroundings), F(F), B(F.getContext()),
        Miss(BasicBlock::Create(F.getContext(), "miss")),
        Next(BasicBlock::Create(F.getContext(), "next")) {
    B.SetInsertPoint(BasicBlock::Create(F.getContext(), "entry", &F));
  }

  Error addGuard(const specrt_guard &Guard);
  void finish(bool ExactInside);

private:
  Value *packed(unsigned Argument);
  Value *signedValue(unsigned Argument);
  Checked polynomial(PolynomialView P);
  Value *baseAddress(const specrt_base &Base);
  Value *load(const specrt_base &Holder, int64_t Offset, unsigned Width);
  void add(const EqualGuard &Guard);
  void add(const SameGuard &Guard);
  void add(const InRangeGuard &Guard);
  void add(const AlignedGuard &Guard);
  void add(const DisjointGuard &Guard);
  void add(const LoadEqualGuard &Guard);
  void add(const FpEnvironmentGuard &Guard);
  void addCall(const specrt_guard &Guard);
  template <typename Record, typename... Others> bool addInline(const specrt_guard &Guard);
  AllocaInst *stackSlot(Type *T);
  Value *packedArguments();
  void requireBits(Value *State, uint64_t Default, uint64_t Bits);

  /// Continues in a new block when Condition holds, and jumps to Miss otherwise.
  void require(Value *Condition);
  void require(const Checked &C) {
    if (C.Valid)
      require(C.Valid);
  }
  Value *both(Value *X, Value *Y) { return !X ? Y : !Y ? X : B.CreateAnd(X, Y); }

  /// Returns weights for branches to Miss, so that a miss falls through to the next entry.
  MDNode *unlikely() { return MDBuilder(F.getContext()).createUnlikelyBranchWeights(); }
  BasicBlock *newBlock(const char *Name) { return BasicBlock::Create(F.getContext(), Name, &F); }
  Value *statePointer(size_t Offset) {
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Surroundings.State, Offset);
  }
  LoadInst *loadState(size_t Offset, Type *T, AtomicOrdering Order);
  Value *shard();
  Value *count(size_t CounterOffset, int64_t Difference);
  void countAndSample(size_t CounterOffset, size_t MaskOffset, BasicBlock *Continue);
  CallInst *forward(Value *Target, bool TailCall);
  void finishExact(BasicBlock *Hit, BasicBlock *Withdrawn);

  const specrt_region &Region;
  const EntrySurroundings &Surroundings;
  Function &F;
  IRBuilder<> B;
  BasicBlock *Miss, *Next;
  Value *Arguments = nullptr;        ///< packed, on the stack
  SmallVector<LoadedCell, 8> Loaded; ///< those that dominate the insertion point
};

Value *EntryBuilder::packed(unsigned Argument) {
  Value *A = F.getArg(Argument);
  Type *T = A->getType();
  if (T->isPointerTy())
    return B.CreatePtrToInt(A, B.getInt64Ty());
  if (T->isFloatingPointTy())
    A = B.CreateBitCast(A, B.getIntNTy(T->getPrimitiveSizeInBits()));
  return B.CreateZExt(A, B.getInt64Ty());
}

Value *EntryBuilder::signedValue(unsigned Argument) {
  Value *A = F.getArg(Argument);
  // An i1 is 0 or 1, and a value that is not an integer is represented by its packed bits.
  if (!A->getType()->isIntegerTy() || A->getType()->isIntegerTy(1))
    return packed(Argument);
  return B.CreateSExt(A, B.getInt64Ty());
}

Checked EntryBuilder::polynomial(PolynomialView P) {
  Checked Sum{B.getInt64(0), nullptr};
  auto Apply = [&](Intrinsic::ID ID, Value *X, Value *Y) -> Value * {
    Value *Pair = B.CreateBinaryIntrinsic(ID, X, Y);
    Sum.Valid = both(Sum.Valid, B.CreateNot(B.CreateExtractValue(Pair, 1)));
    return B.CreateExtractValue(Pair, 0);
  };
  for (unsigned T = 0; T < P.NumTerms; ++T) {
    const specrt_term &Term = P.Terms[T];
    Value *Product = B.getInt64(Term.coefficient);
    for (unsigned I = 0; I < Term.num_factors; ++I) {
      unsigned Argument = Term.factors[I] & ~SPECRT_FACTOR_UNSIGNED;
      Value *Factor;
      if (Term.factors[I] & SPECRT_FACTOR_UNSIGNED) {
        Factor = packed(Argument);
        // A factor above INT64_MAX is outside of the range of polynomials.
        Sum.Valid = both(Sum.Valid, B.CreateICmpSGE(Factor, B.getInt64(0)));
      } else {
        Factor = signedValue(Argument);
      }
      // 1 * x cannot overflow.
      auto *One = dyn_cast<ConstantInt>(Product);
      Product =
          One && One->isOne() ? Factor : Apply(Intrinsic::smul_with_overflow, Product, Factor);
    }
    auto *Zero = dyn_cast<ConstantInt>(Sum.V);
    Sum.V = Zero && Zero->isZero() ? Product : Apply(Intrinsic::sadd_with_overflow, Sum.V, Product);
  }
  return Sum;
}

Value *EntryBuilder::baseAddress(const specrt_base &Base) {
  if (Base.kind == SPECRT_BASE_SYMBOL)
    return B.CreatePtrToInt(Surroundings.SymbolAddress(B, Base.index), B.getInt64Ty());
  if (Base.kind == SPECRT_BASE_ARGUMENT)
    return packed(Base.index);
  return load(holderOf(Base), cellOf(Base), sizeof(uint64_t));
}

/// Returns the bytes behind a base. Several guards may read the same bytes; they are loaded once.
Value *EntryBuilder::load(const specrt_base &Holder, int64_t Offset, unsigned Width) {
  for (const LoadedCell &Cell : Loaded)
    if (isSameBase(Cell.Holder, Holder) && Cell.Offset == Offset && Cell.Width == Width)
      return Cell.V;
  Value *Address = B.CreateAdd(baseAddress(Holder), B.getInt64(Offset));
  Value *V = B.CreateAlignedLoad(B.getIntNTy(8 * Width), B.CreateIntToPtr(Address, B.getPtrTy()),
                                 Align(1));
  Loaded.push_back({Holder, Offset, Width, V});
  return V;
}

void EntryBuilder::require(Value *Condition) {
  if (auto *C = dyn_cast<ConstantInt>(Condition); C && C->isOne())
    return;
  BasicBlock *Holds = newBlock("holds");
  B.CreateCondBr(Condition, Holds, Miss, MDBuilder(F.getContext()).createBranchWeights(1000, 1));
  B.SetInsertPoint(Holds);
}

void EntryBuilder::add(const EqualGuard &Guard) {
  require(B.CreateICmpEQ(packed(Guard.Argument), B.getInt64(Guard.Value)));
}

void EntryBuilder::add(const SameGuard &Guard) {
  require(B.CreateICmpEQ(packed(Guard.First), packed(Guard.Second)));
}

void EntryBuilder::add(const InRangeGuard &Guard) {
  Value *V = signedValue(Guard.Argument);
  require(B.CreateAnd(B.CreateICmpSGE(V, B.getInt64(Guard.Low)),
                      B.CreateICmpSLE(V, B.getInt64(Guard.High))));
}

void EntryBuilder::add(const DisjointGuard &Guard) {
  const RangeView X = Guard.range(0), Y = Guard.range(1);
  Checked XBegin = polynomial(X.Begin), XEnd = polynomial(X.End);
  Checked YBegin = polynomial(Y.Begin), YEnd = polynomial(Y.End);
  Value *Valid = both(both(XBegin.Valid, XEnd.Valid), both(YBegin.Valid, YEnd.Valid));
  if (Valid)
    require(Valid);
  Value *Empty = B.CreateOr(B.CreateICmpSLE(XEnd.V, XBegin.V), B.CreateICmpSLE(YEnd.V, YBegin.V));
  auto *IsEmpty = dyn_cast<ConstantInt>(Empty);
  if (IsEmpty && IsEmpty->isOne())
    return;
  // The base of an empty range may point anywhere, so it must not be read.
  BasicBlock *Done = nullptr;
  const size_t NumLoaded = Loaded.size();
  if (!IsEmpty) {
    BasicBlock *Compare = newBlock("compare");
    Done = newBlock("disjoint");
    B.CreateCondBr(Empty, Done, Compare);
    B.SetInsertPoint(Compare);
  }
  Value *XBase = baseAddress(X.Base), *YBase = baseAddress(Y.Base);
  Value *XLow = B.CreateAdd(XBase, XBegin.V), *XHigh = B.CreateAdd(XBase, XEnd.V);
  Value *YLow = B.CreateAdd(YBase, YBegin.V), *YHigh = B.CreateAdd(YBase, YEnd.V);
  Value *Ordered = B.CreateAnd(B.CreateICmpUGE(XHigh, XLow), B.CreateICmpUGE(YHigh, YLow));
  Value *Apart = B.CreateOr(B.CreateICmpUGE(XLow, YHigh), B.CreateICmpUGE(YLow, XHigh));
  require(B.CreateAnd(Ordered, Apart));
  if (Done) {
    B.CreateBr(Done);
    B.SetInsertPoint(Done);
    Loaded.truncate(NumLoaded); // the loads of this block do not dominate Done
  }
}

void EntryBuilder::add(const AlignedGuard &Guard) {
  Value *Low = B.CreateAnd(baseAddress(Guard.Base), B.getInt64(Guard.Alignment - 1));
  require(B.CreateICmpEQ(Low, B.getInt64(0)));
}

void EntryBuilder::add(const LoadEqualGuard &Guard) {
  Checked Offset = polynomial(Guard.offset());
  require(Offset);
  IntegerType *T = B.getIntNTy(8 * Guard.Width);
  Value *Present;
  auto *Constant = dyn_cast<ConstantInt>(Offset.V);
  if (Constant && !isLoaded(Guard.Base)) {
    Present = load(Guard.Base, Constant->getSExtValue(), Guard.Width);
  } else {
    Value *Address = B.CreateAdd(baseAddress(Guard.Base), Offset.V);
    Present = B.CreateAlignedLoad(T, B.CreateIntToPtr(Address, B.getPtrTy()), Align(1));
  }
  require(B.CreateICmpEQ(Present, ConstantInt::get(T, Guard.Value)));
}

void EntryBuilder::requireBits(Value *State, uint64_t Default, uint64_t Bits) {
  Type *T = State->getType();
  Value *Known = B.CreateAnd(State, ConstantInt::get(T, Bits));
  require(B.CreateICmpEQ(Known, ConstantInt::get(T, Default & Bits)));
}

AllocaInst *EntryBuilder::stackSlot(Type *T) {
  BasicBlock &Entry = F.getEntryBlock();
  return IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(T);
}

/// Stores both control registers to the stack, because they can only be stored to memory.
void EntryBuilder::add(const FpEnvironmentGuard &Guard) {
  AllocaInst *Mxcsr = stackSlot(B.getInt32Ty());
  B.CreateIntrinsic(Intrinsic::x86_sse_stmxcsr, ArrayRef<Value *>{Mxcsr});
  requireBits(B.CreateLoad(B.getInt32Ty(), Mxcsr), MxcsrDefault, Guard.Mxcsr);
  if (Guard.X87 == 0)
    return;
  AllocaInst *X87 = stackSlot(B.getInt16Ty());
  auto *Store = InlineAsm::get(FunctionType::get(B.getVoidTy(), {B.getPtrTy()}, false), "fnstcw $0",
                               "=*m", /*hasSideEffects=*/true);
  CallInst *Call = B.CreateCall(Store, {X87});
  Call->addParamAttr(0, Attribute::get(B.getContext(), Attribute::ElementType, B.getInt16Ty()));
  requireBits(B.CreateLoad(B.getInt16Ty(), X87), X87Default, Guard.X87);
}

/// Returns the arguments as the thunk packs them. They are stored where the first guard uses them,
/// which dominates all later guards.
Value *EntryBuilder::packedArguments() {
  if (Arguments)
    return Arguments;
  Arguments = stackSlot(ArrayType::get(B.getInt64Ty(), std::max<size_t>(Region.num_args, 1)));
  for (unsigned I = 0; I < Region.num_args; ++I)
    B.CreateStore(packed(I), B.CreateConstInBoundsGEP1_64(B.getInt64Ty(), Arguments, I));
  return Arguments;
}

/// The record of the guard becomes a constant of the module.
void EntryBuilder::addCall(const specrt_guard &Guard) {
  Constant *Bytes = ConstantDataArray::get(
      F.getContext(), ArrayRef(reinterpret_cast<const uint8_t *>(&Guard), Guard.bytes));
  auto *Record = new GlobalVariable(*F.getParent(), Bytes->getType(), /*isConstant=*/true,
                                    GlobalValue::InternalLinkage, Bytes, "specrt.guard");
  Record->setAlignment(Align(alignof(uint64_t)));
  Value *Holds =
      loadState(offsetof(specrt_version_state, holds), B.getPtrTy(), AtomicOrdering::Monotonic);
  Value *Described =
      loadState(offsetof(specrt_version_state, region), B.getPtrTy(), AtomicOrdering::Monotonic);
  Type *Pointer = B.getPtrTy();
  auto *T = FunctionType::get(B.getInt32Ty(), {Pointer, Pointer, Pointer}, /*isVarArg=*/false);
  CallInst *Call = B.CreateCall(T, Holds, {Record, Described, packedArguments()});
  Call->setDoesNotThrow();
  require(B.CreateIsNotNull(Call));
}

/// Adds code for a guard of one of the given kinds. Returns false for all other kinds.
template <typename Record, typename... Others>
bool EntryBuilder::addInline(const specrt_guard &Guard) {
  if (const auto *Known = as<Record>(Guard)) {
    add(*Known);
    return true;
  }
  if constexpr (sizeof...(Others) > 0)
    return addInline<Others...>(Guard);
  return false;
}

Error EntryBuilder::addGuard(const specrt_guard &Guard) {
  if (const char *Problem = problemOf(Guard, Region))
    return createStringError(Twine("a guard ") + Problem);
  if (Surroundings.ChecksByCalls || isCalled(Guard))
    addCall(Guard);
  else if (!addInline<EqualGuard, SameGuard, InRangeGuard, AlignedGuard, DisjointGuard,
                      LoadEqualGuard, FpEnvironmentGuard>(Guard))
    return createStringError("a guard is not called and has no code");
  return Error::success();
}

LoadInst *EntryBuilder::loadState(size_t Offset, Type *T, AtomicOrdering Order) {
  LoadInst *Load = B.CreateAlignedLoad(T, statePointer(Offset), Align(8));
  Load->setAtomic(Order);
  return Load;
}

/// Returns the address of this thread's shard. Threads have different stacks, so some bits of a
/// stack address distinguish them without a thread-local variable.
Value *EntryBuilder::shard() {
  static_assert(SPECRT_VERSION_SHARDS == 16 && sizeof(specrt_version_shard) == 64);
  Value *Stack = B.CreateIntrinsic(Intrinsic::frameaddress, {B.getPtrTy()}, {B.getInt32(0)});
  Value *Address = B.CreatePtrToInt(Stack, B.getInt64Ty());
  // ((address >> 16) & 15) * 64, in two operations.
  Value *Offset = B.CreateAnd(B.CreateLShr(Address, 16 - 6), B.getInt64(15 * 64));
  return B.CreatePtrAdd(statePointer(offsetof(specrt_version_state, shards)), Offset);
}

/// Adds \p Difference to one of this thread's counters; returns its old value.
Value *EntryBuilder::count(size_t CounterOffset, int64_t Difference) {
  Value *Counter = B.CreatePtrAdd(shard(), B.getInt64(CounterOffset));
  LoadInst *Count = B.CreateAlignedLoad(B.getInt64Ty(), Counter, Align(8));
  Count->setAtomic(AtomicOrdering::Monotonic);
  // The addition is not atomic on purpose: that would cost more than the guards, and a lost count
  // between two threads with the same shard does no harm.
  Value *Sum = B.CreateAdd(Count, B.getInt64(Difference));
  B.CreateAlignedStore(Sum, Counter, Align(8))->setAtomic(AtomicOrdering::Monotonic);
  return Count;
}

void EntryBuilder::countAndSample(size_t CounterOffset, size_t MaskOffset, BasicBlock *Continue) {
  Value *Count = count(CounterOffset, 1);
  Value *Mask = loadState(MaskOffset, B.getInt64Ty(), AtomicOrdering::Monotonic);
  BasicBlock *Sample = newBlock("sample");
  B.CreateCondBr(B.CreateICmpEQ(B.CreateAnd(Count, Mask), Mask), Sample, Continue,
                 MDBuilder(F.getContext()).createBranchWeights(1, 1000));
  B.SetInsertPoint(Sample);
  // This addition must be atomic, because each is undone by one thunk; it is rare enough to cost
  // more.
  B.CreateAtomicRMW(AtomicRMWInst::Add, statePointer(offsetof(specrt_version_state, sampled)),
                    B.getInt64(1), Align(8), AtomicOrdering::Monotonic);
  forward(loadState(offsetof(specrt_version_state, sampler), B.getPtrTy(), AtomicOrdering::Acquire),
          /*TailCall=*/true);
}

/// Calls Target with the entry's own arguments and returns its result.
CallInst *EntryBuilder::forward(Value *Target, bool TailCall) {
  SmallVector<Value *, 16> Arguments;
  for (Argument &A : F.args())
    Arguments.push_back(&A);
  CallInst *Call = B.CreateCall(F.getFunctionType(), Target, Arguments);
  Call->addParamAttr(Region.num_args, Attribute::Nest);
  if (!TailCall)
    return Call;
  Call->setTailCallKind(CallInst::TCK_MustTail);
  F.getReturnType()->isVoidTy() ? B.CreateRetVoid() : B.CreateRet(Call);
  return Call;
}

/// Enters the body visibly: it increments the count first and reads `body` then. The runtime does
/// the opposite (it sets body to null, then reads the counts). Both are sequentially consistent, so
/// the runtime cannot miss a thread that has seen the old body.
void EntryBuilder::finishExact(BasicBlock *Hit, BasicBlock *Withdrawn) {
  B.SetInsertPoint(Hit);
  Value *Inside = B.CreatePtrAdd(shard(), B.getInt64(offsetof(specrt_version_shard, inside)));
  auto Count = [&](AtomicRMWInst::BinOp Op) {
    B.CreateAtomicRMW(Op, Inside, B.getInt64(1), Align(8), AtomicOrdering::SequentiallyConsistent);
  };
  Count(AtomicRMWInst::Add);
  Value *Body = loadState(offsetof(specrt_version_state, body), B.getPtrTy(),
                          AtomicOrdering::SequentiallyConsistent);
  BasicBlock *Run = newBlock("run"), *Out = newBlock("out");
  B.CreateCondBr(B.CreateIsNull(Body), Out, Run, unlikely());
  B.SetInsertPoint(Out);
  Count(AtomicRMWInst::Sub);
  B.CreateBr(Withdrawn);
  B.SetInsertPoint(Run);
  CallInst *Call = forward(Body, /*TailCall=*/false);
  Count(AtomicRMWInst::Sub);
  F.getReturnType()->isVoidTy() ? B.CreateRetVoid() : B.CreateRet(Call);
}

void EntryBuilder::finish(bool ExactInside) {
  BasicBlock *Hit = newBlock("hit"), *Withdrawn = newBlock("withdrawn");
  countAndSample(offsetof(specrt_version_shard, hits), offsetof(specrt_version_state, sample_mask),
                 Hit);
  if (ExactInside) {
    finishExact(Hit, Withdrawn);
  } else {
    B.SetInsertPoint(Hit);
    Value *Body =
        loadState(offsetof(specrt_version_state, body), B.getPtrTy(), AtomicOrdering::Acquire);
    BasicBlock *Run = newBlock("run");
    B.CreateCondBr(B.CreateIsNull(Body), Withdrawn, Run, unlikely());
    B.SetInsertPoint(Run);
    forward(Body, /*TailCall=*/true);
  }
  // A call that found no body counts as a miss, not as a hit.
  B.SetInsertPoint(Withdrawn);
  count(offsetof(specrt_version_shard, hits), -1);
  count(offsetof(specrt_version_shard, misses), 1);
  B.CreateBr(Next);
  Miss->insertInto(&F);
  Next->insertInto(&F);
  B.SetInsertPoint(Miss);
  countAndSample(offsetof(specrt_version_shard, misses), offsetof(specrt_version_state, miss_mask),
                 Next);
  B.SetInsertPoint(Next);
  forward(loadState(offsetof(specrt_version_state, next), B.getPtrTy(), AtomicOrdering::Acquire),
          /*TailCall=*/true);
}

} // namespace

Expected<Function *> declareEntry(const specrt_region &Region, StringRef Name, Module &M) {
  Expected<FunctionType *> OfRegion = regionType(Region, M.getContext());
  if (!OfRegion)
    return OfRegion.takeError();
  SmallVector<Type *, 16> Types((*OfRegion)->params());
  Types.push_back(PointerType::get(M.getContext(), 0));
  auto *T = FunctionType::get((*OfRegion)->getReturnType(), Types, /*isVarArg=*/false);
  Function *F = Function::Create(T, GlobalValue::ExternalLinkage, Name, M);
  F->addParamAttr(Region.num_args, Attribute::Nest);
  return F;
}

Error emitEntry(Function &F, const specrt_region &Region, GuardView Guards, bool ExactInside,
                const EntrySurroundings &Surroundings) {
  EntryBuilder Builder(Region, Surroundings, F);
  Error Problem = Error::success();
  for (const specrt_guard &Guard : Guards)
    if (!Problem)
      Problem = Builder.addGuard(Guard);
  // The function is completed even after an error, because blocks outside of a function would leak.
  Builder.finish(ExactInside);
  return Problem;
}

} // namespace specrt
