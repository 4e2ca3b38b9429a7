//===- instrument/descriptor.cpp - what a program tells about a region ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All objects of a region are local. When the parent function lives in a comdat, as inline
// functions do, they join it, so that duplicates vanish together.
//
//===----------------------------------------------------------------------===//
#include "instrument/descriptor.h"
#include "analysis/description.h"
#include "analysis/kinds.h"
#include "instrument/selection.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {
namespace {

class DescriptorEmitter {
public:
  DescriptorEmitter(const OutlinedRegion &Region, const RegionOrigin &Origin,
                    const RegionBitcode &Bitcode, FunctionAnalysisManager &FAM)
      : Region(Region), Origin(Origin), Bitcode(Bitcode), FAM(FAM), Body(*Region.Body),
        M(*Body.getParent()), Context(M.getContext()), Pointer(PointerType::getUnqual(Context)),
        I8(Type::getInt8Ty(Context)), I16(Type::getInt16Ty(Context)),
        I32(Type::getInt32Ty(Context)), I64(Type::getInt64Ty(Context)) {}

  GlobalVariable *emit();

private:
  GlobalVariable *addGlobal(Constant *Initializer, const Twine &Suffix, bool IsConstant);
  Constant *string(StringRef Text, const Twine &Suffix);
  Constant *table(ArrayRef<Constant *> Elements, const Twine &Suffix);
  template <typename T> Constant *bytes(const T &Value);
  Constant *argumentKinds();
  Constant *argumentNames();
  Constant *symbolTable();
  Constant *accessTable(unsigned &Count);
  Constant *loopTable(unsigned &Count);
  Constant *descriptor(GlobalVariable *Slot);
  uint32_t flags() const;
  Function *emitThunk(GlobalVariable *Descriptor);
  Value *packed(IRBuilder<> &Builder, Value *V);
  void replaceCall(GlobalVariable *Slot);

  Constant *number(Type *T, uint64_t Value) { return ConstantInt::get(T, Value); }

  const OutlinedRegion &Region;
  const RegionOrigin &Origin;
  const RegionBitcode &Bitcode;
  FunctionAnalysisManager &FAM;
  Function &Body;
  Module &M;
  LLVMContext &Context;
  PointerType *Pointer;
  Type *I8, *I16, *I32, *I64;
  Function *Thunk = nullptr;
};

GlobalVariable *DescriptorEmitter::addGlobal(Constant *Initializer, const Twine &Suffix,
                                             bool IsConstant) {
  auto *Global =
      new GlobalVariable(M, Initializer->getType(), IsConstant, GlobalValue::InternalLinkage,
                         Initializer, Body.getName() + "." + Suffix);
  Global->setDSOLocal(true);
  if (Body.hasComdat())
    Global->setComdat(Body.getComdat());
  return Global;
}

Constant *DescriptorEmitter::string(StringRef Text, const Twine &Suffix) {
  GlobalVariable *Global = addGlobal(ConstantDataArray::getString(Context, Text), Suffix, true);
  Global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  Global->setAlignment(Align(1));
  return Global;
}

Constant *DescriptorEmitter::table(ArrayRef<Constant *> Elements, const Twine &Suffix) {
  if (Elements.empty())
    return ConstantPointerNull::get(Pointer);
  auto *Type = ArrayType::get(Elements.front()->getType(), Elements.size());
  return addGlobal(ConstantArray::get(Type, Elements), Suffix, true);
}

/// Plain data without pointers, laid out by the compiler that built the plugin: the ABI structures
/// have fixed-width members and 8-byte alignment on every target the plugin accepts.
template <typename T> Constant *DescriptorEmitter::bytes(const T &Value) {
  static_assert(sizeof(T) % 8 == 0);
  uint64_t Words[sizeof(T) / 8];
  memcpy(Words, &Value, sizeof(T));
  return ConstantDataArray::get(Context, ArrayRef(Words));
}

Constant *DescriptorEmitter::argumentKinds() {
  SmallVector<uint8_t> Kinds;
  for (const Argument &Arg : Body.args())
    Kinds.push_back(*kindOf(Arg.getType()));
  if (Kinds.empty())
    return ConstantPointerNull::get(Pointer);
  return addGlobal(ConstantDataArray::get(Context, Kinds), "kinds", true);
}

Constant *DescriptorEmitter::argumentNames() {
  SmallVector<Constant *> Names;
  for (const std::string &Name : Region.ArgNames)
    Names.push_back(string(Name, "arg"));
  return table(Names, "args");
}

Constant *DescriptorEmitter::symbolTable() {
  SmallVector<Constant *> Symbols;
  for (const auto &[Global, Name] : Bitcode.Symbols)
    Symbols.push_back(ConstantStruct::getAnon({string(Name, "symbol"), Global}));
  return table(Symbols, "symbols");
}

Constant *DescriptorEmitter::accessTable(unsigned &Count) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(Body);
  auto &LI = FAM.getResult<LoopAnalysis>(Body);
  auto Index = [&](const GlobalValue &Global) -> std::optional<unsigned> {
    auto It = Bitcode.Symbols.find(const_cast<GlobalValue *>(&Global));
    if (It == Bitcode.Symbols.end())
      return std::nullopt;
    return It - Bitcode.Symbols.begin();
  };
  SmallVector<Constant *> Accesses;
  for (const specrt_access &Access : describeAccesses(Body, SE, LI, Index))
    Accesses.push_back(bytes(Access));
  Count = Accesses.size();
  return table(Accesses, "accesses");
}

