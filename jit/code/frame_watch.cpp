//===- jit/code/frame_watch.cpp - measures the stack frames of generated code ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/code/frame_watch.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"

using namespace llvm;

namespace specrt {
namespace {

/// Records frame sizes and, like the handler that it replaces, prints nothing.
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
  // The largest frame consists of spilled registers of one function. The other functions of a
  // version, and those that they call, need less than the minimal stack of a thread.
  constexpr uint64_t Others = 16 * 1024;
  if (Largest == 0 || Largest + Others > StackGuard::MaxBytes)
    return std::nullopt;
  return StackGuard(static_cast<uint32_t>(Largest + Others));
}

FrameWatch::~FrameWatch() { Context.setDiagnosticHandler(std::move(Before)); }

} // namespace specrt
