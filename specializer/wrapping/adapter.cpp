//===- specializer/wrapping/adapter.cpp - a C function with a region's arguments ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/wrapping/adapter.h"
#include "analysis/kinds.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace specrt {
namespace {

constexpr unsigned WordBytes = 8;
/// Number of integer arguments that are passed in registers (System V ABI, 3.2.3).
constexpr unsigned IntegerRegisters = 6;

/// Returns the name of \p T as in signatures, if it has one.
std::string nameOf(const Type *T) {
  static constexpr const char *Names[] = {"void", "bool", "i8",  "i16", "i32",
                                          "i64",  "f32",  "f64", "ptr"};
  if (std::optional<uint8_t> Kind = kindOf(T))
    return Names[*Kind];
  std::string Text;
  raw_string_ostream(Text) << *T;
  return Text;
}

bool isNarrow(const specrt_c_type &T) {
  return T.kind >= SPECRT_KIND_I1 && T.kind <= SPECRT_KIND_I16;
}

class AdapterBuilder {
public:
  AdapterBuilder(Function &Original, const CSignature &Signature)
      : Original(Original), Signature(Signature), Layout(Original.getDataLayout()),
        Context(Original.getContext()), B(Context) {}

  Adapter build();

private:
  bool isSupported();
  bool checkArguments();
  bool checkScalar(const specrt_c_type &T, const Type *Found, bool Signed, bool Unsigned,
                   const Twine &What);
  bool checkStruct(const specrt_c_type &T, unsigned Number);
  bool checkResult();
  bool isWord(const specrt_c_type &T, unsigned Word, const Type *Found) const;
  bool integersAreOnStack() const;
  bool fail(specrt_describe_status Status, const Twine &Why) {
    Result.Status = Status;
    Result.Error = Why.str();
    return false;
  }
  bool mismatch(const Twine &Why) { return fail(SPECRT_DESCRIBE_MISMATCH, Why); }
  bool mismatch(const Twine &What, const specrt_c_type &Wanted, const Type *Found) {
    return mismatch(What + " is " + Wanted.text + " in the signature, but " + nameOf(Found) +
                    " in the bitcode");
  }

  Function *declare();
  void copyAttributes(Function &F);
  void passStruct(const specrt_c_type &T, Value *Address, SmallVectorImpl<Value *> &Values);
  void emitResult(CallInst *Call, Value *Place);
  CallInst *emitBody(Function &F);

