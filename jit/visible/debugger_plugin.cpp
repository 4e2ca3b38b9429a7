//===- jit/visible/debugger_plugin.cpp - shows linked code to debuggers ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/visible/debugger_plugin.h"
#include "llvm/Object/ELF.h"

using namespace llvm;

// What debuggers look for, with the layout that they know. Exported, so that it survives stripping,
// under a version of our own: libLLVM's symbols of these names stay what they are.
extern "C" {

struct jit_code_entry {
  jit_code_entry *next_entry;
  jit_code_entry *prev_entry;
  const char *symfile_addr;
  uint64_t symfile_size;
};

struct jit_descriptor {
  uint32_t version;
  uint32_t action_flag; // 1: relevant_entry is new, 2: it goes
  jit_code_entry *relevant_entry;
  jit_code_entry *first_entry;
};

__attribute__((visibility("protected"))) jit_descriptor __jit_debug_descriptor = {1, 0, nullptr,
                                                                                  nullptr};

__attribute__((visibility("protected"), noinline)) void __jit_debug_register_code() {
  // Keeps the call and the writes before it.
  asm volatile("" ::: "memory");
}
}

namespace specrt {

/// An object file of our own and its place in the list.
class DebuggerPlugin::Registration {
public:
  explicit Registration(StringRef Bytes) : Object(Bytes) {}
  ~Registration() { leave(); }
  Registration(const Registration &) = delete;
  Registration &operator=(const Registration &) = delete;

  /// Writes the addresses of sections into the section headers, where debuggers expect them.
  Error setAddresses(jitlink::LinkGraph &G);
  void enter();

private:
  void leave();
  void notify(uint32_t Action) {
    __jit_debug_descriptor.action_flag = Action;
    __jit_debug_descriptor.relevant_entry = &Entry;
    __jit_debug_register_code();
    __jit_debug_descriptor.action_flag = 0;
    __jit_debug_descriptor.relevant_entry = nullptr;
  }

  std::string Object;
  jit_code_entry Entry{};
  bool Entered = false;
};

Error DebuggerPlugin::Registration::setAddresses(jitlink::LinkGraph &G) {
  using ELF = object::ELF64LE;
  Expected<object::ELFFile<ELF>> File = object::ELFFile<ELF>::create(Object);
  if (!File)
    return File.takeError();
  Expected<ELF::ShdrRange> Headers = File->sections();
  if (!Headers)
    return Headers.takeError();
  for (const ELF::Shdr &Header : *Headers) {
    if (!(Header.sh_flags & llvm::ELF::SHF_ALLOC))
      continue;
    Expected<StringRef> Name = File->getSectionName(Header);
    if (!Name)
      return Name.takeError();
    if (jitlink::Section *Section = G.findSectionByName(*Name))
      // The headers lie in our own copy.
      const_cast<ELF::Shdr &>(Header).sh_addr =
          jitlink::SectionRange(*Section).getStart().getValue();
  }
  return Error::success();
}

void DebuggerPlugin::Registration::enter() {
  Entry.symfile_addr = Object.data();
  Entry.symfile_size = Object.size();
  Entry.next_entry = __jit_debug_descriptor.first_entry;
  if (Entry.next_entry)
    Entry.next_entry->prev_entry = &Entry;
  __jit_debug_descriptor.first_entry = &Entry;
  Entered = true;
  notify(1);
}

void DebuggerPlugin::Registration::leave() {
  if (!Entered)
    return;
  if (Entry.next_entry)
    Entry.next_entry->prev_entry = Entry.prev_entry;
  (Entry.prev_entry ? Entry.prev_entry->next_entry : __jit_debug_descriptor.first_entry) =
      Entry.next_entry;
  notify(2);
}

DebuggerPlugin::DebuggerPlugin(Warning Warn) : Warn(std::move(Warn)) {}
DebuggerPlugin::~DebuggerPlugin() = default;

void DebuggerPlugin::notifyMaterializing(orc::MaterializationResponsibility &MR,
                                         jitlink::LinkGraph &, jitlink::JITLinkContext &,
                                         MemoryBufferRef Object) {
  Objects[&MR.getTargetJITDylib()] = std::make_unique<Registration>(Object.getBuffer());
}

void DebuggerPlugin::modifyPassConfig(orc::MaterializationResponsibility &MR, jitlink::LinkGraph &,
                                      jitlink::PassConfiguration &Passes) {
  Passes.PostAllocationPasses.push_back(
      [this, Library = &MR.getTargetJITDylib()](jitlink::LinkGraph &G) {
        auto Object = Objects.find(Library);
        if (Object == Objects.end())
          return Error::success();
        if (Error Problem = Object->second->setAddresses(G)) {
          Warn(toString(std::move(Problem)));
          Objects.erase(Object);
        }
        return Error::success();
      });
}

Error DebuggerPlugin::notifyEmitted(orc::MaterializationResponsibility &MR) {
  // Not earlier: the debugger may put breakpoints into the code.
  if (auto Object = Objects.find(&MR.getTargetJITDylib()); Object != Objects.end())
    Object->second->enter();
  return Error::success();
}

Error DebuggerPlugin::notifyFailed(orc::MaterializationResponsibility &MR) {
  Objects.erase(&MR.getTargetJITDylib());
  return Error::success();
}

Error DebuggerPlugin::notifyRemovingResources(orc::JITDylib &Library, orc::ResourceKey) {
  Objects.erase(&Library);
  return Error::success();
}

std::vector<StringRef> objectsForDebuggers() {
  std::vector<StringRef> Objects;
  for (jit_code_entry *E = __jit_debug_descriptor.first_entry; E; E = E->next_entry)
    Objects.emplace_back(E->symfile_addr, E->symfile_size);
  return Objects;
}

} // namespace specrt
