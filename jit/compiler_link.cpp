//===- jit/compiler_link.cpp - candidates as shared objects ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/compiler.h"
#include "jit/object/linker.h"
#include "specializer/module/region_module.h"
#include <set>

using namespace llvm;

namespace specrt {

/// The largest number of object files of entries that are kept; each has some kilobytes.
static constexpr size_t MaxKeptEntries = 8;

const char *Compiler::link(const specrt_jit_link &Request) {
  LinkerOutput Output(Request.file);
  Error Problem = linkChecked(Request, Output);
  LinkProblem = Problem ? toString(std::move(Problem)) : "";
  return LinkProblem.empty() ? nullptr : LinkProblem.c_str();
}

/// Returns the entries of an earlier link with equal guards, or makes new ones. They live until the
/// next link.
Expected<const EntriesObject *> Compiler::entriesFor(const specrt_region &Region,
                                                     const GuardList &Guards) {
  for (const std::unique_ptr<EntriesObject> &Known : Entries)
    if (Known->isFor(Region, Guards))
      return Known.get();
  auto Made = std::make_unique<EntriesObject>();
  Made->RegionText = textOfSignature(Region);
  Made->Guards = Guards;
  const std::unique_ptr<LLVMContext> Context = createQuietContext();
  Expected<std::unique_ptr<Module>> M = defineEntries(Region, Guards, *Context, Made->Symbols);
  if (!M)
    return M.takeError();
  Expected<std::unique_ptr<MemoryBuffer>> Object = Code->compile(**M);
  if (!Object)
    return Object.takeError();
  Made->Object = std::move(*Object);
  Entries.push_back(std::move(Made));
  return Entries.back().get();
}

Error Compiler::linkChecked(const specrt_jit_link &Request, LinkerOutput &Output) {
  std::vector<ObjectBody> Bodies;
  std::vector<MemoryBufferRef> Objects;
  for (const specrt_jit_candidate &C : ArrayRef(Request.candidates, Request.num_candidates)) {
    const auto &Loaded = *static_cast<const LoadedCandidate *>(C.handle);
    Bodies.push_back(Loaded.Body);
    Objects.push_back(Loaded.Object->getMemBufferRef());
  }
  if (Bodies.empty())
    return createStringError("nothing to link");
  Expected<std::vector<std::string>> Helpers = helpersOf(Objects);
  if (!Helpers)
    return Helpers.takeError();
  if (Entries.size() >= MaxKeptEntries)
    Entries.clear();
  std::set<const EntriesObject *> Checked;
  for (auto [C, Body] : zip(ArrayRef(Request.candidates, Request.num_candidates), Bodies)) {
    Expected<const EntriesObject *> Known = entriesFor(*Request.region, GuardList(C.guards));
    if (!Known)
      return Known.takeError();
    Body.Entries = *Known;
    if (Checked.insert(*Known).second)
      Objects.push_back((*Known)->Object->getMemBufferRef());
  }
  std::unique_ptr<LLVMContext> Context = createQuietContext();
  Expected<std::unique_ptr<Module>> M = describeVersionObject(
      *Request.region, Bodies, *Helpers, Request.key, Code->target().createDataLayout(), *Context);
  if (!M)
    return M.takeError();
  Expected<std::unique_ptr<MemoryBuffer>> Description = Code->compile(**M);
  if (!Description)
    return Description.takeError();
  Objects.push_back((*Description)->getMemBufferRef());
  return linkShared(Objects, Output);
}

} // namespace specrt
