//===- jit/visible/debugger_plugin.h - shows linked code to debuggers -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Debuggers learn of code in memory through a list of object files at a well-known symbol and a
// function that is called after each change, where they stop (GDB manual, "JIT Compilation
// Interface"). LLVM 22 comes with a plugin for this, but that one never takes an object out of the
// list again, though it frees the memory: a debugger that attaches later would read what is gone.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_JIT_VISIBLE_DEBUGGER_PLUGIN_H
#define SPECRT_JIT_VISIBLE_DEBUGGER_PLUGIN_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include <functional>
#include <memory>
#include <string>

namespace specrt {

/// Registers the object of every JITDylib, of which it may have one, and takes it back when the
/// JITDylib goes. What cannot be registered works all the same, and is told to Warn. Used by one
/// thread at a time.
class DebuggerPlugin final : public llvm::orc::ObjectLinkingLayer::Plugin {
public:
  using Warning = std::function<void(const std::string &Sentence)>;

  explicit DebuggerPlugin(Warning Warn);
  ~DebuggerPlugin() override;

  void notifyMaterializing(llvm::orc::MaterializationResponsibility &MR,
                           llvm::jitlink::LinkGraph &G, llvm::jitlink::JITLinkContext &Context,
                           llvm::MemoryBufferRef Object) override;
  void modifyPassConfig(llvm::orc::MaterializationResponsibility &MR, llvm::jitlink::LinkGraph &G,
                        llvm::jitlink::PassConfiguration &Passes) override;
  llvm::Error notifyEmitted(llvm::orc::MaterializationResponsibility &MR) override;
  llvm::Error notifyFailed(llvm::orc::MaterializationResponsibility &MR) override;
  llvm::Error notifyRemovingResources(llvm::orc::JITDylib &Library,
                                      llvm::orc::ResourceKey Key) override;
  void notifyTransferringResources(llvm::orc::JITDylib &, llvm::orc::ResourceKey,
                                   llvm::orc::ResourceKey) override {}

private:
  class Registration;
  Warning Warn;
  llvm::DenseMap<llvm::orc::JITDylib *, std::unique_ptr<Registration>> Objects;
};

/// The registered objects as a debugger would read them now. For tests.
std::vector<llvm::StringRef> objectsForDebuggers();

} // namespace specrt

#endif
