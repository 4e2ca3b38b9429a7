//===- jit/object/version_object.cpp - the self-description of a shared object ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/object/version_object.h"
#include "jit/code/helper_symbols.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Object/ObjectFile.h"
#include <set>

using namespace llvm;

namespace specrt {
namespace {

class ObjectDescriber {
public:
  ObjectDescriber(const specrt_region &Region, const DataLayout &Layout, LLVMContext &Context)
      : Region(Region), M(std::make_unique<Module>("specrt_version_object", Context)),
        Pointer(PointerType::get(Context, 0)), Word(Type::getInt32Ty(Context)) {
    M->setDataLayout(Layout);
  }

  void addBody(const ObjectBody &Body);
  void addHelpers(ArrayRef<std::string> Names);
  Error addDescription(StringRef Key);

  std::unique_ptr<Module> take() { return std::move(M); }

private:
  Constant *word(uint64_t Value) { return ConstantInt::get(Word, Value); }
  Constant *null() { return ConstantPointerNull::get(cast<PointerType>(Pointer)); }
  Constant *orNull(Constant *C) { return C ? C : null(); }
  Constant *constant(Constant *Value, const Twine &Name, unsigned Alignment = 8);
  Constant *text(StringRef Text);
  Constant *external(const std::string &Name);
  Constant *array(ArrayRef<Constant *> Elements, const Twine &Name);
  Constant *guards(GuardView Guards);
  Constant *entryFor(const EntriesObject &Of);
  void addHelper(const std::string &Name, unsigned Number);

