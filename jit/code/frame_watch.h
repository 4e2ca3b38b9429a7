//===- jit/code/frame_watch.h - how much stack generated code takes -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program may run the loops that a version stands in for on threads with 16 KB of stack, of which
// the system takes some itself. Large operands lie in scratch memory (support/scratch); what is
// left are spilled registers, and how many there are only code generation knows. Versions that take
// more run on the main thread alone, whose stack is large.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_JIT_CODE_FRAME_WATCH_H
#define SPECRT_JIT_CODE_FRAME_WATCH_H

#include "guards/stack.h"
#include "llvm/IR/Module.h"
#include <optional>

namespace specrt {

/// Notes the functions of a module that turn out to need more than SmallFrameBytes of stack, while
/// it lives and code is generated. It takes the place of the context's diagnostic handler.
class FrameWatch {
public:
  static constexpr unsigned SmallFrameBytes = 4096;

  explicit FrameWatch(llvm::Module &M);
  ~FrameWatch();
  FrameWatch(const FrameWatch &) = delete;
  FrameWatch &operator=(const FrameWatch &) = delete;

  /// Bytes of the largest frame; 0 when all are small.
  uint64_t largest() const { return Largest; }
  /// Returns what a call must find for that frame; nothing when all are small, or when no thread
  /// can be expected to have so much stack.
  std::optional<StackGuard> guard() const;

private:
  llvm::LLVMContext &Context;
  std::unique_ptr<llvm::DiagnosticHandler> Before;
  uint64_t Largest = 0;
};

} // namespace specrt

#endif
