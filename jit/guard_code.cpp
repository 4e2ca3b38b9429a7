//===- jit/guard_code.cpp - guards as machine code ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/guard_code.h"
#include "specializer/region_module.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/MDBuilder.h"
#include <cstddef>

using namespace llvm;

namespace specrt {
namespace {

/// A value and when it is meaningful; Valid is null when it always is.
struct Checked {
  Value *V = nullptr;
  Value *Valid = nullptr;
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
  Checked polynomial(const specrt_polynomial &P);
  Value *baseAddress(const specrt_base &Base);
  Error check(const specrt_polynomial &P) const;
  Error check(const specrt_base &Base) const;
  Error addDisjoint(const specrt_range &X, const specrt_range &Y);
  Error addAligned(const specrt_guard &Guard);
  Error addLoadEqual(const specrt_guard &Guard);
  void addFpEnvironment(const specrt_guard &Guard);
  void requireBits(Value *State, uint64_t Default, uint64_t Bits);

  /// Continues in a new block when Condition holds, in Miss otherwise.
  void require(Value *Condition);
  void require(const Checked &C) {
    if (C.Valid)
      require(C.Valid);
  }
  Value *both(Value *X, Value *Y) { return !X ? Y : !Y ? X : B.CreateAnd(X, Y); }

  BasicBlock *newBlock(const char *Name) { return BasicBlock::Create(F.getContext(), Name, &F); }
  Value *statePointer(size_t Offset) {
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Surroundings.State, Offset);
  }
  LoadInst *loadState(size_t Offset, Type *T, AtomicOrdering Order);
  Value *shard();
  void countAndSample(size_t CounterOffset, BasicBlock *Continue);
  CallInst *forward(Value *Target, bool TailCall);
  void finishExact(BasicBlock *Hit);

