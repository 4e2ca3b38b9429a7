//===- runtime/cache/identity.h - which machine, which compiler -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled code is only good for the processor it was made for and, because nobody reviews old
// code, only trusted from the very compiler that would make it today. Both can be told without
// loading that compiler.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CACHE_IDENTITY_H
#define SPECRT_RUNTIME_CACHE_IDENTITY_H

#include <string>

namespace specrt {

/// What code depends on besides the region and its plan. Each field is one line of text.
struct Identity {
  std::string Runtime;  ///< build id of libspecrt.so
  std::string Compiler; ///< build id of libspecrt-jit.so; "none" when it is not installed
  std::string Llvm;     ///< major version and build id of libLLVM; "none" when it is not installed
  std::string Target;   ///< "x86_64-linux-gnu"
  std::string Cpu;      ///< vendor, model and feature words of the processor, as it reports them

  /// False when a build cannot be told from another one: then nothing is stored or loaded.
  bool known() const { return Runtime != "none" && Compiler != "none" && Llvm != "none"; }
  /// All of it.
  std::string text() const {
    return Runtime + "\n" + Compiler + "\n" + Llvm + "\n" + Target + "\n" + Cpu;
  }
};

/// Of this process; determined at the first call. Thread-safe.
const Identity &identity();

/// Is the libLLVM that this process has loaded the one that identity() found? Another one (through
/// LD_LIBRARY_PATH, say) makes code that a later run must not take for this one's.
bool compilerIsTheExpected();

/// The GNU build id in the notes of an ELF file, in hexadecimal; "none" when there is none.
std::string buildIdOf(const std::string &Path);

} // namespace specrt

#endif
