//===- jit/compiler_link.cpp - entries, and candidates as shared objects --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/code/guard_code.h"
#include "jit/compiler.h"
#include "jit/object/linker.h"
#include "specializer/module/lines.h"
#include "specializer/module/naming.h"
#include "specializer/module/region_module.h"
#include "llvm/Support/Format.h"
#include <cstdio>
#include <set>

using namespace llvm;

namespace specrt {

/// Object files of entries, some kilobytes each.
static constexpr size_t MaxKeptEntries = 8;

void *Compiler::makeEntry(const specrt_region &Region, GuardView Guards, bool ExactInside,
                          specrt_version_state *State) {
  CompileControl::Running Inside(Control);
  void *Entry = nullptr;
  auto Work = [&]() -> Error {
    Expected<void *> Made = makeEntryChecked(Region, Guards, ExactInside, State);
    if (!Made)
      return Made.takeError();
    Entry = *Made;
    return Error::success();
  };
  Failure Why;
  if (contain(Work, Why))
    return Entry;
  char Line[600];
  snprintf(Line, sizeof(Line), "%s: no entry: %s", Region.name, Why.c_str());
  log(1, Line);
  return nullptr;
}

Expected<void *> Compiler::makeEntryChecked(const specrt_region &Region, GuardView Guards,
                                            bool ExactInside, specrt_version_state *State) {
  std::unique_ptr<LLVMContext> Context = createQuietContext();
  Expected<std::unique_ptr<Module>> M = buildEntry(Region, Guards, ExactInside, State, *Context);
  if (!M)
    return M.takeError();
  std::string Entry =
      nameFunctions(**M, *(*M)->getFunction(EntryName), nameOfEntry(Region, Guards));
  giveLines(**M, Region);
  Expected<std::unique_ptr<MemoryBuffer>> Object = Code->compile(**M);
  if (!Object)
    return Object.takeError();
  Expected<LoadedCode> Loaded = Code->load(std::move(*Object), Entry, {});
  if (!Loaded)
    return Loaded.takeError();
  return Loaded->Entry;
}

const char *Compiler::link(const specrt_jit_link &Request) {
  CompileControl::Running Inside(Control);
  LinkerOutput Output(Request.file); // its thread ends also when lld gives up
  auto Work = [&] { return linkChecked(Request, Output); };
  return contain(Work, LinkProblem) ? nullptr : LinkProblem.c_str();
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
