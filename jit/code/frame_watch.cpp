//===- jit/code/frame_watch.cpp - how much stack generated code takes -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/code/frame_watch.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"

using namespace llvm;

namespace specrt {
namespace {

/// Quiet, as the handler that it replaces.
struct FrameSizes final : DiagnosticHandler {
  explicit FrameSizes(uint64_t &Largest) : Largest(Largest) {}

  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    if (const auto *Frame = dyn_cast<DiagnosticInfoStackSize>(&Info))
      Largest = std::max<uint64_t>(Largest, Frame->getStackSize());
    return true;
  }

  uint64_t &Largest;
};

} // namespace

FrameWatch::FrameWatch(Module &M)
    : Context(M.getContext()), Before(M.getContext().getDiagnosticHandler()) {
  for (Function &F : M)
    F.addFnAttr("warn-stack-size", utostr(MaxFrameBytes));
  Context.setDiagnosticHandler(std::make_unique<FrameSizes>(Largest));
}

FrameWatch::~FrameWatch() { Context.setDiagnosticHandler(std::move(Before)); }

} // namespace specrt
