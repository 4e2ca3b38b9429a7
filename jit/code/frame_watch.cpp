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
    F.addFnAttr("warn-stack-size", utostr(SmallFrameBytes));
  Context.setDiagnosticHandler(std::make_unique<FrameSizes>(Largest));
}

std::optional<StackGuard> FrameWatch::guard() const {
  // Large frames are spilled registers of one function; the others of a version, and what they
  // call, need less than threads have at least.
  constexpr uint64_t Others = 16 * 1024;
  if (Largest == 0 || Largest + Others > StackGuard::MaxBytes)
    return std::nullopt;
  return StackGuard(static_cast<uint32_t>(Largest + Others));
}

FrameWatch::~FrameWatch() { Context.setDiagnosticHandler(std::move(Before)); }

} // namespace specrt
