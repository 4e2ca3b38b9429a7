//===- tests/polyhedral/generated_nests.cpp - nests that a test writes itself ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/polyhedral/generated_nests.h"
#include <cstdlib>
#include <fstream>

namespace specrt {

GeneratedNests::GeneratedNests() {
  std::string Name = std::filesystem::temp_directory_path() / "specrt-nests-XXXXXX";
  if (mkdtemp(Name.data()))
    Folder = Name;
}

GeneratedNests::~GeneratedNests() { std::filesystem::remove_all(Folder); }

std::string GeneratedNests::compile(const std::string &Source, const std::string &Options) const {
  if (Folder.empty())
    return "";
  std::string C = Folder / "nests.c", IR = Folder / "nests.bc";
  std::ofstream(C) << Source;
  std::string Command = SPECRT_NEST_COMMAND " -w " + Options + " " + C + " -o " + IR;
  return std::system(Command.c_str()) == 0 ? IR : "";
}

} // namespace specrt
