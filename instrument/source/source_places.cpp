//===- instrument/source/source_places.cpp - source lines of a nest, for people -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/source/source_places.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace llvm;

namespace specrt {
namespace {

constexpr size_t MaxPlaces = 12;
constexpr StringLiteral OutlinedByOpenMP = ".omp_outlined";

struct Lines {
  StringRef File;
  unsigned First, Last;
};
using LinesOf = MapVector<const DISubprogram *, Lines>;

void add(LinesOf &To, const DILocation &At) {
  if (At.getLine() == 0)
    return;
  auto [It, New] = To.insert(
      {At.getScope()->getSubprogram(), Lines{At.getFilename(), At.getLine(), At.getLine()}});
  // Parts of a function that come from another file (#include inside of it) have other lines.
  if (It->second.File != At.getFilename())
    return;
  It->second.First = std::min(It->second.First, At.getLine());
  It->second.Last = std::max(It->second.Last, At.getLine());
}

/// Returns the location where \p L begins in the function that it was written in.
const DILocation *beginOf(const Loop &L) {
  const DILocation *At = L.getStartLoc().get();
  if (!At)
    return nullptr;
  // In library code, takes the function that the program calls, not those called by it.
  while (isSystemFile(At->getFilename()) && At->getInlinedAt() &&
         isSystemFile(At->getInlinedAt()->getFilename()))
    At = At->getInlinedAt();
  return At;
}

/// Adds the frames of \p At up to that of \p Begin; adds none if \p Begin is not among the callers.
void addFrames(LinesOf &To, const DILocation &At, const DILocation &Begin) {
  SmallVector<const DILocation *> Frames;
  for (const DILocation *Frame = &At; Frame; Frame = Frame->getInlinedAt()) {
    Frames.push_back(Frame);
    if (Frame->getInlinedAt() == Begin.getInlinedAt() &&
        Frame->getScope()->getSubprogram() == Begin.getScope()->getSubprogram()) {
      for (const DILocation *Known : Frames)
        add(To, *Known);
      return;
    }
  }
}

std::string nameOf(const DISubprogram &Function, const llvm::Function &Parent) {
  if (&Function == Parent.getSubprogram())
    return readableName(Parent.getName());
  return readableName(Function.getLinkageName().empty() ? Function.getName()
                                                        : Function.getLinkageName());
}

std::string take(char *Text) {
  std::string Result = Text ? Text : "";
  std::free(Text);
  return Result;
}

} // namespace

std::string readableName(StringRef Symbol) {
  std::string Plain = Symbol.split(OutlinedByOpenMP).first.split(".llvm.").first.str();
  ItaniumPartialDemangler Demangler;
  // Names of parts of a variable end with ".<number>".
  const size_t End = std::min(Plain.find('.'), Plain.size());
  const std::string Mangled = Plain.substr(0, End); // the demangler refers to it
  // The demangler also accepts mangled types, such as "f" for float, as which C names may parse.
  if (!StringRef(Mangled).starts_with("_Z") || Demangler.partialDemangle(Mangled.c_str()))
    return Plain;
  std::string Name = Demangler.isFunction()
                         ? take(Demangler.getFunctionName(nullptr, nullptr))
                         : take(Demangler.finishDemangle(nullptr, nullptr)) + Plain.substr(End);
  // Users cannot write this qualifier, and the file is known anyway.
  constexpr StringLiteral Anonymous = "(anonymous namespace)::";
  for (size_t At = 0; (At = Name.find(Anonymous.str(), At)) != std::string::npos;)
    Name.erase(At, Anonymous.size());
  return Name.empty() ? Plain : Name;
}

bool isSystemFile(StringRef File) {
  return File.starts_with("/usr/") || File.contains("/include/c++/") ||
         File.contains("/lib/clang/") || File.contains("/lib/gcc/");
}

const DISubprogram *writtenIn(const Loop &L) {
  const DILocation *Begin = beginOf(L);
  return Begin ? Begin->getScope()->getSubprogram() : nullptr;
}

std::vector<SourcePlace> findPlaces(const Loop &L) {
  const DILocation *Begin = beginOf(L);
  if (!Begin)
    return {};
  LinesOf Found;
  add(Found, *Begin);
  const DebugLoc End = L.getLocRange().getEnd();
  if (End && End->getScope()->getSubprogram() == Begin->getScope()->getSubprogram())
    add(Found, *End.get());
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      if (const DILocation *At = I.getDebugLoc().get())
        addFrames(Found, *At, *Begin);
  // A loop in library code is also described by the line that calls the library.
  if (const DILocation *Caller = Begin->getInlinedAt();
      Caller && isSystemFile(Begin->getFilename()))
    add(Found, *Caller);
  std::vector<SourcePlace> Places;
  for (const bool System : {false, true})
    for (const auto &[Function, Of] : Found) {
      const bool IsOwn = Function == Found.front().first; // goes first, even if it belongs to the
                                                          // system
      if (Places.size() < MaxPlaces && (IsOwn ? !System : System == isSystemFile(Of.File)))
        Places.insert(
            IsOwn ? Places.begin() : Places.end(),
            {nameOf(*Function, *L.getHeader()->getParent()), Of.File.str(), Of.First, Of.Last});
    }
  return Places;
}

unsigned inlinedCallLine(const Loop &L) {
  unsigned Line = 0;
  for (const DILocation *At = beginOf(L); At; At = At->getInlinedAt())
    Line = At->getInlinedAt() ? At->getInlinedAt()->getLine() : Line;
  return Line;
}

static std::string lineSuffix(unsigned Line) { return Line ? ":" + std::to_string(Line) : ""; }

std::string titleOf(const Function &Parent, ArrayRef<SourcePlace> Where, unsigned Line,
                    StringRef Number, unsigned CallLine) {
  const std::string Name = readableName(Parent.getName());
  const bool IsOpenMP = Parent.getName().contains(OutlinedByOpenMP);
  const std::string Place = lineSuffix(Line) + Number.str();
  if (!Where.empty() && Where.front().Function != Name)
    return Where.front().Function + Place + ", inlined into " + Name + lineSuffix(CallLine) +
           (IsOpenMP ? " (OpenMP loop)" : "");
  if (!IsOpenMP)
    return Name + Place;
  const StringRef File = Where.empty() ? "" : sys::path::filename(Where.front().File);
  return Name + " (OpenMP loop" + (File.empty() ? "" : ", " + File.str()) + Place + ")";
}

PreservedAnalyses NameScopesPass::run(Module &M, ModuleAnalysisManager &) {
  for (Function &F : M)
    if (DISubprogram *Scope = F.getSubprogram();
        Scope && Scope->getLinkageName().empty() && Scope->getUnit() &&
        Scope->getUnit()->getEmissionKind() == DICompileUnit::NoDebug)
      Scope->replaceLinkageName(MDString::get(M.getContext(), F.getName()));
  return PreservedAnalyses::all();
}

} // namespace specrt
