//===- instrument/emit/bitcode.cpp - writes a region's code for compilation at run time -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clones function by function instead of cloning and stripping the module: the cost is that of the
// region, not that of the translation unit.
//
//===----------------------------------------------------------------------===//
#include "instrument/emit/bitcode.h"
#include "analysis/eligibility.h"
#include "analysis/library_calls.h"
#include "analysis/linkage.h"
#include "analysis/memory/object_size.h"
#include "analysis/module_bytes.h"
#include "instrument/select/definitions.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace specrt {
namespace {

// Limits on the instructions of all embedded callees together, and on the bytes of one table.
constexpr unsigned MaxTotalInstructions = 5000;
constexpr uint64_t MaxTableBytes = 64 * 1024;

/// Metadata that the optimizer uses; all other kinds are dropped.
const unsigned KeptMetadata[] = {
    LLVMContext::MD_tbaa,           LLVMContext::MD_tbaa_struct,
    LLVMContext::MD_prof,           LLVMContext::MD_fpmath,
    LLVMContext::MD_range,          LLVMContext::MD_invariant_load,
    LLVMContext::MD_alias_scope,    LLVMContext::MD_noalias,
    LLVMContext::MD_nontemporal,    LLVMContext::MD_mem_parallel_loop_access,
    LLVMContext::MD_nonnull,        LLVMContext::MD_dereferenceable,
    LLVMContext::MD_align,          LLVMContext::MD_unpredictable,
    LLVMContext::MD_access_group,   LLVMContext::MD_noundef,
    LLVMContext::MD_invariant_group};

/// Builds the module on demand: the value mapper calls materialize() for each global it meets.
class BitcodeBuilder final : ValueMaterializer {
public:
  explicit BitcodeBuilder(Module &Old);
  RegionBitcode write(Function &Body);
  FunctionsBitcode write(ArrayRef<Function *> Functions);

private:
  Value *materialize(Value *V) override {
    auto *Global = dyn_cast<GlobalValue>(V);
    return Global ? declare(*Global) : nullptr;
  }
  /// Returns the declaration in the new module that stands for \p Old.
  Value *declare(GlobalValue &Old);
  Function *declareFunction(Function &Old, const std::string &Name);
  GlobalVariable *declareVariable(GlobalVariable &Old, const std::string &Name);
  void define(Function &Old, Function &New);
  Value *libraryFunction(StringRef Name, FunctionType *T);
  void cloneLoopMetadata(const Instruction &Old, Instruction &New, DISubprogram *Scope);
  DILocation *translate(const DILocation *Old, DISubprogram *Scope);
  DIFile *translate(const DIFile *Old);
  std::string nameFor(const GlobalValue &Old);
  bool isEmbedded(const Function &F) const;

  Function *addRoot(Function &Root);
  void defineAll();
  std::array<uint64_t, 2> finish(SmallVectorImpl<char> &Bytes);
  MapVector<GlobalValue *, std::string> symbolsOf(const Function &F) const;

