//===- instrument/select/selection.cpp - functions that the user includes or excludes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads filter options and clang's annotations; see selection.h.
//
//===----------------------------------------------------------------------===//
#include "instrument/select/selection.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Process.h"
#include <cstdlib>

using namespace llvm;

static cl::opt<std::string> Filter("specrt-filter",
                                   cl::desc("Instrument only functions that match this list"),
                                   cl::value_desc("glob,!glob,..."));
static cl::opt<bool> AnnotatedOnly("specrt-annotated-only",
                                   cl::desc("Instrument only functions marked SPECRT_REGION"));

namespace specrt {

std::string qualifiedName(StringRef Mangled) {
  ItaniumPartialDemangler Demangler;
  std::string Name = Mangled.str();
  if (Demangler.partialDemangle(Name.c_str()) || !Demangler.isFunction())
    return Name;
  auto Take = [](char *Text) {
    std::string Result = Text ? Text : "";
    std::free(Text);
    return Result;
  };
  std::string Context = Take(Demangler.getFunctionDeclContextName(nullptr, nullptr));
  std::string Base = Take(Demangler.getFunctionBaseName(nullptr, nullptr));
  if (Base.empty())
    return Name;
  return Context.empty() ? Base : Context + "::" + Base;
}

Selection::Selection(Module &M) {
  List = Filter;
  if (std::optional<std::string> More = sys::Process::GetEnv("SPECRT_INSTRUMENT_FILTER"))
    List += "," + *More;
  readFilter(M);
  readAnnotations(M);
}

void Selection::readFilter(Module &M) {
  SmallVector<StringRef> Parts;
  StringRef(List).split(Parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    Part = Part.trim();
    bool Exclude = Part.consume_front("!");
    Expected<GlobPattern> Glob = GlobPattern::create(Part);
    if (!Glob) {
      M.getContext().diagnose(DiagnosticInfoGeneric(
          "specrt: filter '" + Part + "' is ignored: " + toString(Glob.takeError()), DS_Warning));
      continue;
    }
    IncludedByDefault &= Exclude;
    Patterns.push_back({std::move(*Glob), Exclude});
  }
}

/// Returns the arguments of an annotation; nothing if one of them does not fit a 64-bit integer.
static SmallVector<int64_t> argumentsOf(const ConstantStruct &Entry) {
  constexpr unsigned At = 4;
  SmallVector<int64_t> Values;
  const auto *Global = Entry.getNumOperands() > At
                           ? dyn_cast<GlobalVariable>(Entry.getOperand(At)->stripPointerCasts())
                           : nullptr;
  if (!Global || !Global->hasInitializer())
    return Values;
  const Constant *All = Global->getInitializer();
  for (unsigned I = 0; const Constant *Each = All->getAggregateElement(I); ++I)
    if (const auto *Number = dyn_cast<ConstantInt>(Each);
        const std::optional<int64_t> Value =
            Number ? Number->getValue().trySExtValue() : std::nullopt)
      Values.push_back(*Value);
    else
      return {};
  return Values;
}

/// Reads llvm.global.annotations = [{ function, string, file, line, arguments }, ...].
void Selection::readAnnotations(Module &M) {
  GlobalVariable *Annotations = M.getNamedGlobal("llvm.global.annotations");
  auto *List = Annotations && Annotations->hasInitializer()
                   ? dyn_cast<ConstantArray>(Annotations->getInitializer())
                   : nullptr;
  if (!List)
    return;
  for (Value *Element : List->operands()) {
    auto *Entry = dyn_cast<ConstantStruct>(Element);
    if (!Entry || Entry->getNumOperands() < 2)
      continue;
    auto *F = dyn_cast<Function>(Entry->getOperand(0)->stripPointerCasts());
    auto *Text = dyn_cast<GlobalVariable>(Entry->getOperand(1)->stripPointerCasts());
    auto *Data = Text && Text->hasInitializer()
                     ? dyn_cast<ConstantDataSequential>(Text->getInitializer())
                     : nullptr;
    if (!F || !Data || !Data->isCString())
      continue;
    if (Data->getAsCString() == "specrt_region")
      Requested.insert(F);
    else if (Data->getAsCString() == "specrt_pipeline") {
      Requested.insert(F);
      Pipelines[F] = positionsFrom(argumentsOf(*Entry));
    } else if (Data->getAsCString() == "specrt_noinstrument")
      Refused.insert(F);
  }
}

std::string Selection::reasonAgainst(const Function &F) const {
  if (Refused.contains(&F))
    return "the function is marked SPECRT_NOINSTRUMENT";
  if (isRequested(F))
    return "";
  if (AnnotatedOnly)
    return "the function is not marked SPECRT_REGION";
  bool Included = IncludedByDefault;
  std::string Qualified = qualifiedName(F.getName());
  for (const Pattern &P : Patterns)
    if (P.Glob.match(F.getName()) || P.Glob.match(Qualified))
      Included = !P.Exclude;
  return Included ? "" : "the function is excluded by the filter";
}

} // namespace specrt
