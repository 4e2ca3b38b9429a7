//===- tools/compiler_library.cpp - loads libspecrt-jit.so for commands ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/compiler_library.h"
#include "support/elf_file.h"
#include "tools/command_error.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace specrt::tools {

namespace fs = std::filesystem;

/// Opens the library that belongs to this program, in a build or an installation.
static void *openCompiler() {
  std::error_code Error;
  const fs::path Program = fs::read_symlink("/proc/self/exe", Error);
  std::string First;
  for (const char *Folder : {SPECRT_LIBRARIES_FROM_TOOL, "../lib"}) {
    const fs::path Path = Program.parent_path() / Folder / "libspecrt-jit.so";
    std::string Why;
    if (void *Handle = openLibrary(Path, Why, {SPECRT_LLVM_LIBRARY}))
      return Handle;
    if (First.empty())
      First = Why;
  }
  throw CommandError(ExitUsage,
                     "this command needs libspecrt-jit.so, which cannot be opened: " + First);
}

const specrt_jit_api &compiler() {
  void *Handle = openCompiler();
  auto *Query = reinterpret_cast<decltype(&specrt_jit_query)>(dlsym(Handle, "specrt_jit_query"));
  const specrt_jit_api *Api = Query ? Query(SPECRT_JIT_API_VERSION) : nullptr;
  if (!Api)
    throw CommandError(ExitUsage, "libspecrt-jit.so belongs to another version of specrt");
  return *Api;
}

std::string bytesOf(const std::string &File, std::string &Why) {
  std::error_code Error;
  if (fs::is_directory(File, Error)) {
    Why = "it is a directory";
    return "";
  }
  std::ifstream In(File, std::ios::binary);
  if (!In) {
    Why = std::strerror(errno);
    return "";
  }
  std::ostringstream Bytes;
  Bytes << In.rdbuf();
  return std::move(Bytes).str();
}

} // namespace specrt::tools