  const specrt_region &Region;
  std::unique_ptr<Module> M;
  Type *Pointer, *Word;
  SmallVector<Constant *> Bodies;
  DenseMap<const EntriesObject *, Constant *> Entries;
  SmallVector<Constant *> HelperNames;
  GlobalVariable *Helpers = nullptr, *GuardSymbols = nullptr;
};

Constant *ObjectDescriber::constant(Constant *Value, const Twine &Name, unsigned Alignment) {
  auto *G = new GlobalVariable(*M, Value->getType(), /*isConstant=*/true,
                               GlobalValue::InternalLinkage, Value, Name);
  G->setAlignment(Align(Alignment));
  return G;
}

Constant *ObjectDescriber::text(StringRef Text) {
  return constant(ConstantDataArray::getString(M->getContext(), Text), "specrt.text", 1);
}

Constant *ObjectDescriber::array(ArrayRef<Constant *> Elements, const Twine &Name) {
  if (Elements.empty())
    return null();
  auto *T = ArrayType::get(Elements.front()->getType(), Elements.size());
  return constant(ConstantArray::get(T, Elements), Name);
}

Constant *ObjectDescriber::external(const std::string &Name) {
  auto *G = new GlobalVariable(*M, Type::getInt8Ty(M->getContext()), /*isConstant=*/false,
                               GlobalValue::ExternalLinkage, nullptr, Name);
  G->setVisibility(GlobalValue::HiddenVisibility);
  G->setDSOLocal(true);
  return G;
}

/// Returns the specrt_object_entry of \p Of.
Constant *ObjectDescriber::entryFor(const EntriesObject &Of) {
  Constant *&Described = Entries[&Of];
  if (Described)
    return Described;
  const VersionEntries &Symbols = Of.Symbols;
  if (Symbols.ReadsSymbols && !GuardSymbols) {
    auto *Table = ArrayType::get(Pointer, Region.num_symbols);
    GuardSymbols = new GlobalVariable(*M, Table, /*isConstant=*/false, GlobalValue::ExternalLinkage,
                                      ConstantAggregateZero::get(Table), GuardSymbolsName);
    GuardSymbols->setVisibility(GlobalValue::HiddenVisibility);
  }
  Constant *Fields[] = {guards(Of.Guards), external(Symbols.Entry), external(Symbols.ExactEntry),
                        external(Symbols.State)};
  return Described = constant(ConstantStruct::getAnon(Fields), "specrt.entry");
}

/// Defines a helper as a tail call that passes all its arguments on unchanged, whatever their types
/// are.
void ObjectDescriber::addHelper(const std::string &Name, unsigned Number) {
  LLVMContext &Context = M->getContext();
  auto *Any = FunctionType::get(Type::getVoidTy(Context), /*isVarArg=*/true);
  Function *F = Function::Create(Any, GlobalValue::ExternalLinkage, Name, *M);
  F->setVisibility(GlobalValue::HiddenVisibility);
  F->addFnAttr("thunk");
  IRBuilder<> B(BasicBlock::Create(Context, "", F));
  Value *Slot = B.CreateConstInBoundsGEP2_64(Helpers->getValueType(), Helpers, 0, Number);
  CallInst *Call = B.CreateCall(Any, B.CreateLoad(Pointer, Slot));
  Call->setTailCallKind(CallInst::TCK_MustTail);
  B.CreateRetVoid();
}

void ObjectDescriber::addHelpers(ArrayRef<std::string> Names) {
  if (Names.empty())
    return;
  auto *Table = ArrayType::get(Pointer, Names.size());
  Helpers = new GlobalVariable(*M, Table, /*isConstant=*/false, GlobalValue::InternalLinkage,
                               ConstantAggregateZero::get(Table), "specrt.helpers");
  for (const auto &[Number, Name] : enumerate(Names)) {
    addHelper(Name, Number);
    HelperNames.push_back(text(Name));
  }
}

/// Returns \p Guards as a specrt_guards.
Constant *ObjectDescriber::guards(GuardView Guards) {
  const specrt_guards &Plain = Guards.plain();
  ArrayRef<uint8_t> Bytes(reinterpret_cast<const uint8_t *>(Plain.first), Plain.bytes);
  Constant *Fields[] = {
      Bytes.empty() ? null()
                    : constant(ConstantDataArray::get(M->getContext(), Bytes), "specrt.guards"),
      ConstantInt::get(Type::getInt64Ty(M->getContext()), Plain.bytes)};
  return ConstantStruct::getAnon(Fields);
}

/// Adds \p Body as a specrt_object_body.
void ObjectDescriber::addBody(const ObjectBody &Body) {
  Constant *Fields[] = {text(Body.Name),
                        external(Body.Entry),
                        entryFor(*Body.Entries),
                        Body.Table.empty() ? null() : external(Body.Table),
                        word(Body.Parallel),
                        word(0),
                        ConstantFP::get(Type::getDoubleTy(M->getContext()), Body.CompileMs),
                        Body.Rows.empty() ? null() : external(Body.Rows)};
  Bodies.push_back(ConstantStruct::getAnon(Fields));
}

Error ObjectDescriber::addDescription(StringRef Key) {
  LLVMContext &Context = M->getContext();
  Constant *Fields[] = {word(SPECRT_VERSION_OBJECT_FORMAT),
                        word(sizeof(specrt_version_object)),
                        word(SPECRT_ABI_VERSION),
                        word(Region.line),
                        text(Key),
                        text(Region.name),
                        text(Region.file),
                        array(Bodies, "specrt.bodies"),
                        array(HelperNames, "specrt.helper.names"),
                        orNull(Helpers),
                        orNull(GuardSymbols),
                        word(Bodies.size()),
                        word(HelperNames.size()),
                        word(Region.num_symbols),
                        word(0)};
  Constant *Description = ConstantStruct::getAnon(Fields);
  const DataLayout &Layout = M->getDataLayout();
  if (Layout.getTypeAllocSize(Description->getType()) != sizeof(specrt_version_object) ||
      Layout.getTypeAllocSize(Bodies.front()->getType()) != sizeof(specrt_object_body))
    return createStringError("the target lays out structures in another way");
  auto *Query = Function::Create(FunctionType::get(Pointer, /*isVarArg=*/false),
                                 GlobalValue::ExternalLinkage, SPECRT_VERSION_OBJECT_QUERY, *M);
  IRBuilder<> B(BasicBlock::Create(Context, "", Query));
  B.CreateRet(constant(Description, "specrt.version.object"));
  return Error::success();
}

} // namespace

Expected<std::unique_ptr<Module>> describeVersionObject(const specrt_region &Region,
                                                        ArrayRef<ObjectBody> Bodies,
                                                        ArrayRef<std::string> Helpers,
                                                        StringRef Key, const DataLayout &Layout,
                                                        LLVMContext &Context) {
  ObjectDescriber Describer(Region, Layout, Context);
  for (const ObjectBody &Body : Bodies)
    Describer.addBody(Body);
  Describer.addHelpers(Helpers);
  if (Error E = Describer.addDescription(Key))
    return std::move(E);
  return Describer.take();
}

/// Returns the names that \p Object refers to and does not define.
static Expected<std::vector<std::string>> undefinedSymbols(MemoryBufferRef Object) {
  Expected<std::unique_ptr<object::ObjectFile>> File = object::ObjectFile::createObjectFile(Object);
  if (!File)
    return File.takeError();
  std::vector<std::string> Names;
  for (const object::SymbolRef &Symbol : (*File)->symbols()) {
    Expected<uint32_t> Flags = Symbol.getFlags();
    if (!Flags)
      return Flags.takeError();
    if (!(*Flags & object::SymbolRef::SF_Undefined) ||
        (*Flags & object::SymbolRef::SF_FormatSpecific))
      continue;
    Expected<StringRef> Name = Symbol.getName();
    if (!Name)
      return Name.takeError();
    if (!Name->empty())
      Names.push_back(Name->str());
  }
  return Names;
}

Expected<std::vector<std::string>> helpersOf(ArrayRef<MemoryBufferRef> Objects) {
  std::set<std::string> Names;
  for (MemoryBufferRef Object : Objects) {
    Expected<std::vector<std::string>> Undefined = undefinedSymbols(Object);
    if (!Undefined)
      return Undefined.takeError();
    Names.insert(Undefined->begin(), Undefined->end());
  }
  for (const std::string &Name : Names)
    if (!isHelper(Name))
      return createStringError("the code refers to " + Name + " by name");
  return std::vector<std::string>(Names.begin(), Names.end());
}

} // namespace specrt