  Function &Original;
  const CSignature &Signature;
  const DataLayout &Layout;
  LLVMContext &Context;
  IRBuilder<> B;
  Adapter Result;
  /// The next parameter of Original.
  unsigned Next = 0;
};

bool AdapterBuilder::isSupported() {
  if (Original.isVarArg())
    return fail(SPECRT_DESCRIBE_UNSUPPORTED, "the function takes a variable number of arguments");
  if (Original.getCallingConv() != CallingConv::C)
    return fail(SPECRT_DESCRIBE_UNSUPPORTED, "the function has another calling convention than C");
  for (Attribute::AttrKind Kind :
       {Attribute::InAlloca, Attribute::Preallocated, Attribute::Nest, Attribute::InReg,
        Attribute::SwiftSelf, Attribute::SwiftError, Attribute::SwiftAsync, Attribute::ByRef})
    if (Original.getAttributes().hasAttrSomewhere(Kind))
      return fail(SPECRT_DESCRIBE_UNSUPPORTED, "an argument is passed in a way that C has not: " +
                                                   Attribute::getNameFromAttrKind(Kind));
  return true;
}

/// \p Signed, \p Unsigned: whether the bitcode sign- or zero-extends the value.
bool AdapterBuilder::checkScalar(const specrt_c_type &T, const Type *Found, bool Signed,
                                 bool Unsigned, const Twine &What) {
  if (kindOf(Found) != T.kind)
    return mismatch(What, T, Found);
  if (isNarrow(T) && (T.is_signed ? Unsigned : Signed))
    return mismatch(What + " is " + T.text + " in the signature, but " +
                    (Signed ? "signed" : "unsigned") + " in the bitcode");
  return true;
}

/// Returns whether clang passes the eightbyte \p Word of the struct as \p Found.
bool AdapterBuilder::isWord(const specrt_c_type &T, unsigned Word, const Type *Found) const {
  bool IsSse = Found->isFPOrFPVectorTy(), IsInteger = Found->isIntegerTy() || Found->isPointerTy();
  if (!(T.word_class[Word] == SPECRT_C_SSE ? IsSse : IsInteger))
    return false;
  uint64_t Bytes = Layout.getTypeStoreSize(const_cast<Type *>(Found)).getKnownMinValue();
  return Bytes >= T.word_bytes[Word] && Bytes <= std::min(WordBytes, T.size - Word * WordBytes);
}

/// Returns whether the parameters before Next use up the registers for integers.
bool AdapterBuilder::integersAreOnStack() const {
  return count_if(make_range(Original.arg_begin(), Original.arg_begin() + Next),
                  [](const Argument &A) {
                    return A.getType()->isIntOrPtrTy() && !A.hasByValAttr();
                  }) >= IntegerRegisters;
}

bool AdapterBuilder::checkStruct(const specrt_c_type &T, unsigned Number) {
  std::string What = "argument " + std::to_string(Number);
  const Argument &First = *Original.getArg(Next);
  if (First.hasByValAttr()) {
    uint64_t Bytes = Layout.getTypeAllocSize(First.getParamByValType());
    if (Bytes != T.size)
      return mismatch(What + " is " + T.text + " in the signature, which has " + Twine(T.size) +
                      " bytes, but a struct of " + Twine(Bytes) + " bytes in the bitcode");
    ++Next;
    return true;
  }
  if (T.in_memory)
    return mismatch(What, T, First.getType());
  // Clang passes a small struct on the stack as an integer, whatever its class.
  if (T.num_words == 1 && First.getType()->isIntegerTy(T.size * 8) && integersAreOnStack()) {
    ++Next;
    return true;
  }
  for (unsigned Word = 0; Word < T.num_words; ++Word, ++Next)
    if (Next >= Original.arg_size() || !isWord(T, Word, Original.getArg(Next)->getType()))
      return mismatch(What, T, First.getType());
  return true;
}

bool AdapterBuilder::checkArguments() {
  for (auto [Index, T] : enumerate(Signature.Arguments)) {
    unsigned Number = Index + 1;
    if (Next >= Original.arg_size())
      return mismatch("the signature has " + Twine(Signature.Arguments.size()) +
                      " arguments, but argument " + Twine(Number) + " is missing in the bitcode");
    const Argument &A = *Original.getArg(Next);
    if (T.kind == SPECRT_C_STRUCT) {
      if (!checkStruct(T, Number))
        return false;
      continue;
    }
    if (A.hasByValAttr())
      return mismatch("argument " + Twine(Number) + " is " + T.text +
                      " in the signature, but a struct in the bitcode");
    if (!checkScalar(T, A.getType(), A.hasSExtAttr(), A.hasZExtAttr(), "argument " + Twine(Number)))
      return false;
    ++Next;
  }
  if (Next != Original.arg_size())
    return mismatch("the function has more arguments in the bitcode than the " +
                    Twine(Signature.Arguments.size()) + " of the signature");
  return true;
}

bool AdapterBuilder::checkResult() {
  const specrt_c_type &T = Signature.Result;
  Type *Found = Original.getReturnType();
  bool InMemory = Original.arg_size() > 0 && Original.getArg(0)->hasStructRetAttr();
  if (InMemory) {
    uint64_t Bytes = Layout.getTypeAllocSize(Original.getArg(0)->getParamStructRetType());
    if (!T.in_memory || Bytes != T.size)
      return mismatch(Twine("the result is ") + T.text + " in the signature, but a struct of " +
                      Twine(Bytes) + " bytes in memory in the bitcode");
    Next = 1;
    return true;
  }
  if (T.in_memory)
    return mismatch("the result", T, Found);
  if (T.kind != SPECRT_C_STRUCT)
    return checkScalar(T, Found, Original.hasRetAttribute(Attribute::SExt),
                       Original.hasRetAttribute(Attribute::ZExt), "the result");
  auto *Pair = dyn_cast<StructType>(Found);
  bool Fits = T.num_words == 1
                  ? isWord(T, 0, Found)
                  : Pair && Pair->getNumElements() == 2 && isWord(T, 0, Pair->getElementType(0)) &&
                        isWord(T, 1, Pair->getElementType(1));
  return Fits || mismatch("the result", T, Found);
}

/// Copies the original's attributes, except those that count parameters, and those about memory:
/// the adapter may write the result itself.
void AdapterBuilder::copyAttributes(Function &F) {
  AttrBuilder Kept(Context, Original.getAttributes().getFnAttrs());
  for (Attribute::AttrKind Kind :
       {Attribute::Memory, Attribute::AllocSize, Attribute::AllocKind, Attribute::NoInline,
        Attribute::AlwaysInline, Attribute::InlineHint, Attribute::OptimizeNone})
    Kept.removeAttribute(Kind);
  F.addFnAttrs(Kept);
}

Function *AdapterBuilder::declare() {
  SmallVector<Type *, 16> Types;
  for (const specrt_c_type &T : Signature.Arguments)
    Types.push_back(T.kind == SPECRT_C_STRUCT ? PointerType::get(Context, 0)
                    : isNarrow(T)             ? Type::getInt32Ty(Context)
                                              : typeOf(T.kind, Context));
  const specrt_c_type &R = Signature.Result;
  if (R.kind == SPECRT_C_STRUCT)
    Types.push_back(PointerType::get(Context, 0));
  Type *Return = R.kind == SPECRT_C_STRUCT  ? Type::getVoidTy(Context)
                 : R.kind == SPECRT_KIND_I1 ? Type::getInt8Ty(Context)
                                            : typeOf(R.kind, Context);
  Function *F =
      Function::Create(FunctionType::get(Return, Types, false), GlobalValue::ExternalLinkage,
                       Original.getName() + ".specrt", Original.getParent());
  copyAttributes(*F);
  // The bytes of a struct belong to this call, so nothing else points to them.
  for (auto [Arg, T] : zip(F->args(), Signature.Arguments))
    if (T.kind == SPECRT_C_STRUCT)
      Arg.addAttr(Attribute::NoAlias);
  if (R.kind == SPECRT_C_STRUCT &&
      (!R.in_memory || Original.hasParamAttribute(0, Attribute::NoAlias)))
    F->getArg(F->arg_size() - 1)->addAttr(Attribute::NoAlias);
  return F;
}

/// Appends the values that clang passes for the struct at \p Address.
void AdapterBuilder::passStruct(const specrt_c_type &T, Value *Address,
                                SmallVectorImpl<Value *> &Values) {
  unsigned First = Values.size();
  if (Original.getArg(First)->hasByValAttr()) {
    Values.push_back(Address);
    return;
  }
  for (unsigned Word = 0; Word < T.num_words; ++Word) {
    Value *Place = B.CreatePtrAdd(Address, B.getInt64(uint64_t{Word} * WordBytes));
    Values.push_back(
        B.CreateAlignedLoad(Original.getArg(First + Word)->getType(), Place, Align(1)));
  }
}

void AdapterBuilder::emitResult(CallInst *Call, Value *Place) {
  const specrt_c_type &T = Signature.Result;
  if (T.kind == SPECRT_C_STRUCT && !T.in_memory) {
    for (unsigned Word = 0; Word < T.num_words; ++Word) {
      Value *Piece = T.num_words == 1 ? Call : B.CreateExtractValue(Call, Word);
      Value *To = B.CreatePtrAdd(Place, B.getInt64(uint64_t{Word} * WordBytes));
      B.CreateAlignedStore(Piece, To, Align(1));
    }
  }
  if (Call->getType()->isVoidTy() || T.kind == SPECRT_C_STRUCT)
    B.CreateRetVoid();
  else if (T.kind == SPECRT_KIND_I1)
    B.CreateRet(B.CreateZExt(Call, B.getInt8Ty()));
  else
    B.CreateRet(Call);
}

CallInst *AdapterBuilder::emitBody(Function &F) {
  B.SetInsertPoint(BasicBlock::Create(Context, "", &F));
  Value *Place = Signature.Result.kind == SPECRT_C_STRUCT ? F.getArg(F.arg_size() - 1) : nullptr;
  SmallVector<Value *, 16> Values;
  if (Signature.Result.in_memory)
    Values.push_back(Place);
  for (auto [Arg, T] : zip(F.args(), Signature.Arguments)) {
    const Argument &Param = *Original.getArg(Values.size());
    Arg.setName(T.kind == SPECRT_C_STRUCT ? StringRef() : Param.getName());
    if (T.kind == SPECRT_C_STRUCT) {
      passStruct(T, &Arg, Values);
      continue;
    }
    if (isNarrow(T)) {
      Values.push_back(B.CreateTrunc(&Arg, Param.getType()));
      continue;
    }
    // Clang's other attributes of the parameter remain valid: alignment, noalias, nonnull.
    AttrBuilder Kept(Context, Original.getAttributes().getParamAttrs(Param.getArgNo()));
    for (Attribute::AttrKind Kind : {Attribute::SExt, Attribute::ZExt, Attribute::Returned})
      Kept.removeAttribute(Kind);
    Arg.addAttrs(Kept);
    Values.push_back(&Arg);
  }
  CallInst *Call = B.CreateCall(&Original, Values);
  Call->setAttributes(Original.getAttributes().removeFnAttributes(Context));
  emitResult(Call, Place);
  return Call;
}

Adapter AdapterBuilder::build() {
  if (!isSupported() || !checkResult() || !checkArguments())
    return std::move(Result);
  Function *F = declare();
  CallInst *Call = emitBody(*F);
  InlineFunctionInfo Info;
  InlineResult Inlined = InlineFunction(*Call, Info, /*MergeAttributes=*/false);
  if (!Inlined.isSuccess()) {
    fail(SPECRT_DESCRIBE_UNSUPPORTED,
         Twine("the function cannot be compiled again: ") + Inlined.getFailureReason());
    F->eraseFromParent();
    return std::move(Result);
  }
  // The inlined code keeps its lines, and therefore their scope.
  F->setSubprogram(Original.getSubprogram());
  Original.setSubprogram(nullptr);
  Result.F = F;
  return std::move(Result);
}

} // namespace

Adapter buildAdapter(Function &Original, const CSignature &Signature) {
  return AdapterBuilder(Original, Signature).build();
}

} // namespace specrt
