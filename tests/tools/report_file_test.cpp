//===- tests/tools/report_file_test.cpp - reports do not harm what is there ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/store_file.h"
#include "runtime/report/region_figures.h"
#include "runtime/report/report.h"
#include "runtime/report/report_file.h"

#include <array>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace specrt {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class WriteFileAtomically : public testing::Test {
protected:
  void SetUp() override {
    std::string Pattern = (fs::temp_directory_path() / "specrt-test-XXXXXX").string();
    Box = mkdtemp(Pattern.data());
  }
  void TearDown() override { fs::remove_all(Box); }

  std::string path(const std::string &Name) const { return (Box / Name).string(); }
  std::string read(const std::string &Name) const {
    std::ostringstream Text;
    Text << std::ifstream(Box / Name).rdbuf();
    return Text.str();
  }
  unsigned mode(const std::string &Name) const {
    struct stat Status{};
    EXPECT_EQ(lstat(path(Name).c_str(), &Status), 0);
    return Status.st_mode & 07777;
  }
  size_t numFiles() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(Box), fs::directory_iterator()));
  }

  fs::path Box;
};

TEST_F(WriteFileAtomically, FollowsTheUmask) {
  for (mode_t Mask : {022, 077}) {
    mode_t Before = umask(Mask);
    std::string Name = "new-" + std::to_string(Mask);
    EXPECT_EQ(writeFileAtomically(path(Name), "text"), "");
    umask(Before);
    EXPECT_EQ(mode(Name), 0666 & ~Mask);
    EXPECT_EQ(read(Name), "text");
  }
}

TEST_F(WriteFileAtomically, KeepsTheModeOfAFile) {
  std::ofstream(path("file")) << "a longer text from before";
  chmod(path("file").c_str(), 0640);
  EXPECT_EQ(writeFileAtomically(path("file"), "text"), "");
  EXPECT_EQ(mode("file"), 0640u);
  EXPECT_EQ(read("file"), "text");
  EXPECT_EQ(numFiles(), 1u);
}

TEST_F(WriteFileAtomically, WritesThroughALink) {
  fs::create_directory(Box / "folder");
  for (const char *Target : {"there", "folder/missing"}) {
    std::ofstream(path("there")) << "before";
    fs::remove(Box / "link");
    fs::create_symlink(Target, Box / "link");
    EXPECT_EQ(writeFileAtomically(path("link"), "text"), "") << Target;
    EXPECT_TRUE(fs::is_symlink(Box / "link")) << Target;
    EXPECT_EQ(read(Target), "text");
  }
}

TEST_F(WriteFileAtomically, WritesIntoAPipeThatIsRead) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(writeFileAtomically(path("pipe"), "text"), HasSubstr("cannot be written"));
  Descriptor Reader(open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK));
  EXPECT_EQ(writeFileAtomically(path("pipe"), "text"), "");
  std::array<char, 16> Bytes{};
  EXPECT_EQ(::read(Reader.get(), Bytes.data(), Bytes.size()), 4);
  EXPECT_STREQ(Bytes.data(), "text");
  // More than a pipe holds, and nobody takes it.
  EXPECT_THAT(writeFileAtomically(path("pipe"), std::string(1 << 20, 'x')),
              HasSubstr("cannot be written"));
  EXPECT_TRUE(fs::is_fifo(Box / "pipe"));
}

TEST_F(WriteFileAtomically, GoesOnInAnOpenFile) {
  Descriptor File(open(path("log").c_str(), O_WRONLY | O_CREAT, 0600));
  ASSERT_EQ(::write(File.get(), "before ", 7), 7);
  for (const char *Folder : {"/dev/fd/", "/proc/self/fd/"})
    EXPECT_EQ(writeFileAtomically(Folder + std::to_string(File.get()), "text "), "");
  ASSERT_EQ(::write(File.get(), "after", 5), 5);
  EXPECT_EQ(read("log"), "before text text after");
  EXPECT_THAT(writeFileAtomically("/dev/fd/999", "text"), HasSubstr("cannot be written"));
}

TEST_F(WriteFileAtomically, SaysWhatIsWrong) {
  EXPECT_EQ(writeFileAtomically(path("no/folder"), "text"),
            "cannot be written: No such file or directory");
  fs::create_directory(Box / "folder");
  EXPECT_EQ(writeFileAtomically(path("folder"), "text"), "cannot be written: Is a directory");
  EXPECT_EQ(numFiles(), 1u);
}

TEST(HotRegions, AreThoseThatTheWorkerHadNoTimeFor) {
  RegionState S{};
  const Registry::View Waiting{nullptr, &S, nullptr};
  S.HotTarget = 100;
  S.TotalTicks = 99;
  EXPECT_FALSE(isHot(Waiting));
  S.TotalTicks = 100;
  EXPECT_TRUE(isHot(Waiting));
}

} // namespace
} // namespace specrt
