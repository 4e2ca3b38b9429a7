//===- runtime/cache/identity.h - identifies the machine and the compiler -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled code is valid only on the processor it was made for. Because nobody reviews stored code,
// it is trusted only if the same build of the compiler made it that would make it today. Both can
// be determined without loading that compiler.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CACHE_IDENTITY_H
#define SPECRT_RUNTIME_CACHE_IDENTITY_H

#include <string>

namespace specrt {

/// The properties of machine and build on which code depends besides its region and plan. Each
/// field is one line of text.
struct Identity {
  std::string Runtime;  ///< build id of libspecrt.so
  std::string Compiler; ///< build id of libspecrt-jit.so; "none" when it is not installed
  std::string Llvm;     ///< major version and build id of libLLVM; "none" when it is not installed
  std::string Target;   ///< "x86_64-linux-gnu"
  std::string Cpu;      ///< vendor, model and feature words of the processor, as it reports them

  /// Returns false when this build cannot be distinguished from others: then nothing is stored or
  /// loaded.
  bool known() const { return Runtime != "none" && Compiler != "none" && Llvm != "none"; }
  /// Returns all fields.
  std::string text() const {
    return Runtime + "\n" + Compiler + "\n" + Llvm + "\n" + Target + "\n" + Cpu;
  }
};

/// Returns the identity of this process, determined at the first call. Thread-safe.
const Identity &identity();

/// Returns whether the libLLVM that this process has loaded is the one that identity() found.
/// Another one (for example through LD_LIBRARY_PATH) makes code that a later run must not use.
bool compilerIsTheExpected();

/// Returns the GNU build id in the notes of an ELF file, in hexadecimal; "none" when there is none.
std::string buildIdOf(const std::string &Path);

} // namespace specrt

#endif
