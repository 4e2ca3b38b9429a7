//===- tools/archive/fit.cpp - determines which compiled files can be used here ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/archive/fit.h"
#include "runtime/cache/version_key.h"
#include "runtime/compile/library_path.h"
#include "tools/command_error.h"

#include <filesystem>
#include <fmt/format.h>

namespace specrt::tools {
namespace {

namespace fs = std::filesystem;

/// Returns the path of the libspecrt.so that belongs to this program, in a build or an
/// installation.
std::string findLibrary() {
  std::error_code Error;
  const fs::path Program = fs::read_symlink("/proc/self/exe", Error);
  for (const char *Folder : {SPECRT_LIBRARIES_FROM_TOOL, "../lib"}) {
    const fs::path Path = Program.parent_path() / Folder / "libspecrt.so.0";
    if (fs::exists(Path, Error))
      return Path.lexically_normal().string();
  }
  throw CommandError(ExitUsage, "this command needs libspecrt.so.0, which is not beside it");
}

bool hasField(const std::string &Key, const std::string &Name, const std::string &Value) {
  return fieldOf(Key, Name) == Value;
}

} // namespace

std::optional<std::string> fieldOf(const std::string &Key, const std::string &Name) {
  const std::string Begin = Name + "=";
  for (size_t At = 0; At < Key.size();) {
    const size_t End = std::min(Key.find('\n', At), Key.size());
    if (Key.compare(At, Begin.size(), Begin) == 0 && At + Begin.size() <= End)
      return Key.substr(At + Begin.size(), End - At - Begin.size());
    At = End + 1;
  }
  return std::nullopt;
}

Fit fitOf(const std::string &Key, bool IsRows, const Identity &Here) {
  bool IsOfThisBuild =
      hasField(Key, "runtime", Here.Runtime) && hasField(Key, "compiler", Here.Compiler);
  if (!IsRows)
    IsOfThisBuild =
        IsOfThisBuild && hasField(Key, "llvm", Here.Llvm) && hasField(Key, "target", Here.Target) &&
        hasField(Key, "format", fmt::format("{} abi {}", CacheFormat, SPECRT_ABI_VERSION));
  if (!IsOfThisBuild)
    return Fit::OtherBuild;
  return hasField(Key, "cpu", Here.Cpu) ? Fit::Here : Fit::OtherProcessor;
}

const Identity &identityOfLibrary() {
  // setLibraryPath keeps the pointer, so the text must stay valid
  static const std::string Path = findLibrary();
  setLibraryPath(Path.c_str());
  const Identity &Found = identity();
  if (!Found.known())
    throw CommandError(ExitUsage,
                       "programs here use no compiled versions: libspecrt-jit.so or LLVM is not "
                       "installed, or has no build id");
  return Found;
}

} // namespace specrt::tools
