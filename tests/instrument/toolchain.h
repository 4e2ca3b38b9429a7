//===- tests/instrument/toolchain.h - compile and run in a test -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scratch folder with source files, and commands run in it.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TESTS_INSTRUMENT_TOOLCHAIN_H
#define SPECRT_TESTS_INSTRUMENT_TOOLCHAIN_H

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace specrt {

struct CommandResult {
  int Status; ///< exit status; 128 + signal when killed
  std::string Out, Err;
};

/// A test with its own folder, removed at the end.
class ToolchainTest : public testing::Test {
protected:
  void SetUp() override;
  void TearDown() override;

  void write(const std::string &Name, const std::string &Text);
  std::string read(const std::string &Name);
  /// Runs a shell command in the folder. $CC and $CXX are the drivers (they find the printing
  /// libspecrt), $CLANG and $CLANGXX plain clang, $PLUGIN the plugin, $TOOLS LLVM's tools, $INC the
  /// public headers.
  CommandResult run(const std::string &Command);
  /// run(), and fails the test unless the command succeeds.
  CommandResult check(const std::string &Command);

  std::filesystem::path Folder;
};

/// How often \p Part occurs in \p Text.
unsigned count(const std::string &Text, const std::string &Part);

} // namespace specrt

#endif
