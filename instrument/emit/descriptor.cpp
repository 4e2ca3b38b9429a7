//===- instrument/emit/descriptor.cpp - what a program tells about a region ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All objects of a region are local. When the parent function lives in a comdat, as inline
// functions do, they join it, so that duplicates vanish together.
//
// Objects are few and private, because each costs an entry in the symbol table, and in a comdat two
// sections with long names. So the regions of a comdat share sections too, and texts, which the
// compiler and the linker merge, lie outside of it.
//
//===----------------------------------------------------------------------===//
#include "instrument/emit/descriptor.h"
#include "analysis/description.h"
#include "analysis/kinds.h"
#include "analysis/memory/memory_cells.h"
#include "instrument/emit/helper.h"
#include "instrument/emit/packed_region.h"
#include "instrument/emit/packing.h"
#include "instrument/emit/poll.h"
#include "instrument/emit/runtime_calls.h"
#include "instrument/emit/text.h"
#include "instrument/select/selection.h"
#include "specrt/packed_region.h"
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

  EmittedRegion emit();

private:
  GlobalVariable *addGlobal(Type *T, const Twine &Suffix, bool IsConstant);
  Constant *inside(GlobalVariable *Object, uint64_t Bytes) const;
  SymbolIndex symbolIndex() const;
  void packAccesses(PackedRegion &Out);
  void packLoops(PackedRegion &Out);
  PackedRegion pack();
  GlobalVariable *emitConstants();
  std::string identity() const;
  Constant *symbolTable();
  Constant *descriptor(GlobalVariable *Constants, Constant *Slot, Constant *Symbols);
  GlobalVariable *emitVariables();
  void packCalls(PackedRegion &Out) const;
  void packWords(PackedRegion &Out);
  uint32_t flags() const;
  void defineThunk(Constant *Descriptor);

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
  bool Polls = false;
  uint32_t NumAccesses = 0, NumLoops = 0, NumCells = 0;
  // Where things lie in the region's two objects; all else follows them.
  // Constants: the kinds of arguments come first, then what is packed.
  uint64_t CellsOffset = 0, BitcodeOffset = 0;
  static constexpr uint64_t DescriptorOffset = sizeof(void *); // variables; the slot comes first
};

GlobalVariable *DescriptorEmitter::addGlobal(Type *T, const Twine &Suffix, bool IsConstant) {
  auto *Global = new GlobalVariable(M, T, IsConstant, GlobalValue::PrivateLinkage, nullptr,
                                    Body.getName() + "." + Suffix);
  if (Body.hasComdat()) {
    Global->setComdat(Body.getComdat());
    Global->setSection(IsConstant ? ".rodata.specrt" : ".data.specrt");
  }
  return Global;
}

Constant *DescriptorEmitter::inside(GlobalVariable *Object, uint64_t Bytes) const {
  return Bytes ? ConstantExpr::getInBoundsGetElementPtr(I8, Object, ConstantInt::get(I64, Bytes))
               : Object;
}

SymbolIndex DescriptorEmitter::symbolIndex() const {
  return [this](const GlobalValue &Global) -> std::optional<unsigned> {
    auto It = Bitcode.Symbols.find(const_cast<GlobalValue *>(&Global));
    if (It == Bitcode.Symbols.end())
      return std::nullopt;
    return It - Bitcode.Symbols.begin();
  };
}

void DescriptorEmitter::packAccesses(PackedRegion &Out) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(Body);
  auto &LI = FAM.getResult<LoopAnalysis>(Body);
  for (const specrt_access &Access : describeAccesses(Body, SE, LI, symbolIndex())) {
    Out.access(Access);
    ++NumAccesses;
  }
}

void DescriptorEmitter::packLoops(PackedRegion &Out) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(Body);
  auto &LI = FAM.getResult<LoopAnalysis>(Body);
  for (const specrt_loop &Loop : describeLoops(Body, SE, LI)) {
    Out.loop(Loop);
    ++NumLoops;
  }
}

/// Positions of the functions of other files that the region calls.
void DescriptorEmitter::packCalls(PackedRegion &Out) const {
  if (Origin.Distant.empty())
    return;
  Out.number(Origin.Distant.size());
  for (const Function *F : Origin.Distant)
    Out.number(*symbolIndex()(*F));
}

/// What only people read.
void DescriptorEmitter::packWords(PackedRegion &Out) {
  Out.text(titleOf(Origin));
  Out.number(Origin.Places.size());
  for (const SourcePlace &Place : Origin.Places)
    Out.place({Place.Function.c_str(), Place.File.c_str(), Place.First, Place.Last});
  const std::vector<MemoryName> Names = memoryNames(Body, Region.Args, symbolIndex());
  Out.number(Names.size());
  for (const MemoryName &Name : Names)
    Out.memoryName({Name.Base, Name.Begin, Name.Text.c_str()});
}