  const specrt_region &Region;
  const EntrySurroundings &Surroundings;
  Function &F;
  IRBuilder<> B;
  BasicBlock *Miss, *Next;
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
  // An i1 is 0 or 1, and what is no integer counts as its packed bits.
  if (!A->getType()->isIntegerTy() || A->getType()->isIntegerTy(1))
    return packed(Argument);
  return B.CreateSExt(A, B.getInt64Ty());
}

Error EntryBuilder::check(const specrt_polynomial &P) const {
  if (P.num_terms > SPECRT_MAX_TERMS)
    return createStringError("a guard refers to an unknown bound");
  for (unsigned T = 0; T < P.num_terms; ++T) {
    if (P.terms[T].num_factors > SPECRT_MAX_FACTORS)
      return createStringError("a guard has a term with too many factors");
    for (unsigned I = 0; I < P.terms[T].num_factors; ++I) {
      unsigned Argument = P.terms[T].factors[I] & ~SPECRT_FACTOR_UNSIGNED;
      if (Argument >= Region.num_args)
        return createStringError("a guard refers to an argument that does not exist");
      if (!F.getArg(Argument)->getType()->isIntegerTy())
        return createStringError("a guard computes with an argument that is not an integer");
    }
  }
  return Error::success();
}

Error EntryBuilder::check(const specrt_base &Base) const {
  unsigned Limit = Base.kind == SPECRT_BASE_SYMBOL ? Region.num_symbols : Region.num_args;
  if (Base.kind > SPECRT_BASE_LOADED || Base.index >= Limit)
    return createStringError("a guard refers to a base that does not exist");
  return Error::success();
}

Checked EntryBuilder::polynomial(const specrt_polynomial &P) {
  Checked Sum{B.getInt64(0), nullptr};
  auto Apply = [&](Intrinsic::ID ID, Value *X, Value *Y) -> Value * {
    Value *Pair = B.CreateBinaryIntrinsic(ID, X, Y);
    Sum.Valid = both(Sum.Valid, B.CreateNot(B.CreateExtractValue(Pair, 1)));
    return B.CreateExtractValue(Pair, 0);
  };
  for (unsigned T = 0; T < P.num_terms; ++T) {
    const specrt_term &Term = P.terms[T];
    Value *Product = B.getInt64(Term.coefficient);
    for (unsigned I = 0; I < Term.num_factors; ++I) {
      unsigned Argument = Term.factors[I] & ~SPECRT_FACTOR_UNSIGNED;
      Value *Factor;
      if (Term.factors[I] & SPECRT_FACTOR_UNSIGNED) {
        Factor = packed(Argument);
        // Above INT64_MAX it is outside of what a polynomial can hold.
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
  Value *Address = packed(Base.index);
  if (Base.kind == SPECRT_BASE_ARGUMENT)
    return Address;
  Value *Cell = B.CreateIntToPtr(B.CreateAdd(Address, B.getInt64(Base.offset)), B.getPtrTy());
  return B.CreateAlignedLoad(B.getInt64Ty(), Cell, Align(1));
}

void EntryBuilder::require(Value *Condition) {
  if (auto *C = dyn_cast<ConstantInt>(Condition); C && C->isOne())
    return;
  BasicBlock *Holds = newBlock("holds");
  B.CreateCondBr(Condition, Holds, Miss, MDBuilder(F.getContext()).createBranchWeights(1000, 1));
  B.SetInsertPoint(Holds);
}

Error EntryBuilder::addDisjoint(const specrt_range &X, const specrt_range &Y) {
  for (const specrt_range *R : {&X, &Y}) {
    if (Error E = check(R->begin))
      return E;
    if (Error E = check(R->end))
      return E;
    if (Error E = check(R->base))
      return E;
  }
  Checked XBegin = polynomial(X.begin), XEnd = polynomial(X.end);
  Checked YBegin = polynomial(Y.begin), YEnd = polynomial(Y.end);
  Value *Valid = both(both(XBegin.Valid, XEnd.Valid), both(YBegin.Valid, YEnd.Valid));
  if (Valid)
    require(Valid);
  Value *Empty = B.CreateOr(B.CreateICmpSLE(XEnd.V, XBegin.V), B.CreateICmpSLE(YEnd.V, YBegin.V));
  auto *IsEmpty = dyn_cast<ConstantInt>(Empty);
  if (IsEmpty && IsEmpty->isOne())
    return Error::success();
  // The base of an empty range may point anywhere: it must not be read.
  BasicBlock *Done = nullptr;
  if (!IsEmpty) {
    BasicBlock *Compare = newBlock("compare");
    Done = newBlock("disjoint");
    B.CreateCondBr(Empty, Done, Compare);
    B.SetInsertPoint(Compare);
  }
  Value *XBase = baseAddress(X.base), *YBase = baseAddress(Y.base);
  Value *XLow = B.CreateAdd(XBase, XBegin.V), *XHigh = B.CreateAdd(XBase, XEnd.V);
  Value *YLow = B.CreateAdd(YBase, YBegin.V), *YHigh = B.CreateAdd(YBase, YEnd.V);
  Value *Ordered = B.CreateAnd(B.CreateICmpUGE(XHigh, XLow), B.CreateICmpUGE(YHigh, YLow));
  Value *Apart = B.CreateOr(B.CreateICmpUGE(XLow, YHigh), B.CreateICmpUGE(YLow, XHigh));
  require(B.CreateAnd(Ordered, Apart));
  if (Done) {
    B.CreateBr(Done);
    B.SetInsertPoint(Done);
  }
  return Error::success();
}

Error EntryBuilder::addAligned(const specrt_guard &Guard) {
  if (Error E = check(Guard.a.base))
    return E;
  if (Guard.value == 0)
    return createStringError("a guard demands alignment to 0 bytes");
  Value *Low = B.CreateAnd(baseAddress(Guard.a.base), B.getInt64(Guard.value - 1));
  require(B.CreateICmpEQ(Low, B.getInt64(0)));
  return Error::success();
}

Error EntryBuilder::addLoadEqual(const specrt_guard &Guard) {
  if (Error E = check(Guard.a.base))
    return E;
  if (Error E = check(Guard.a.begin))
    return E;
  unsigned Width = Guard.width;
  if (Width != 1 && Width != 2 && Width != 4 && Width != 8)
    return createStringError("a guard compares " + Twine(Width) + " bytes of memory");
  if (Width < 8 && (Guard.value >> (8 * Width)) != 0)
    return createStringError("a guard compares memory with a value that is too wide");
  Checked Offset = polynomial(Guard.a.begin);
  require(Offset);
  Value *Address = B.CreateAdd(baseAddress(Guard.a.base), Offset.V);
  IntegerType *T = B.getIntNTy(8 * Width);
  Value *Loaded = B.CreateAlignedLoad(T, B.CreateIntToPtr(Address, B.getPtrTy()), Align(1));
  require(B.CreateICmpEQ(Loaded, ConstantInt::get(T, Guard.value)));
  return Error::success();
}

void EntryBuilder::requireBits(Value *State, uint64_t Default, uint64_t Bits) {
  Type *T = State->getType();
  Value *Known = B.CreateAnd(State, ConstantInt::get(T, Bits));
  require(B.CreateICmpEQ(Known, ConstantInt::get(T, Default & Bits)));
}

/// Both control registers can only be stored to memory: to the stack.
void EntryBuilder::addFpEnvironment(const specrt_guard &Guard) {
  auto StackSlot = [&](IntegerType *T) {
    BasicBlock &Entry = F.getEntryBlock();
    return IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(T);
  };
  AllocaInst *Mxcsr = StackSlot(B.getInt32Ty());
  B.CreateIntrinsic(Intrinsic::x86_sse_stmxcsr, ArrayRef<Value *>{Mxcsr});
  requireBits(B.CreateLoad(B.getInt32Ty(), Mxcsr), SPECRT_MXCSR_DEFAULT,
              Guard.value & SPECRT_MXCSR_CONTROL);
  if (Guard.low == 0)
    return;
  AllocaInst *X87 = StackSlot(B.getInt16Ty());
  auto *Store = InlineAsm::get(FunctionType::get(B.getVoidTy(), {B.getPtrTy()}, false), "fnstcw $0",
                               "=*m", /*hasSideEffects=*/true);
  CallInst *Call = B.CreateCall(Store, {X87});
  Call->addParamAttr(0, Attribute::get(B.getContext(), Attribute::ElementType, B.getInt16Ty()));
  requireBits(B.CreateLoad(B.getInt16Ty(), X87), SPECRT_X87_DEFAULT,
              static_cast<uint64_t>(Guard.low) & SPECRT_X87_CONTROL);
}

Error EntryBuilder::addGuard(const specrt_guard &Guard) {
  switch (Guard.kind) {
  case SPECRT_GUARD_EQUAL:
  case SPECRT_GUARD_IN_RANGE:
    if (Guard.arg >= Region.num_args)
      return createStringError("a guard refers to an argument that does not exist");
    if (Guard.kind == SPECRT_GUARD_EQUAL) {
      require(B.CreateICmpEQ(packed(Guard.arg), B.getInt64(Guard.value)));
    } else {
      Value *V = signedValue(Guard.arg);
      require(B.CreateAnd(B.CreateICmpSGE(V, B.getInt64(Guard.low)),
                          B.CreateICmpSLE(V, B.getInt64(Guard.high))));
    }
    return Error::success();
  case SPECRT_GUARD_ALIGNED:
    return addAligned(Guard);
  case SPECRT_GUARD_DISJOINT:
    return addDisjoint(Guard.a, Guard.b);
  case SPECRT_GUARD_LOAD_EQUAL:
    return addLoadEqual(Guard);
  case SPECRT_GUARD_FP_ENVIRONMENT:
    addFpEnvironment(Guard);
    return Error::success();
  default:
    return createStringError("a guard of unknown kind " + Twine(Guard.kind));
  }
}

LoadInst *EntryBuilder::loadState(size_t Offset, Type *T, AtomicOrdering Order) {
  LoadInst *Load = B.CreateAlignedLoad(T, statePointer(Offset), Align(8));
  Load->setAtomic(Order);
  return Load;
}

/// The address of this thread's shard. Threads have stacks of their own: some bits of a stack
/// address tell them apart without a thread-local variable.
Value *EntryBuilder::shard() {
  static_assert(SPECRT_VERSION_SHARDS == 16 && sizeof(specrt_version_shard) == 64);
  Value *Stack = B.CreateIntrinsic(Intrinsic::frameaddress, {B.getPtrTy()}, {B.getInt32(0)});
  Value *Address = B.CreatePtrToInt(Stack, B.getInt64Ty());
  // ((address >> 16) & 15) * 64, in two operations.
  Value *Offset = B.CreateAnd(B.CreateLShr(Address, 16 - 6), B.getInt64(15 * 64));
  return B.CreatePtrAdd(statePointer(offsetof(specrt_version_state, shards)), Offset);
}

void EntryBuilder::countAndSample(size_t CounterOffset, BasicBlock *Continue) {
  Value *Counter = B.CreatePtrAdd(shard(), B.getInt64(CounterOffset));
  LoadInst *Count = B.CreateAlignedLoad(B.getInt64Ty(), Counter, Align(8));
  Count->setAtomic(AtomicOrdering::Monotonic);
  // Not an atomic addition, on purpose: it would cost more than the guards, and a lost count
  // between two threads with the same shard does no harm.
  StoreInst *Store = B.CreateAlignedStore(B.CreateAdd(Count, B.getInt64(1)), Counter, Align(8));
  Store->setAtomic(AtomicOrdering::Monotonic);
  Value *Mask = loadState(offsetof(specrt_version_state, sample_mask), B.getInt64Ty(),
                          AtomicOrdering::Monotonic);
  BasicBlock *Sample = newBlock("sample");
  B.CreateCondBr(B.CreateICmpEQ(B.CreateAnd(Count, Mask), Mask), Sample, Continue,
                 MDBuilder(F.getContext()).createBranchWeights(1, 1000));
  B.SetInsertPoint(Sample);
  forward(loadState(offsetof(specrt_version_state, sampler), B.getPtrTy(), AtomicOrdering::Acquire),
          /*TailCall=*/true);
}

/// Calls Target with our own arguments and returns its result.
CallInst *EntryBuilder::forward(Value *Target, bool TailCall) {
  SmallVector<Value *, 16> Arguments;
  for (Argument &A : F.args())
    Arguments.push_back(&A);
  CallInst *Call = B.CreateCall(F.getFunctionType(), Target, Arguments);
  if (!TailCall)
    return Call;
  Call->setTailCallKind(CallInst::TCK_MustTail);
  F.getReturnType()->isVoidTy() ? B.CreateRetVoid() : B.CreateRet(Call);
  return Call;
}

/// Enters the body visibly: the count first, then the look at `body`. The runtime does the
/// opposite (body to null, then read the counts), both sequentially consistent, so that it cannot
/// miss a thread that has seen the old body.
void EntryBuilder::finishExact(BasicBlock *Hit) {
  B.SetInsertPoint(Hit);
  Value *Inside = B.CreatePtrAdd(shard(), B.getInt64(offsetof(specrt_version_shard, inside)));
  auto Count = [&](AtomicRMWInst::BinOp Op) {
    B.CreateAtomicRMW(Op, Inside, B.getInt64(1), Align(8), AtomicOrdering::SequentiallyConsistent);
  };
  Count(AtomicRMWInst::Add);
  Value *Body = loadState(offsetof(specrt_version_state, body), B.getPtrTy(),
                          AtomicOrdering::SequentiallyConsistent);
  BasicBlock *Run = newBlock("run"), *Withdrawn = newBlock("withdrawn");
  B.CreateCondBr(B.CreateIsNull(Body), Withdrawn, Run);
  B.SetInsertPoint(Withdrawn);
  Count(AtomicRMWInst::Sub);
  B.CreateBr(Next);
  B.SetInsertPoint(Run);
  CallInst *Call = forward(Body, /*TailCall=*/false);
  Count(AtomicRMWInst::Sub);
  F.getReturnType()->isVoidTy() ? B.CreateRetVoid() : B.CreateRet(Call);
}

void EntryBuilder::finish(bool ExactInside) {
  BasicBlock *Hit = newBlock("hit");
  countAndSample(offsetof(specrt_version_shard, hits), Hit);
  if (ExactInside) {
    finishExact(Hit);
  } else {
    B.SetInsertPoint(Hit);
    Value *Body =
        loadState(offsetof(specrt_version_state, body), B.getPtrTy(), AtomicOrdering::Acquire);
    BasicBlock *Run = newBlock("run");
    B.CreateCondBr(B.CreateIsNull(Body), Next, Run);
    B.SetInsertPoint(Run);
    forward(Body, /*TailCall=*/true);
  }
  Miss->insertInto(&F);
  Next->insertInto(&F);
  B.SetInsertPoint(Miss);
  countAndSample(offsetof(specrt_version_shard, misses), Next);
  B.SetInsertPoint(Next);
  forward(loadState(offsetof(specrt_version_state, next), B.getPtrTy(), AtomicOrdering::Acquire),
          /*TailCall=*/true);
}

} // namespace

Error emitEntry(Function &F, const specrt_region &Region, ArrayRef<specrt_guard> Guards,
                bool ExactInside, const EntrySurroundings &Surroundings) {
  EntryBuilder Builder(Region, Surroundings, F);
  Error Problem = Error::success();
  for (const specrt_guard &Guard : Guards)
    if (!Problem)
      Problem = Builder.addGuard(Guard);
  // Completed in any case: blocks outside of a function would be leaked.
  Builder.finish(ExactInside);
  return Problem;
}

Expected<std::unique_ptr<Module>> buildEntry(const specrt_region &Region,
                                             ArrayRef<specrt_guard> Guards, bool ExactInside,
                                             specrt_version_state *State, LLVMContext &Context) {
  Expected<FunctionType *> Signature = regionType(Region, Context);
  if (!Signature)
    return Signature.takeError();
  auto M = std::make_unique<Module>("specrt_entry", Context);
  Function *F = Function::Create(*Signature, GlobalValue::ExternalLinkage, EntryName, *M);
  auto Address = [&Context](const void *P) -> Constant * {
    return ConstantExpr::getIntToPtr(
        ConstantInt::get(Type::getInt64Ty(Context), reinterpret_cast<uint64_t>(P)),
        PointerType::get(Context, 0));
  };
  EntrySurroundings Here{Address(State), [&](IRBuilderBase &, unsigned Symbol) -> Value * {
                           return Address(Region.symbols[Symbol].address);
                         }};
  if (Error E = emitEntry(*F, Region, Guards, ExactInside, Here))
    return std::move(E);
  return M;
}

} // namespace specrt
