//===- specializer/module/naming.cpp - the names of generated functions ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/module/naming.h"
#include "guards/guards.h"
#include "guards/words.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {
namespace {

/// Longer names of regions (of templates) are shortened in the middle, as the line is at the end.
constexpr size_t MaxRegionName = 120;

/// Replaces characters with a special meaning: '@' would start a symbol version for the linker,
/// line ends would break perf maps.
std::string readable(StringRef Name) {
  std::string Result = Name.str();
  if (Result.size() > MaxRegionName)
    Result.replace(MaxRegionName / 2, Result.size() - MaxRegionName, "...");
  for (char &C : Result)
    if (!isPrint(C) || C == '@' || C == '"')
      C = '_';
  return Result;
}

std::string compose(const specrt_region &Region, StringRef Kind, const std::string &Label) {
  std::string Name = readable(shortTitleOf(Region)) + "." + Kind.str();
  return Label.empty() ? Name : Name + "[" + readable(Label) + "]";
}

} // namespace

std::string nameOfArray(const specrt_region &Region, const Value &Array) {
  if (const auto *A = dyn_cast<Argument>(&Array))
    return argumentName(Region, A->getArgNo());
  return isa<GlobalVariable>(Array) ? demangled(Array.getName().str()) : "";
}

std::string nameOfCandidate(const specrt_jit_request &Request, StringRef Candidate) {
  std::string Kind = Candidate.str();
  if (Request.first_iteration)
    Kind += "-from-" + std::to_string(Request.first_iteration);
  if (Request.end_iteration)
    Kind += "-to-" + std::to_string(Request.end_iteration);
  return compose(*Request.region, Kind, labelOfConstants(*Request.region, Request.facts));
}

std::string nameOfEntry(const specrt_region &Region, GuardView Guards) {
  return compose(Region, "guards", labelOfPinned(Region, Guards));
}

std::string nameFunctions(Module &M, Function &Entry, StringRef Name) {
  Entry.setName(Name);
  Entry.setLinkage(GlobalValue::ExternalLinkage);
  for (Function &F : M) {
    if (&F == &Entry || F.isDeclarationForLinker())
      continue;
    // Polly and shareLoop outline the bodies of parallel loops. shareLoop also makes a worker
    // function that threads start with.
    const bool IsLoop = F.getName().contains("polly_subfn") || F.getName().contains("shared_loop");
    const bool IsWorker = F.getName().contains("shared_worker");
    F.setName(Entry.getName() + (IsLoop ? ".loop" : IsWorker ? ".worker" : ".part"));
    F.setLinkage(GlobalValue::InternalLinkage);
  }
  return Entry.getName().str();
}

} // namespace specrt
