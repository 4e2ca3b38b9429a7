//===- jit/code/frame_watch.h - measures the stack frames of generated code ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program may run the loops that a version replaces on threads with 16 KB of stack, of which the
// system takes a part. Large operands are in scratch memory (support/memory/scratch.h). The rest
// are spilled registers, whose number only code generation knows. Versions that need more stack run
// on the main thread alone, whose stack is large.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_JIT_CODE_FRAME_WATCH_H
#define SPECRT_JIT_CODE_FRAME_WATCH_H

#include "guards/stack.h"
#include "llvm/IR/Module.h"
#include <optional>

namespace specrt {

/// Records, while it exists and code is generated, the functions of a module that need more than
/// SmallFrameBytes of stack. It replaces the context's diagnostic handler.
class FrameWatch {
public:
  static constexpr unsigned SmallFrameBytes = 4096;

  explicit FrameWatch(llvm::Module &M);
  ~FrameWatch();
  FrameWatch(const FrameWatch &) = delete;
  FrameWatch &operator=(const FrameWatch &) = delete;

  /// Returns the bytes of the largest frame; 0 when all are small.
  uint64_t largest() const { return Largest; }
  /// Returns the guard that a call needs for that frame; nothing when all frames are small, or when
  /// the frame is larger than the stack that any thread can be expected to have.
  std::optional<StackGuard> guard() const;

private:
  llvm::LLVMContext &Context;
  std::unique_ptr<llvm::DiagnosticHandler> Before;
  uint64_t Largest = 0;
};

} // namespace specrt

#endif
