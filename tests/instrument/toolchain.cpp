//===- tests/instrument/toolchain.cpp - compile and run in a test ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands go through the shell, as a user's would.
//
//===----------------------------------------------------------------------===//
#include "tests/instrument/toolchain.h"
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace specrt {

void ToolchainTest::SetUp() {
  std::string Name = (std::filesystem::temp_directory_path() / "specrt-test-XXXXXX").string();
  ASSERT_NE(mkdtemp(Name.data()), nullptr);
  // No name that a program uses ends in a hyphen. Linkers may store a string as the end of another
  // one, here of the compile folder's, and dwarfdump --verify takes that for an error.
  Folder = std::filesystem::path(Name) / "test-";
  std::filesystem::create_directory(Folder);
}

void ToolchainTest::TearDown() {
  std::error_code Ignored;
  std::filesystem::remove_all(Folder.parent_path(), Ignored);
}

void ToolchainTest::write(const std::string &Name, const std::string &Text) {
  std::filesystem::create_directories((Folder / Name).parent_path());
  std::ofstream(Folder / Name) << Text;
}

std::string ToolchainTest::read(const std::string &Name) {
  std::ifstream File(Folder / Name);
  std::stringstream Text;
  Text << File.rdbuf();
  return Text.str();
}

CommandResult ToolchainTest::run(const std::string &Command) {
  std::string Script = "cd '" + Folder.string() +
                       "' || exit 99\n"
                       "export LD_LIBRARY_PATH='" SPECRT_TEST_STUB "'\n"
                       "export LIBRARY_PATH='" SPECRT_TEST_STUB "'\n"
                       "STUB='--start-no-unused-arguments -L" SPECRT_TEST_STUB
                       " --end-no-unused-arguments'\n"
                       "CC=\"" SPECRT_TEST_DRIVER " $STUB\"\n"
                       "CXX=\"" SPECRT_TEST_DRIVER "++ $STUB\"\n"
                       "CC_BARE='" SPECRT_TEST_DRIVER "'\n"
                       "CLANG='" SPECRT_TEST_CLANG "'; CLANGXX='" SPECRT_TEST_CLANG "++'\n"
                       "PLUGIN='" SPECRT_TEST_PLUGIN "'; TOOLS='" SPECRT_TEST_TOOLS "'\n"
                       "INC='" SPECRT_TEST_INCLUDE "'\n" +
                       Command;
  write(".script", Script);
  std::string Shell = "sh '" + (Folder / ".script").string() + "' >'" + (Folder / ".out").string() +
                      "' 2>'" + (Folder / ".err").string() + "'";
  int Status = std::system(Shell.c_str());
  return {WIFEXITED(Status) ? WEXITSTATUS(Status) : 128 + WTERMSIG(Status), read(".out"),
          read(".err")};
}

CommandResult ToolchainTest::check(const std::string &Command) {
  CommandResult Result = run(Command);
  EXPECT_EQ(Result.Status, 0) << Command << "\n" << Result.Out << Result.Err;
  return Result;
}

unsigned count(const std::string &Text, const std::string &Part) {
  unsigned Number = 0;
  for (size_t At = Text.find(Part); At != std::string::npos; At = Text.find(Part, At + Part.size()))
    ++Number;
  return Number;
}

} // namespace specrt