Constant *DescriptorEmitter::loopTable(unsigned &Count) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(Body);
  auto &LI = FAM.getResult<LoopAnalysis>(Body);
  SmallVector<Constant *> Loops;
  for (const specrt_loop &Loop : describeLoops(Body, SE, LI))
    Loops.push_back(bytes(Loop));
  Count = Loops.size();
  return table(Loops, "loops");
}

uint32_t DescriptorEmitter::flags() const {
  uint32_t Flags = Origin.Requested ? SPECRT_REGION_REQUESTED : 0;
  if (mayFuse(Body))
    Flags |= SPECRT_REGION_CONTRACT_FMA;
  return Flags;
}

Constant *DescriptorEmitter::descriptor(GlobalVariable *Slot) {
  std::string Function = qualifiedName(Origin.Parent->getName());
  std::string Name = Function;
  if (Origin.Line)
    Name += ":" + std::to_string(Origin.Line);
  if (!Origin.Line || Origin.SharesLine)
    Name += "#" + std::to_string(Origin.Number);
  GlobalVariable *Code = addGlobal(
      ConstantDataArray::getString(Context, StringRef(Bitcode.Bytes.data(), Bitcode.Bytes.size()),
                                   /*AddNull=*/false),
      "bitcode", true);
  Code->setAlignment(Align(16));
  unsigned NumAccesses, NumLoops;
  Constant *Accesses = accessTable(NumAccesses);
  Constant *Loops = loopTable(NumLoops);
  auto *Hash = ConstantDataArray::get(Context, ArrayRef(Bitcode.Hash));
  // The members of specrt_region in their order.
  return ConstantStruct::getAnon({number(I32, SPECRT_ABI_VERSION),
                                  number(I32, sizeof(specrt_region)),
                                  string(Name, "name"),
                                  string(Origin.Parent->getName(), "function"),
                                  string(Origin.File, "file"),
                                  number(I32, Origin.Line),
                                  number(I32, flags()),
                                  number(I32, Body.arg_size()),
                                  number(I32, *kindOf(Body.getReturnType())),
                                  argumentKinds(),
                                  argumentNames(),
                                  &Body,
                                  Thunk,
                                  Slot,
                                  Code,
                                  number(I64, Bitcode.Bytes.size()),
                                  Hash,
                                  string(Bitcode.EntrySymbol, "entry"),
                                  string(Origin.Pipeline, "pipeline"),
                                  symbolTable(),
                                  Accesses,
                                  Loops,
                                  number(I32, Bitcode.Symbols.size()),
                                  number(I32, NumAccesses),
                                  number(I32, NumLoops),
                                  number(I32, 0),
                                  ConstantPointerNull::get(Pointer)});
}

Value *DescriptorEmitter::packed(IRBuilder<> &Builder, Value *V) {
  Type *T = V->getType();
  if (T->isPointerTy())
    return Builder.CreatePtrToInt(V, I64);
  if (T->isFloatTy())
    V = Builder.CreateBitCast(V, I32);
  else if (T->isDoubleTy())
    return Builder.CreateBitCast(V, I64);
  return Builder.CreateZExt(V, I64);
}

