//===- jit/code/engine.h - maps machine code into this process ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There is one ORC session for the life of the process. Each piece of code has a JITDylib of its
// own that defines exactly the symbols that the code may refer to: the addresses in the region's
// descriptor, and a short list of helpers that code generation may call. Removing the JITDylib
// unmaps the code. JITLink maps memory writable, fills it, and makes it executable and read-only
// before use; it is never both.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_JIT_CODE_ENGINE_H
#define SPECRT_JIT_CODE_ENGINE_H

#include "specrt/jit_api.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <string>

namespace specrt {

/// Names that code may refer to besides those it defines, and their addresses.
using SymbolAddresses = llvm::StringMap<void *>;

/// Code that is mapped. The caller of Engine::load owns it; see Engine::unload.
struct LoadedCode {
  llvm::orc::JITDylib *Library = nullptr;
  void *Entry = nullptr;
};

class Engine {
public:
  static llvm::Expected<std::unique_ptr<Engine>> create();

  llvm::TargetMachine &target() { return *TM; }

  /// Compiles \p M, which is changed, to an object file. \p Assembly, if not null, receives the
  /// assembly text as well.
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> compile(llvm::Module &M,
                                                              std::string *Assembly = nullptr);

  /// Maps \p Object and returns the address of \p EntryName. A symbol that is neither in
  /// \p Symbols nor a known helper is an error.
  llvm::Expected<LoadedCode> load(std::unique_ptr<llvm::MemoryBuffer> Object,
                                  llvm::StringRef EntryName, const SymbolAddresses &Symbols);

  /// Returns the address of another symbol of \p Code.
  llvm::Expected<void *> lookup(const LoadedCode &Code, llvm::StringRef Name);

  /// Unmaps the code. No thread may execute it.
  llvm::Error unload(LoadedCode Code);

private:
  Engine() = default;

  std::unique_ptr<llvm::TargetMachine> TM;
  std::unique_ptr<llvm::orc::ExecutionSession> Session;
  std::unique_ptr<llvm::orc::ObjectLinkingLayer> Layer;
  std::string LastProblem;
  uint64_t NumLoaded = 0;
};

} // namespace specrt

#endif