  Module &Old;
  std::unique_ptr<Module> New;
  ValueToValueMapTy Map;
  DIBuilder Debug;
  DICompileUnit *Unit = nullptr;
  DenseMap<const DIFile *, DIFile *> Files;
  RegionBitcode Result;
  SmallVector<std::pair<Function *, Function *>> ToDefine;
  unsigned TotalInstructions = 0;
  unsigned Unnamed = 0;
};

BitcodeBuilder::BitcodeBuilder(Module &Old)
    : Old(Old), New(std::make_unique<Module>("specrt", Old.getContext())), Debug(*New) {
  New->setSourceFileName("");
  New->setTargetTriple(Old.getTargetTriple());
  New->setDataLayout(Old.getDataLayout());
}

std::string BitcodeBuilder::nameFor(const GlobalValue &Old) {
  // Names of local symbols may carry counters that depend on the rest of the translation unit.
  if (Old.hasName() && !Old.hasPrivateLinkage())
    return Old.getName().str();
  return "specrt.unnamed." + std::to_string(Unnamed++);
}

bool BitcodeBuilder::isEmbedded(const Function &F) const {
  return mayStandForCalls(F) && reasonAgainst(F).empty() &&
         !F.hasFnAttribute(Attribute::OptimizeNone) &&
         F.getInstructionCount() <= MaxCalleeInstructions;
}

Value *BitcodeBuilder::declare(GlobalValue &Old) {
  if (auto *F = dyn_cast<Function>(&Old); F && F->isIntrinsic()) {
    // Intrinsics resolve by name and need no address.
    Function *Declaration =
        Function::Create(F->getFunctionType(), F->getLinkage(), F->getName(), New.get());
    Declaration->copyAttributesFrom(F);
    return Declaration;
  }
  std::string Name = nameFor(Old);
  Result.Symbols[&Old] = Name;
  if (auto *F = dyn_cast<Function>(&Old))
    return declareFunction(*F, Name);
  if (auto *Variable = dyn_cast<GlobalVariable>(&Old))
    return declareVariable(*Variable, Name);
  // An alias or an ifunc: only its address matters.
  if (auto *Type = dyn_cast<FunctionType>(Old.getValueType()))
    return Function::Create(Type, GlobalValue::ExternalLinkage, Name, New.get());
  return new GlobalVariable(*New, Old.getValueType(), false, GlobalValue::ExternalLinkage, nullptr,
                            Name);
}

Function *BitcodeBuilder::declareFunction(Function &Old, const std::string &Name) {
  auto *F = Function::Create(Old.getFunctionType(), GlobalValue::ExternalLinkage, Name, New.get());
  F->copyAttributesFrom(&Old);
  makeExternal(*F);
  // Without nobuiltin, LLVM could take it for the C library function of the same name.
  if (Old.hasLocalLinkage())
    F->addFnAttr(Attribute::NoBuiltin);
  if (F->hasPersonalityFn())
    F->setPersonalityFn(nullptr);
  if (isEmbedded(Old) && TotalInstructions + Old.getInstructionCount() <= MaxTotalInstructions) {
    TotalInstructions += Old.getInstructionCount();
    ToDefine.push_back({&Old, F});
  }
  return F;
}

GlobalVariable *BitcodeBuilder::declareVariable(GlobalVariable &Old, const std::string &Name) {
  auto *Variable =
      new GlobalVariable(*New, Old.getValueType(), Old.isConstant(), GlobalValue::ExternalLinkage,
                         nullptr, Name, nullptr, GlobalValue::NotThreadLocal, 0);
  Variable->copyAttributesFrom(&Old);
  makeExternal(*Variable);
  keepObjectBytes(Old, *Variable);
  if (mayStandForReads(Old) &&
      Old.getDataLayout().getTypeAllocSize(Old.getValueType()) <= MaxTableBytes &&
      isPlainData(Old.getInitializer())) {
    Variable->setInitializer(Old.getInitializer());
    Variable->setLinkage(GlobalValue::AvailableExternallyLinkage);
  }
  return Variable;
}

void BitcodeBuilder::define(Function &Old, Function &F) {
  for (auto [OldArg, NewArg] : zip_equal(Old.args(), F.args())) {
    NewArg.setName(OldArg.getName());
    Map[&OldArg] = &NewArg;
  }
  DISubprogram *Scope = nullptr;
  if (const DISubprogram *OldScope = Old.getSubprogram()) {
    DIFile *File = translate(OldScope->getFile());
    Scope = Debug.createFunction(File, Old.getName(), "", File, OldScope->getLine(),
                                 Debug.createSubroutineType(Debug.getOrCreateTypeArray({})),
                                 OldScope->getScopeLine(), DINode::FlagZero,
                                 DISubprogram::SPFlagDefinition);
    F.setSubprogram(Scope);
  }
  SmallVector<std::pair<const Instruction *, Instruction *>> Instructions;
  for (const BasicBlock &Block : Old) {
    auto *Copy = BasicBlock::Create(F.getContext(), "", &F);
    Map[&Block] = Copy;
    for (const Instruction &I : Block) {
      Instruction *Clone = I.clone();
      Clone->insertInto(Copy, Copy->end());
      Clone->setDebugLoc(DebugLoc());
      Clone->setMetadata(LLVMContext::MD_loop, nullptr);
      Clone->dropUnknownNonDebugMetadata(KeptMetadata);
      Map[&I] = Clone;
      Instructions.push_back({&I, Clone});
    }
  }
  for (auto [OldInstruction, Clone] : Instructions) {
    RemapInstruction(Clone, Map, RF_None, nullptr, this);
    if (Scope && OldInstruction->getDebugLoc())
      Clone->setDebugLoc(translate(OldInstruction->getDebugLoc().get(), Scope));
    cloneLoopMetadata(*OldInstruction, *Clone, Scope);
  }
  callLibraryFunctions(F, [this](StringRef Name, FunctionType *T) -> FunctionCallee {
    return {T, libraryFunction(Name, T)};
  });
}

/// Returns the function that the object file will bind to \p Name, possibly a static function of
/// this module.
Value *BitcodeBuilder::libraryFunction(StringRef Name, FunctionType *T) {
  GlobalValue *Known = Old.getNamedValue(Name);
  if (!Known)
    Known = Function::Create(T, GlobalValue::ExternalLinkage, Name, Old);
  return MapValue(Known, Map, RF_None, nullptr, this);
}

/// Loop metadata is a self-referential node of start and end location, then properties.
void BitcodeBuilder::cloneLoopMetadata(const Instruction &Old, Instruction &Clone,
                                       DISubprogram *Scope) {
  const MDNode *Loop = Old.getMetadata(LLVMContext::MD_loop);
  if (!Loop)
    return;
  SmallVector<Metadata *> Operands{nullptr};
  for (const MDOperand &Operand : drop_begin(Loop->operands())) {
    if (const auto *Location = dyn_cast_or_null<DILocation>(Operand.get())) {
      if (Scope)
        Operands.push_back(translate(Location, Scope));
    } else if (Operand) {
      Operands.push_back(MapMetadata(Operand.get(), Map, RF_None, nullptr, this));
    }
  }
  MDNode *Node = MDNode::getDistinct(Clone.getContext(), Operands);
  Node->replaceOperandWith(0, Node);
  Clone.setMetadata(LLVMContext::MD_loop, Node);
}

/// Keeps the file name as the user typed it and drops the build directory, so that the bytes do not
/// depend on the build tree.
DIFile *BitcodeBuilder::translate(const DIFile *Old) {
  DIFile *&File = Files[Old];
  if (!File)
    File = Debug.createFile(Old ? Old->getFilename() : "", "");
  if (!Unit)
    Unit = Debug.createCompileUnit(DISourceLanguageName(dwarf::DW_LANG_C99), File, "specrt", true,
                                   "", 0, "", DICompileUnit::NoDebug);
  return File;
}

DILocation *BitcodeBuilder::translate(const DILocation *Old, DISubprogram *Scope) {
  DIFile *File = translate(Old->getFile());
  DILocalScope *Place = Scope;
  if (File != Scope->getFile())
    Place = Debug.createLexicalBlockFile(Scope, File);
  return DILocation::get(New->getContext(), Old->getLine(), Old->getColumn(), Place);
}

/// Declares \p Root and defines it even if isEmbedded() or the instruction limit says otherwise.
Function *BitcodeBuilder::addRoot(Function &Root) {
  Function *F = declareFunction(Root, Root.getName().str());
  Map[&Root] = F;
  if (ToDefine.empty() || ToDefine.back().second != F)
    ToDefine.push_back({&Root, F});
  return F;
}

/// Defining a function may declare, and thereby enqueue, its callees.
void BitcodeBuilder::defineAll() {
  for (size_t I = 0; I < ToDefine.size(); ++I) {
    auto [Original, F] = ToDefine[I];
    define(*Original, *F);
    F->setLinkage(GlobalValue::AvailableExternallyLinkage);
  }
}

std::array<uint64_t, 2> BitcodeBuilder::finish(SmallVectorImpl<char> &Bytes) {
  Debug.finalize();
  New->addModuleFlag(Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
  return writeModule(*New, Bytes);
}

RegionBitcode BitcodeBuilder::write(Function &Body) {
  Function *Entry = addRoot(Body);
  defineAll();
  Entry->setLinkage(GlobalValue::ExternalLinkage);
  Result.EntrySymbol = Entry->getName().str();
  Result.Hash = finish(Result.Bytes);
  return std::move(Result);
}

/// Returns the globals that \p F refers to, including those of definitions that \p F may call.
MapVector<GlobalValue *, std::string> BitcodeBuilder::symbolsOf(const Function &F) const {
  StringMap<GlobalValue *> Originals;
  for (const auto &[Original, Name] : Result.Symbols)
    Originals[Name] = Original;
  MapVector<GlobalValue *, std::string> Symbols;
  SmallVector<const Value *> Work{&F};
  SmallPtrSet<const Value *, 16> Seen{&F};
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (const auto *Global = dyn_cast<GlobalValue>(V); Global && Global != &F)
      if (auto It = Originals.find(Global->getName()); It != Originals.end())
        Symbols[It->second] = It->first().str();
    auto Follow = [&](const Value *Used) {
      if (isa<Constant>(Used) && Seen.insert(Used).second)
        Work.push_back(Used);
    };
    if (const auto *Code = dyn_cast<Function>(V))
      for (const Instruction &I : instructions(*Code))
        for_each(I.operand_values(), Follow);
    else
      for_each(cast<User>(V)->operand_values(), Follow);
  }
  return Symbols;
}

FunctionsBitcode BitcodeBuilder::write(ArrayRef<Function *> Functions) {
  SmallVector<Function *> Copies;
  for (Function *F : Functions) {
    Copies.push_back(addRoot(*F));
    Result.Symbols[F] = F->getName().str(); // another function may call it
  }
  defineAll();
  FunctionsBitcode Written;
  for (Function *F : Copies)
    Written.Symbols.push_back(symbolsOf(*F));
  Written.Hash = finish(Written.Bytes);
  return Written;
}

} // namespace

RegionBitcode writeBitcode(Function &Body) { return BitcodeBuilder(*Body.getParent()).write(Body); }

FunctionsBitcode writeBitcode(Module &M, ArrayRef<Function *> Functions) {
  return BitcodeBuilder(M).write(Functions);
}

} // namespace specrt
