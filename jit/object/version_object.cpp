//===- jit/object/version_object.cpp - the self-description of a shared object ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/object/version_object.h"
#include "jit/code/guard_code.h"
#include "jit/code/symbol_table.h"
#include "specializer/module/naming.h"
#include "specializer/module/region_module.h"
#include "llvm/Object/ObjectFile.h"

using namespace llvm;

namespace specrt {
namespace {

class ObjectDescriber {
public:
  ObjectDescriber(const specrt_region &Region, const DataLayout &Layout, LLVMContext &Context)
      : Region(Region), M(std::make_unique<Module>("specrt_version_object", Context)),
        GuardSymbols(*M, Region, "specrt.guard.symbols"), Pointer(PointerType::get(Context, 0)),
        Word(Type::getInt32Ty(Context)) {
    M->setDataLayout(Layout);
  }

  Error addBody(const ObjectBody &Body);
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
  Expected<Constant *> entryFor(const GuardList &Guards);
  Expected<Function *> addEntry(Constant *State, const GuardList &Guards, bool ExactInside);
  void addHelper(const std::string &Name, unsigned Number);

  const specrt_region &Region;
  std::unique_ptr<Module> M;
  SymbolTable GuardSymbols;
  Type *Pointer, *Word;
  SmallVector<Constant *> Bodies;
  /// What checks guards, once for all bodies that have the same.
  SmallVector<std::pair<const GuardList *, Constant *>> Entries;
  SmallVector<Constant *> HelperNames;
  GlobalVariable *Helpers = nullptr;
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

Expected<Function *> ObjectDescriber::addEntry(Constant *State, const GuardList &Guards,
                                               bool ExactInside) {
  Expected<FunctionType *> Signature = regionType(Region, M->getContext());
  if (!Signature)
    return Signature.takeError();
  Function *F =
      Function::Create(*Signature, GlobalValue::InternalLinkage, nameOfEntry(Region, Guards), *M);
  EntrySurroundings Here{
      State, [this](IRBuilderBase &B, unsigned Symbol) { return GuardSymbols.load(B, Symbol); }};
  if (Error E = emitEntry(*F, Region, Guards, ExactInside, Here))
    return std::move(E);
  return F;
}

/// A specrt_object_entry.
Expected<Constant *> ObjectDescriber::entryFor(const GuardList &Guards) {
  for (const auto &[Known, Entry] : Entries)
    if (*Known == Guards)
      return Entry;
  Type *Bytes = ArrayType::get(Type::getInt8Ty(M->getContext()), sizeof(specrt_version_state));
  auto *State = new GlobalVariable(*M, Bytes, /*isConstant=*/false, GlobalValue::InternalLinkage,
                                   ConstantAggregateZero::get(Bytes), "specrt.state");
  State->setAlignment(Align(64));
  Expected<Function *> Entry = addEntry(State, Guards, /*ExactInside=*/false);
  if (!Entry)
    return Entry.takeError();
  Expected<Function *> ExactEntry = addEntry(State, Guards, /*ExactInside=*/true);
  if (!ExactEntry)
    return ExactEntry.takeError();
  Constant *Fields[] = {guards(Guards), *Entry, *ExactEntry, State};
  Constant *Described = constant(ConstantStruct::getAnon(Fields), "specrt.entry");
  Entries.emplace_back(&Guards, Described);
  return Described;
}

/// A call passes through with all its arguments untouched, whatever their types are.
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

/// A specrt_guards.
Constant *ObjectDescriber::guards(GuardView Guards) {
  const specrt_guards &Plain = Guards.plain();
  ArrayRef<uint8_t> Bytes(reinterpret_cast<const uint8_t *>(Plain.first), Plain.bytes);
  Constant *Fields[] = {
      Bytes.empty() ? null()
                    : constant(ConstantDataArray::get(M->getContext(), Bytes), "specrt.guards"),
      ConstantInt::get(Type::getInt64Ty(M->getContext()), Plain.bytes)};
  return ConstantStruct::getAnon(Fields);
}

/// A specrt_object_body.
Error ObjectDescriber::addBody(const ObjectBody &Body) {
  Expected<Constant *> Entry = entryFor(Body.Guards);
  if (!Entry)
    return Entry.takeError();
  Constant *Fields[] = {text(Body.Name),
                        external(Body.Entry),
                        *Entry,
                        Body.Table.empty() ? null() : external(Body.Table),
                        word(Body.Parallel),
                        word(0),
                        ConstantFP::get(Type::getDoubleTy(M->getContext()), Body.CompileMs),
                        Body.Rows.empty() ? null() : external(Body.Rows)};
  Bodies.push_back(ConstantStruct::getAnon(Fields));
  return Error::success();
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
                        orNull(GuardSymbols.global()),
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
    if (Error E = Describer.addBody(Body))
      return std::move(E);
  Describer.addHelpers(Helpers);
  if (Error E = Describer.addDescription(Key))
    return std::move(E);
  return Describer.take();
}

Expected<std::vector<std::string>> undefinedSymbols(MemoryBufferRef Object) {
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

} // namespace specrt