PackedRegion DescriptorEmitter::pack() {
  PackedRegion Out;
  packCalls(Out);
  Out.text(Bitcode.EntrySymbol);
  Out.text(Origin.Pipeline);
  for (const SourceValue &Arg : Region.Args)
    Out.text(Arg.Name);
  packAccesses(Out);
  packLoops(Out);
  packWords(Out);
  return Out;
}

/// Kinds of arguments, packed part, cells and bitcode as one object.
GlobalVariable *DescriptorEmitter::emitConstants() {
  SmallVector<uint8_t, 0> Bytes;
  for (const Argument &Arg : Body.args())
    Bytes.push_back(*kindOf(Arg.getType()));
  append_range(Bytes, pack().bytes());
  CellsOffset = alignTo(Bytes.size(), 8);
  Bytes.resize(CellsOffset);
  for (const specrt_cell &Cell : describeCells(Body, symbolIndex())) {
    const auto *Raw = reinterpret_cast<const uint8_t *>(&Cell);
    Bytes.append(Raw, Raw + sizeof(Cell));
    ++NumCells;
  }
  BitcodeOffset = alignTo(Bytes.size(), 8);
  Bytes.resize(BitcodeOffset);
  append_range(Bytes, Bitcode.Bytes);
  Constant *Data = ConstantDataArray::get(Context, ArrayRef<uint8_t>(Bytes));
  GlobalVariable *Constants = addGlobal(Data->getType(), "constants", true);
  Constants->setInitializer(Data);
  Constants->setAlignment(Align(8));
  return Constants;
}

/// An array of specrt_symbol, or null.
Constant *DescriptorEmitter::symbolTable() {
  SmallVector<Constant *> Symbols;
  for (const auto &[Global, Name] : Bitcode.Symbols)
    Symbols.push_back(ConstantStruct::getAnon({addText(M, Name), Global}));
  if (Symbols.empty())
    return nullptr;
  return ConstantArray::get(ArrayType::get(Symbols.front()->getType(), Symbols.size()), Symbols);
}

uint32_t DescriptorEmitter::flags() const {
  uint32_t Flags = SPECRT_REGION_PACKED | SPECRT_REGION_WORDS;
  if (Polls)
    Flags |= SPECRT_REGION_POLLS;
  if (!Origin.Distant.empty())
    Flags |= SPECRT_REGION_CALLS;
  if (Origin.HasOpenResults)
    Flags |= SPECRT_REGION_OPEN;
  return Flags;
}

/// "#number" where the line is missing or not unique.
static std::string numberOf(const RegionOrigin &Origin) {
  return !Origin.Line || Origin.SharesLine ? "#" + std::to_string(Origin.Number) : "";
}

/// "function:line": what libspecrt knows the region by from run to run.
std::string DescriptorEmitter::identity() const {
  return qualifiedName(Origin.Parent->getName()) +
         (Origin.Line ? ":" + std::to_string(Origin.Line) : "") + numberOf(Origin);
}

/// The members of specrt_region in their order.
Constant *DescriptorEmitter::descriptor(GlobalVariable *Constants, Constant *Slot,
                                        Constant *Symbols) {
  Constant *Null = ConstantPointerNull::get(Pointer);
  return ConstantStruct::getAnon({number(I32, SPECRT_ABI_VERSION),
                                  number(I32, SPECRT_REGION_BYTES),
                                  addText(M, identity()),
                                  addText(M, Origin.Parent->getName()),
                                  addText(M, Origin.File),
                                  number(I32, Origin.Line),
                                  number(I32, flags()),
                                  number(I32, Body.arg_size()),
                                  number(I32, *kindOf(Body.getReturnType())),
                                  Constants,
                                  /*arg_names=*/Null,
                                  /*original=*/Null,
                                  Thunk,
                                  Slot,
                                  inside(Constants, BitcodeOffset),
                                  number(I64, Bitcode.Bytes.size()),
                                  ConstantDataArray::get(Context, ArrayRef(Bitcode.Hash)),
                                  /*entry_symbol=*/Null,
                                  /*pipeline=*/Null,
                                  Symbols,
                                  /*accesses=*/Null,
                                  /*loops=*/Null,
                                  number(I32, Bitcode.Symbols.size()),
                                  number(I32, NumAccesses),
                                  number(I32, NumLoops),
                                  number(I32, NumCells),
                                  inside(Constants, CellsOffset),
                                  /*state=*/Null,
                                  /*poll_at=*/number(I64, UINT64_MAX),
                                  /*pass_by=*/number(I64, 0)});
}

