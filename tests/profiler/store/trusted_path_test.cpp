//===- tests/profiler/store/trusted_path_test.cpp - paths that others cannot redirect ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/trusted_path.h"
#include "support/process/own_descriptors.h"

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;

namespace specrt {
namespace {

/// <root>/folder/file; whether the root itself can be trusted depends on where tests run.
class TrustedPath : public testing::Test {
protected:
  TrustedPath() {
    std::string Template = testing::TempDir() + "/specrt-path-XXXXXX";
    Root = fs::canonical(mkdtemp(Template.data()));
    fs::create_directory(Root / "folder");
    std::ofstream(file()) << "text";
  }
  ~TrustedPath() override { fs::remove_all(Root); }

  void SetUp() override {
    if (pathOf(file()).empty())
      GTEST_SKIP() << "others may write to a directory above " << Root;
  }

  fs::path file() const { return Root / "folder" / "file"; }

  static Descriptor opened(const fs::path &Path) {
    return Descriptor(open(Path.c_str(), O_RDONLY | O_CLOEXEC));
  }
  static std::string pathOf(const fs::path &Path) { return trustedPathOf(opened(Path)); }

  void allow(mode_t Mode) const { ASSERT_EQ(chmod((Root / "folder").c_str(), Mode), 0); }

  fs::path Root;
};

TEST_F(TrustedPath, IsThatOfTheFileWithoutLinks) {
  EXPECT_EQ(pathOf(file()), file());
  fs::create_directory_symlink(Root / "folder", Root / "link");
  EXPECT_EQ(pathOf(Root / "link" / "file"), file());
}

TEST_F(TrustedPath, IsFoundOnThreadsWithDescriptorsOfTheirOwn) {
  std::string Found, Problem;
  bool IsOpen = false;
  std::thread([&] {
    takeOwnDescriptors();
    Found = pathOf(file());
    IsOpen = static_cast<bool>(openTrustedDirectory(Root / "folder", Problem));
  }).join();
  EXPECT_EQ(Found, file());
  EXPECT_TRUE(IsOpen) << Problem;
}

TEST_F(TrustedPath, DirectoriesAreOpenedWhereNobodyElseMayWrite) {
  std::string Problem;
  EXPECT_TRUE(openTrustedDirectory(Root / "folder", Problem)) << Problem;
  fs::create_directory_symlink(Root / "folder", Root / "link");
  EXPECT_TRUE(openTrustedDirectory(Root / "link", Problem)) << "where it leads is what counts";
  EXPECT_FALSE(openTrustedDirectory(Root / "missing", Problem));
  EXPECT_EQ(Problem, "");
  for (const mode_t Mode : {0770, 0707, 01777}) {
    Problem.clear();
    allow(Mode);
    EXPECT_FALSE(openTrustedDirectory(Root / "folder", Problem)) << Mode;
    EXPECT_NE(Problem.find("writable by nobody else"), std::string::npos) << Problem;
  }
  Problem.clear();
  EXPECT_FALSE(openTrustedDirectory(file(), Problem));
  EXPECT_NE(Problem.find("Not a directory"), std::string::npos) << Problem;
}

TEST_F(TrustedPath, NobodyElseMayWriteToADirectory) {
  for (const mode_t Mode : {0770, 0707, 0777}) {
    allow(Mode);
    EXPECT_EQ(pathOf(file()), "") << Mode;
  }
  allow(01777);
  EXPECT_EQ(pathOf(file()), file()) << "in a sticky directory everybody keeps what is theirs";
}

TEST_F(TrustedPath, DirectoriesOfOthersAreNotTrusted) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give a directory away";
  ASSERT_EQ(chown((Root / "folder").c_str(), 65534, 65534), 0);
  EXPECT_EQ(pathOf(file()), "");
}

TEST_F(TrustedPath, AFileThatWasReplacedHasNone) {
  const Descriptor Old = opened(file());
  fs::remove(file());
  EXPECT_EQ(trustedPathOf(Old), "");
  std::ofstream(file()) << "another";
  EXPECT_EQ(trustedPathOf(Old), "");
}

} // namespace
} // namespace specrt
