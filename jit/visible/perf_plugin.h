//===- jit/visible/perf_plugin.h - shows linked code to perf --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_JIT_VISIBLE_PERF_PLUGIN_H
#define SPECRT_JIT_VISIBLE_PERF_PLUGIN_H

#include "jit/visible/perf_output.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include <functional>

namespace specrt {

/// Writes each function that is linked to a PerfOutput. Failures are told to Warn once; they never
/// fail the linking.
class PerfPlugin final : public llvm::orc::ObjectLinkingLayer::Plugin {
public:
  using Warning = std::function<void(const std::string &Sentence)>;

  PerfPlugin(std::unique_ptr<PerfOutput> Output, Warning Warn)
      : Output(std::move(Output)), Warn(std::move(Warn)) {}

  void modifyPassConfig(llvm::orc::MaterializationResponsibility &MR, llvm::jitlink::LinkGraph &G,
                        llvm::jitlink::PassConfiguration &Passes) override;
  llvm::Error notifyFailed(llvm::orc::MaterializationResponsibility &) override {
    return llvm::Error::success();
  }
  llvm::Error notifyRemovingResources(llvm::orc::JITDylib &, llvm::orc::ResourceKey) override {
    return llvm::Error::success();
  }
  void notifyTransferringResources(llvm::orc::JITDylib &, llvm::orc::ResourceKey,
                                   llvm::orc::ResourceKey) override {}

private:
  std::unique_ptr<PerfOutput> Output;
  Warning Warn;
  bool Warned = false;
};

} // namespace specrt

#endif