/// Slot, descriptor and symbol table as one object.
GlobalVariable *DescriptorEmitter::emitVariables() {
  GlobalVariable *Constants = emitConstants();
  Constant *Symbols = symbolTable();
  // The object points into itself: it exists before its contents do.
  Constant *Null = ConstantPointerNull::get(Pointer);
  Type *Descriptor = descriptor(Constants, Null, Null)->getType();
  SmallVector<Type *> Members{Pointer, Descriptor};
  if (Symbols)
    Members.push_back(Symbols->getType());
  GlobalVariable *Object = addGlobal(StructType::get(Context, Members), "region", false);
  Object->setAlignment(Align(8));
  uint64_t SymbolsOffset = DescriptorOffset + SPECRT_REGION_BYTES;
  Constant *Place = Symbols ? inside(Object, SymbolsOffset) : Null;
  // A call before registration runs the nest in place.
  SmallVector<Constant *> Values{Null, descriptor(Constants, Object, Place)};
  if (Symbols)
    Values.push_back(Symbols);
  Object->setInitializer(ConstantStruct::getAnon(Values));
  return Object;
}

/// Writes the thunk that abi.h describes. It reads the target's arguments back from the packed
/// ones, so that they are not spilled twice.
void DescriptorEmitter::defineThunk(Constant *Descriptor) {
  auto NewBlock = [&](const char *Name) { return BasicBlock::Create(Context, Name, Thunk); };
  BasicBlock *Entry = NewBlock(""), *PassBy = NewBlock("pass.by"), *Observe = NewBlock("observe"),
             *InPlace = NewBlock("in.place"), *Run = NewBlock("run");
  IRBuilder<> B(Entry);
  Value *Packed = B.CreateAlloca(packedType(Body));
  Value *Call = B.CreateAlloca(ArrayType::get(I64, sizeof(specrt_call) / 8));
  // Two threads may count as one: it is about as many calls as libspecrt wants.
  Value *Place = B.CreateConstInBoundsGEP1_64(I8, Descriptor, offsetof(specrt_region, pass_by));
  LoadInst *Rest = B.CreateAlignedLoad(I64, Place, Align(8));
  Rest->setAtomic(AtomicOrdering::Monotonic);
  B.CreateCondBr(B.CreateIsNull(Rest), Observe, PassBy);
  B.SetInsertPoint(PassBy);
  B.CreateAlignedStore(B.CreateSub(Rest, number(I64, 1)), Place, Align(8))
      ->setAtomic(AtomicOrdering::Monotonic);
  B.CreateRet(B.getInt32(SPECRT_UNDONE));

  B.SetInsertPoint(Observe);
  SmallVector<Value *> Values(make_pointer_range(Thunk->args()));
  const SmallVector<Value *> Places = packArguments(B, Values, Packed);
  Value *Target = B.CreateCall(enterFunction(M), {Descriptor, Packed, Call});
  B.CreateCondBr(B.CreateIsNull(Target), InPlace, Run);
  B.SetInsertPoint(InPlace);
  B.CreateRet(B.CreateTrunc(B.CreateLoad(I64, Call), I32));

  B.SetInsertPoint(Run);
  for (auto [V, From] : zip_equal(Values, Places))
    V = B.CreateLoad(V->getType(), From);
  Value *Left = B.CreateCall(Body.getFunctionType(), Target, Values);
  B.CreateCall(leaveFunction(M), {Descriptor, Call});
  B.CreateRet(Left);
}

EmittedRegion DescriptorEmitter::emit() {
  Thunk = addHelper(Body, *Origin.Parent, I32, {}, "thunk");
  Polls = Region.CanGoOnElsewhere && canPoll(Body, FAM);
  GlobalVariable *Variables = emitVariables();
  Constant *Descriptor = inside(Variables, DescriptorOffset);
  defineThunk(Descriptor);
  Stub Made = emitStub(Region, Variables, Descriptor, FAM);
  if (Polls)
    emitPoll(Region, Made, Descriptor, FAM);

  GlobalVariable *Entry = addGlobal(Pointer, "entry", false);
  Entry->setInitializer(Descriptor);
  Entry->setSection(SPECRT_REGION_SECTION);
  Entry->setAlignment(Align(8));
  // With --gc-sections the entry lives exactly as long as the descriptor, which the stub keeps. The
  // members of a comdat live together anyway.
  if (!Body.hasComdat())
    Entry->setMetadata(LLVMContext::MD_associated,
                       MDNode::get(Context, ValueAsMetadata::get(Variables)));
  return {Entry, std::move(Made.Calls)};
}

} // namespace

std::string titleOf(const RegionOrigin &Origin) {
  return titleOf(*Origin.Parent, Origin.Places, Origin.Line, numberOf(Origin), Origin.CallLine);
}

EmittedRegion emitRegion(const OutlinedRegion &Region, const RegionOrigin &Origin,
                         const RegionBitcode &Bitcode, FunctionAnalysisManager &FAM) {
  EmittedRegion Made = DescriptorEmitter(Region, Origin, Bitcode, FAM).emit();
  FAM.clear(*Region.Body, Region.Body->getName());
  Region.Body->eraseFromParent();
  return Made;
}

} // namespace specrt