/// packed = { args }; target = specrt_enter(region, packed, &call); r = target(args...);
/// specrt_leave(region, &call); return r
Function *DescriptorEmitter::emitThunk(GlobalVariable *Descriptor) {
  IRBuilder<> Builder(BasicBlock::Create(Context, "", Thunk));
  auto *PackedType = ArrayType::get(I64, std::max<size_t>(Body.arg_size(), 1));
  Value *Packed = Builder.CreateAlloca(PackedType);
  Value *Call = Builder.CreateAlloca(ArrayType::get(I64, sizeof(specrt_call) / 8));
  SmallVector<Value *> Args;
  for (Argument &Arg : Thunk->args()) {
    Value *Place = Builder.CreateConstInBoundsGEP2_32(PackedType, Packed, 0, Arg.getArgNo());
    Builder.CreateStore(packed(Builder, &Arg), Place);
    Args.push_back(&Arg);
  }
  FunctionCallee Enter = M.getOrInsertFunction(
      "specrt_enter", FunctionType::get(Pointer, {Pointer, Pointer, Pointer}, false));
  FunctionCallee Leave = M.getOrInsertFunction(
      "specrt_leave", FunctionType::get(Type::getVoidTy(Context), {Pointer, Pointer}, false));
  Value *Target = Builder.CreateCall(Enter, {Descriptor, Packed, Call});
  CallInst *Run = Builder.CreateCall(Body.getFunctionType(), Target, Args);
  Builder.CreateCall(Leave, {Descriptor, Call});
  if (Run->getType()->isVoidTy())
    Builder.CreateRetVoid();
  else
    Builder.CreateRet(Run);
  return Thunk;
}

/// The stub. Acquire, so that what libspecrt wrote before it published the pointer is visible.
void DescriptorEmitter::replaceCall(GlobalVariable *Slot) {
  IRBuilder<> Builder(Region.Call);
  LoadInst *Target = Builder.CreateAlignedLoad(Pointer, Slot, Align(8));
  Target->setAtomic(AtomicOrdering::Acquire);
  Region.Call->setCalledOperand(Target);
  Region.Call->setDoesNotThrow();
}

GlobalVariable *DescriptorEmitter::emit() {
  Thunk = Function::Create(Body.getFunctionType(), GlobalValue::InternalLinkage,
                           Body.getName() + ".thunk", M);
  // Same code generation as the region: target features decide how arguments are passed.
  for (StringRef Kind : {"target-cpu", "target-features", "tune-cpu", "frame-pointer",
                         "probe-stack", "stack-protector-buffer-size"})
    if (Body.hasFnAttribute(Kind))
      Thunk->addFnAttr(Body.getFnAttribute(Kind));
  if (Body.hasFnAttribute(Attribute::UWTable))
    Thunk->addFnAttr(Body.getFnAttribute(Attribute::UWTable));
  Thunk->addFnAttr(Attribute::NoInline);
  Thunk->addFnAttr("specrt-region");
  Thunk->setDSOLocal(true);
  if (Body.hasComdat())
    Thunk->setComdat(Body.getComdat());

  GlobalVariable *Slot = addGlobal(Thunk, "slot", false);
  Slot->setAlignment(Align(8));
  GlobalVariable *Descriptor = addGlobal(descriptor(Slot), "descriptor", false);
  Descriptor->setAlignment(Align(8));
  emitThunk(Descriptor);
  replaceCall(Slot);

  GlobalVariable *Entry = addGlobal(Descriptor, "entry", false);
  Entry->setSection(SPECRT_REGION_SECTION);
  Entry->setAlignment(Align(8));
  // With --gc-sections the entry lives exactly as long as the descriptor, which the stub keeps.
  Entry->setMetadata(LLVMContext::MD_associated,
                     MDNode::get(Context, ValueAsMetadata::get(Descriptor)));
  return Entry;
}

} // namespace

GlobalVariable *emitDescriptor(const OutlinedRegion &Region, const RegionOrigin &Origin,
                               const RegionBitcode &Bitcode, FunctionAnalysisManager &FAM) {
  return DescriptorEmitter(Region, Origin, Bitcode, FAM).emit();
}

} // namespace specrt
