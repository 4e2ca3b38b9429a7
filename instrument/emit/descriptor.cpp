//===- instrument/emit/descriptor.cpp - what a program tells about a region ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All objects of a region are local. When the parent function lives in a comdat, as inline
// functions do, they join it, so that duplicates vanish together.
//
// Objects are few and private, because each costs an entry in the symbol table, and in a comdat two
// sections with long names. So the regions of a comdat share sections too. All that needs no
// relocation lies in one constant object, to which the record knows the way: three words of an
// object file for each pointer would be more than most of what they point to.
//
//===----------------------------------------------------------------------===//
#include "instrument/emit/descriptor.h"
#include "analysis/description.h"
#include "analysis/kinds.h"
#include "analysis/memory/memory_cells.h"
#include "instrument/emit/packed_region.h"
#include "instrument/emit/poll.h"
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
        I8(Type::getInt8Ty(Context)), I64(Type::getInt64Ty(Context)),
        Cells(describeCells(Body, symbolIndex())) {}

  EmittedRegion emit();

private:
  GlobalVariable *addGlobal(Type *T, const Twine &Suffix, bool IsConstant);
  SymbolIndex symbolIndex() const;
  PackedRegion pack();
  GlobalVariable *emitConstants();
  std::string identity() const;
  GlobalVariable *emitRecord();
  void packCalls(PackedRegion &Out) const;
  void packWords(PackedRegion &Out);
  uint32_t flags() const;

  const OutlinedRegion &Region;
  const RegionOrigin &Origin;
  const RegionBitcode &Bitcode;
  FunctionAnalysisManager &FAM;
  Function &Body;
  Module &M;
  LLVMContext &Context;
  PointerType *Pointer;
  Type *I8, *I64;
  const SmallVector<specrt_cell> Cells;
  HandOver HandsOver = HandOver::Nothing;
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

SymbolIndex DescriptorEmitter::symbolIndex() const {
  return [this](const GlobalValue &Global) -> std::optional<unsigned> {
    auto It = Bitcode.Symbols.find(const_cast<GlobalValue *>(&Global));
    if (It == Bitcode.Symbols.end())
      return std::nullopt;
    return It - Bitcode.Symbols.begin();
  };
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
  const std::string Title = titleOf(Origin);
  Out.text(Title == identity() ? "" : Title);
  Out.number(Origin.Places.size());
  const std::string *Last = &Origin.File;
  for (const SourcePlace &Place : Origin.Places) {
    Out.place({Place.Function.c_str(), Place.File == *Last ? "\1" : Place.File.c_str(), Place.First,
               Place.Last});
    Last = &Place.File;
  }
  const std::vector<MemoryName> Names = memoryNames(Body, Region.Args, symbolIndex());
  Out.number(Names.size());
  for (const MemoryName &Name : Names)
    Out.memoryName({Name.Base, Name.Begin, Name.Text.c_str()});
}

PackedRegion DescriptorEmitter::pack() {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(Body);
  auto &LI = FAM.getResult<LoopAnalysis>(Body);
  const auto Accesses = describeAccesses(Body, SE, LI, symbolIndex());
  const auto Loops = describeLoops(Body, SE, LI);
  PackedRegion Out;
  for (const uint64_t Number :
       {uint64_t{flags()}, uint64_t{Origin.Line}, Body.arg_size(), Bitcode.Symbols.size(),
        Accesses.size(), Loops.size(), Cells.size(), Bitcode.Bytes.size()})
    Out.number(Number);
  Out.text(identity());
  Out.text(Origin.Parent->getName());
  Out.text(Origin.File);
  for (const auto &[Global, Name] : Bitcode.Symbols)
    Out.text(Name);
  for (const Argument &Arg : Body.args())
    Out.byte(*kindOf(Arg.getType()));
  packCalls(Out);
  StringRef Entry = Bitcode.EntrySymbol;
  Out.text(Entry.consume_front(Origin.Parent->getName()) ? "\1" + Entry.str() : Entry.str());
  Out.text(Origin.Pipeline);
  for (const SourceValue &Arg : Region.Args)
    Out.text(Arg.Name);
  for (const specrt_access &Access : Accesses)
    Out.access(Access);
  for (const specrt_loop &Loop : Loops)
    Out.loop(Loop);
  packWords(Out);
  return Out;
}

