//===- instrument/source/source_names.cpp - names of values in the source -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/source/source_names.h"
#include "guards/address.h"
#include "instrument/source/source_places.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <algorithm>
#include <optional>

using namespace llvm;

namespace specrt {
namespace {

constexpr unsigned MaxDepth = 6;
constexpr size_t MaxMemoryNames = 24;

/// Returns whether \p Name is reserved for the implementation, as members of library classes are.
bool isReserved(StringRef Name) {
  return Name.starts_with(".") || Name.starts_with("__") ||
         (Name.size() > 1 && Name[0] == '_' && isUpper(Name[1]));
}

const DIType *withoutQualifiers(const DIType *T) {
  while (const auto *Derived = dyn_cast_or_null<DIDerivedType>(T)) {
    if (!is_contained({dwarf::DW_TAG_typedef, dwarf::DW_TAG_const_type, dwarf::DW_TAG_volatile_type,
                       dwarf::DW_TAG_restrict_type, dwarf::DW_TAG_atomic_type},
                      Derived->getTag()))
      break;
    T = Derived->getBaseType();
  }
  return T;
}

bool isReference(const DIType *T) {
  T = withoutQualifiers(T);
  return T && is_contained({dwarf::DW_TAG_reference_type, dwarf::DW_TAG_rvalue_reference_type},
                           T->getTag());
}

const DIType *pointee(const DIType *T) {
  const auto *Derived = dyn_cast_or_null<DIDerivedType>(withoutQualifiers(T));
  if (Derived && (Derived->getTag() == dwarf::DW_TAG_pointer_type || isReference(Derived)))
    return withoutQualifiers(Derived->getBaseType());
  return nullptr;
}

/// The path from an object to a part of it: ".cur", "[3]", ".p.x".
struct Part {
  std::string Path;
  const DIType *Type = nullptr; ///< null: unknown
};

const DIDerivedType *memberAt(const DICompositeType &T, uint64_t Bits) {
  for (const DINode *Element : T.getElements()) {
    const auto *Member = dyn_cast<DIDerivedType>(Element);
    if (Member && !Member->isStaticMember() && Member->getOffsetInBits() <= Bits &&
        Bits < Member->getOffsetInBits() +
                   std::max(Member->getSizeInBits(),
                            Member->getBaseType() ? Member->getBaseType()->getSizeInBits() : 0))
      return Member;
  }
  return nullptr;
}

/// Returns the part \p Bits behind the begin of a \p T. Members of library classes are not named:
/// the elements of a vector v are called v.
std::optional<Part> partAt(const DIType *T, uint64_t Bits) {
  Part Found;
  bool Hidden = false;
  for (unsigned Depth = 0; Depth < 2 * MaxDepth; ++Depth) {
    T = withoutQualifiers(T);
    const auto *Whole = dyn_cast_or_null<DICompositeType>(T);
    if (!Whole) {
      Found.Type = T;
      return T && Bits == 0 ? std::optional(Found) : std::nullopt;
    }
    if (Whole->getTag() == dwarf::DW_TAG_enumeration_type) {
      Found.Type = Whole;
      return Bits == 0 ? std::optional(Found) : std::nullopt;
    }
    if (Whole->getTag() == dwarf::DW_TAG_array_type) {
      const DIType *Element = withoutQualifiers(Whole->getBaseType());
      if (!Element || Element->getSizeInBits() == 0 || Whole->getElements().size() != 1)
        return std::nullopt;
      if (!Hidden)
        Found.Path += "[" + std::to_string(Bits / Element->getSizeInBits()) + "]";
      Bits %= Element->getSizeInBits();
      T = Element;
      continue;
    }
    const DIDerivedType *Member = memberAt(*Whole, Bits);
    if (!Member) // a class whose definition is in other files' debug info
      return Whole->getElements().empty() ? std::optional(Found) : std::nullopt;
    Hidden |= isReserved(Member->getName());
    if (!Hidden && !Member->getName().empty())
      Found.Path += "." + Member->getName().str();
    if (Member->getName() == "_M_finish")
      Found.Path += ".end()";
    Bits -= Member->getOffsetInBits();
    T = Member->getBaseType();
  }
  return std::nullopt;
}

/// Returns "s->n" for ".n" behind the pointer s, and "v.n" behind a reference or in a variable.
std::string joined(const SourceValue &Base, const std::string &Path) {
  if (Base.IsPlace || isReference(Base.Type) || Path.empty() || Path[0] == '[')
    return Base.Name + Path;
  return Base.Name + "->" + Path.substr(1);
}

/// Returns the name of \p Variable, readable for variables that clang adds for OpenMP loops.
std::string nameOf(const DILocalVariable &Variable) {
  return StringSwitch<std::string>(Variable.getName())
      .Cases({".omp.iv", ".omp.lb"}, "thread.first")
      .Case(".omp.ub", "thread.last")
      .Case(".omp.stride", "thread.step")
      .Default(isReserved(Variable.getName()) ? "" : Variable.getName().str());
}

class Names {
public:
  /// \p Args: the names of the function's arguments, as far as they are known already.
  Names(const DISubprogram *Writer, ArrayRef<SourceValue> Args) : Writer(Writer), Args(Args) {}
  SourceValue of(Value &V, unsigned Depth = 0) const;

private:
  std::optional<SourceValue> variable(Value &V) const;
  std::optional<SourceValue> placed(Value &Pointer, unsigned Depth) const;
  unsigned rank(const DILocalVariable &Variable, const Value &V) const;