template <typename T> static void appendRaw(SmallVectorImpl<uint8_t> &Bytes, const T &Value) {
  const auto *Raw = reinterpret_cast<const uint8_t *>(&Value);
  Bytes.append(Raw, Raw + sizeof(Value));
}

/// Emits the description that specrt/packed_region.h defines as one constant object.
GlobalVariable *DescriptorEmitter::emitConstants() {
  const PackedRegion Packed = pack();
  SmallVector<uint8_t, 0> Bytes;
  appendRaw(Bytes, specrt_constants{.abi_version = SPECRT_ABI_VERSION,
                                    .stream_bytes = static_cast<uint32_t>(Packed.bytes().size()),
                                    .bitcode_hash = {Bitcode.Hash[0], Bitcode.Hash[1]}});
  append_range(Bytes, Packed.bytes());
  Bytes.resize(alignTo(Bytes.size(), 8));
  for (const specrt_cell &Cell : Cells)
    appendRaw(Bytes, Cell);
  Bytes.resize(alignTo(Bytes.size(), 8));
  append_range(Bytes, Bitcode.Bytes);
  Constant *Data = ConstantDataArray::get(Context, ArrayRef<uint8_t>(Bytes));
  GlobalVariable *Constants = addGlobal(Data->getType(), "constants", true);
  Constants->setInitializer(Data);
  Constants->setAlignment(Align(8));
  return Constants;
}

uint32_t DescriptorEmitter::flags() const {
  uint32_t Flags = SPECRT_REGION_PACKED | SPECRT_REGION_WORDS;
  if (HandsOver != HandOver::Nothing)
    Flags |= SPECRT_REGION_POLLS;
  if (HandsOver == HandOver::AnyPart)
    Flags |= SPECRT_REGION_CONTINUES;
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

/// Emits a specrt_record and the addresses behind it. Its slot is null, so that calls before the
/// registration run the nest in place.
GlobalVariable *DescriptorEmitter::emitRecord() {
  SmallVector<Type *> Types{Pointer, Pointer, I64, I64, I64};
  Types.append(Bitcode.Symbols.size(), Pointer);
  StructType *T = StructType::get(Context, Types);
  // The object points into itself: it exists before its contents do.
  GlobalVariable *Record = addGlobal(T, "region", false);
  Record->setAlignment(Align(8));
  Constant *Null = ConstantPointerNull::get(Pointer);
  Constant *From = ConstantExpr::getInBoundsGetElementPtr(
      I8, Record, ConstantInt::get(I64, offsetof(specrt_record, constants)));
  Constant *Distance = ConstantExpr::getSub(ConstantExpr::getPtrToInt(emitConstants(), I64),
                                            ConstantExpr::getPtrToInt(From, I64));
  SmallVector<Constant *> Values{Null, Null, ConstantInt::get(I64, UINT64_MAX),
                                 ConstantInt::get(I64, 0), Distance};
  for (const auto &[Global, Name] : Bitcode.Symbols)
    Values.push_back(Global);
  Record->setInitializer(ConstantStruct::get(T, Values));
  return Record;
}

EmittedRegion DescriptorEmitter::emit() {
  if (Region.CanGoOnElsewhere)
    HandsOver = handOverOf(Body, FAM);
  GlobalVariable *Record = emitRecord();
  Stub Made = emitStub(Region, Record, FAM);
  if (HandsOver != HandOver::Nothing)
    emitPoll(Region, Made, Record, HandsOver, FAM);
  return {Record, std::move(Made.Calls)};
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