  const DISubprogram *Writer;
  ArrayRef<SourceValue> Args;
};

constexpr unsigned Foreign = 3;

/// Returns the rank of \p Variable as a name for \p V, the best first: variables of the function
/// that contains the loop, then of the function in the IR, then of others. Variables of library
/// functions are Foreign and give no names.
unsigned Names::rank(const DILocalVariable &Variable, const Value &V) const {
  const DISubprogram *Scope = Variable.getScope()->getSubprogram();
  if (Scope == Writer)
    return 0;
  const Function *F = nullptr;
  if (const auto *I = dyn_cast<Instruction>(&V))
    F = I->getFunction();
  else if (const auto *A = dyn_cast<Argument>(&V))
    F = A->getParent();
  if (F && Scope == F->getSubprogram())
    return 1;
  return isSystemFile(Variable.getFilename()) || isReserved(Variable.getName()) ? Foreign : 2;
}

std::optional<SourceValue> Names::variable(Value &V) const {
  SmallVector<DbgVariableRecord *> Records;
  findDbgUsers(&V, Records);
  std::optional<SourceValue> Best;
  unsigned BestRank = Foreign;
  for (const DbgVariableRecord *Record : Records) {
    const DILocalVariable *Variable = Record->getVariable();
    const DIExpression *Expression = Record->getExpression();
    if (!Variable || Record->hasArgList() || rank(*Variable, V) >= BestRank)
      continue;
    const auto Fragment = Expression->getFragmentInfo();
    if (Expression->getNumElements() != (Fragment ? 3u : 0u))
      continue;
    SourceValue Found{nameOf(*Variable), Variable->getType(), Record->isDbgDeclare()};
    if (Fragment) {
      std::optional<Part> Piece = partAt(Variable->getType(), Fragment->OffsetInBits);
      if (!Piece)
        continue;
      Found = {Found.Name + Piece->Path, Piece->Type, Record->isDbgDeclare()};
    }
    Best = std::move(Found);
    BestRank = rank(*Variable, V);
  }
  return Best;
}

/// Returns whether \p Name can be that of a member: clang does not use it for other addresses, and
/// no digit at its end may have been added to make it unique.
bool isMemberName(StringRef Name) {
  return !Name.empty() && isAlpha(Name[0]) && !isDigit(Name.back()) &&
         !is_contained({"arrayidx", "arraydecay", "add", "incdec", "gep", "scevgep", "uglygep",
                        "coerce", "ref", "invariant", "idx", "next", "agg", "sunkaddr", "vtable",
                        "cast", "src"},
                       Name);
}

/// Returns the name of the object at \p Pointer.
std::optional<SourceValue> Names::placed(Value &Pointer, unsigned Depth) const {
  const auto *Step = dyn_cast<GetElementPtrInst>(&Pointer);
  APInt Offset(64, 0);
  const Module *M = nullptr;
  if (const auto *I = dyn_cast<Instruction>(&Pointer))
    M = I->getModule();
  else if (const auto *A = dyn_cast<Argument>(&Pointer))
    M = A->getParent()->getParent();
  else if (const auto *G = dyn_cast<GlobalValue>(&Pointer))
    M = G->getParent();
  if (!M)
    return std::nullopt;
  Value *Base = Pointer.stripAndAccumulateConstantOffsets(M->getDataLayout(), Offset, true);
  const SourceValue Whole = of(*Base, Depth + 1);
  if (Whole.Name.empty() || Offset.isNegative())
    return std::nullopt;
  const DIType *T = Whole.IsPlace ? Whole.Type : pointee(Whole.Type);
  if (!T) {
    // Without debug info, members of *this still have their plain names in the IR.
    StringRef Member = Step ? Step->getName().split('.').first : "";
    if (Step && Step->getPointerOperand() == Base && Whole.Name == "this" && isMemberName(Member))
      return SourceValue{"this->" + Member.str(), nullptr, true};
    return std::nullopt;
  }
  std::optional<Part> Piece = partAt(T, Offset.getZExtValue() * 8);
  if (!Piece)
    return std::nullopt;
  std::string Name = joined(Whole, Piece->Path);
  if (Piece->Path.empty() && !Whole.IsPlace && !isReference(Whole.Type))
    Name = "*" + Name;
  return SourceValue{std::move(Name), Piece->Type, true};
}

SourceValue Names::of(Value &V, unsigned Depth) const {
  if (Depth > MaxDepth)
    return {};
  if (auto *A = dyn_cast<Argument>(&V); A && A->getArgNo() < Args.size())
    return Args[A->getArgNo()];
  if (auto *G = dyn_cast<GlobalVariable>(&V)) {
    SmallVector<DIGlobalVariableExpression *> Known;
    G->getDebugInfo(Known);
    if (Known.empty())
      return {G->hasName() ? readableName(G->getName()) : "", nullptr, true};
    return {Known.front()->getVariable()->getName().str(), Known.front()->getVariable()->getType(),
            true};
  }
  if (std::optional<SourceValue> Found = variable(V))
    return *Found;
  if (auto *Load = dyn_cast<LoadInst>(&V)) {
    if (std::optional<SourceValue> Place = placed(*Load->getPointerOperand(), Depth))
      return {Place->Name, Place->Type, false};
    // A scalar variable without debug info. Parts of larger ones cannot be named.
    auto *G = dyn_cast<GlobalVariable>(Load->getPointerOperand());
    return {G && G->getValueType() == Load->getType() ? of(*G, Depth + 1).Name : "", nullptr,
            false};
  }
  if (isa<GetElementPtrInst>(V))
    return placed(V, Depth).value_or(SourceValue());
  if (auto *Cast = dyn_cast<CastInst>(&V); Cast && Cast->getType()->isIntegerTy())
    return of(*Cast->getOperand(0), Depth + 1);
  // A live-out phi gets the name of the variable whose value leaves the loop.
  if (auto *Phi = dyn_cast<PHINode>(&V))
    for (Value *Incoming : Phi->incoming_values())
      if (isa<Instruction>(Incoming) && !isa<PHINode>(Incoming))
        if (SourceValue Found = of(*Incoming, Depth + 1); !Found.Name.empty())
          return Found;
  // Instruction names such as "n.addr.014" would mislead.
  StringRef Name = isa<Argument>(V) ? V.getName().split('.').first : "";
  return {isReserved(Name) ? "" : Name.str(), nullptr, false};
}

/// Returns the base that \p V is equal to, without an offset, if there is one.
std::optional<specrt_base> baseOf(const Value &V, const DataLayout &DL, const SymbolIndex &Symbols,
                                  unsigned Depth = 0) {
  if (const auto *A = dyn_cast<Argument>(&V))
    return specrt_base{SPECRT_BASE_ARGUMENT, static_cast<uint16_t>(A->getArgNo()), 0};
  if (const auto *G = dyn_cast<GlobalVariable>(&V)) {
    std::optional<unsigned> Index = Symbols(*G);
    return Index ? std::optional(specrt_base{SPECRT_BASE_SYMBOL, static_cast<uint16_t>(*Index), 0})
                 : std::nullopt;
  }
  const auto *Load = dyn_cast<LoadInst>(&V);
  if (!Load || Depth > 1)
    return std::nullopt;
  APInt Offset(64, 0);
  const Value *Holder =
      Load->getPointerOperand()->stripAndAccumulateConstantOffsets(DL, Offset, true);
  std::optional<specrt_base> Base = baseOf(*Holder, DL, Symbols, Depth + 1);
  return Base ? loadedFrom(*Base, Offset.getSExtValue()) : std::nullopt;
}

} // namespace

SourceValue sourceValue(Value &V, const DISubprogram *Writer) { return Names(Writer, {}).of(V); }

std::vector<MemoryName> memoryNames(Function &Body, ArrayRef<SourceValue> Args,
                                    const SymbolIndex &Symbols) {
  std::vector<MemoryName> Found;
  const Names Known(nullptr, Args);
  const DataLayout &DL = Body.getDataLayout();
  for (Instruction &I : instructions(Body)) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || !(Load->getType()->isIntegerTy() || Load->getType()->isPointerTy()) ||
        Found.size() == MaxMemoryNames)
      continue;
    APInt Offset(64, 0);
    const Value *Holder =
        Load->getPointerOperand()->stripAndAccumulateConstantOffsets(DL, Offset, true);
    std::optional<specrt_base> Base = baseOf(*Holder, DL, Symbols);
    if (!Base || !isInt<32>(Offset.getSExtValue()))
      continue;
    MemoryName Name{*Base, static_cast<int32_t>(Offset.getSExtValue()), Known.of(*Load).Name};
    if (!Name.Text.empty() && none_of(Found, [&](const MemoryName &Other) {
          return isSameBase(Other.Base, Name.Base) && Other.Begin == Name.Begin;
        }))
      Found.push_back(std::move(Name));
  }
  return Found;
}

} // namespace specrt
