//===- tests/profiler/store/spare_file_test.cpp - files that are replaced at every exit ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/spare_file.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/file.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

namespace specrt {
namespace {

class SpareFile : public testing::Test {
protected:
  SpareFile() {
    std::string Pattern = (fs::temp_directory_path() / "specrt-spare-XXXXXX").string();
    Folder = mkdtemp(Pattern.data());
    std::string Error;
    Directory = openPrivateDirectory(Folder, /*Create=*/false, Error);
  }
  ~SpareFile() override { fs::remove_all(Folder); }

  void write(const std::string &Text) {
    EXPECT_EQ(replaceFile(Directory, "f", Text, {.Durable = false, .KeepSpare = true}), "");
  }
  std::string read() {
    std::string Text, Error;
    EXPECT_EQ(readPrivateFile(Directory, "f", 1 << 20, Text, Error), ReadResult::Ok) << Error;
    return Text;
  }
  std::string textOf(const char *Name) const {
    std::ostringstream Text;
    Text << std::ifstream(Folder / Name).rdbuf();
    return Text.str();
  }
  ino_t number(const char *Name) const {
    struct stat Status{};
    EXPECT_EQ(stat((Folder / Name).c_str(), &Status), 0);
    return Status.st_ino;
  }
  std::string names() const {
    std::vector<std::string> All;
    for (const auto &Entry : fs::directory_iterator(Folder))
      All.push_back(Entry.path().filename().string());
    std::sort(All.begin(), All.end());
    std::string Text;
    for (const std::string &Each : All)
      Text += Each + " ";
    return Text;
  }

  fs::path Folder;
  Descriptor Directory;
};

TEST_F(SpareFile, TakesTurnsWithTheOther) {
  write("one");
  EXPECT_EQ(names(), "f ");
  write("two, which is longer");
  EXPECT_EQ(names(), "f f.old ");
  const ino_t A = number("f"), B = number("f.old");
  for (const std::string Text : {"3", "four, which is the longest of all", "5"}) {
    const std::string Before = read();
    write(Text);
    EXPECT_EQ(read(), Text);
    EXPECT_EQ(textOf("f.old"), Before);
  }
  EXPECT_EQ(number("f"), B);
  EXPECT_EQ(number("f.old"), A);
  EXPECT_EQ(names(), "f f.old ");
}

TEST_F(SpareFile, IsNotWrittenWhileSomebodyReadsIt) {
  write("one");
  write("two");
  std::string Error;
  Descriptor File;
  ASSERT_EQ(openPrivateFile(Directory, "f", 100, File, Error), ReadResult::Ok);
  ASSERT_TRUE(holdForReading(File));
  for (const std::string Text : {"three", "four", "five"}) {
    write(Text);
    EXPECT_EQ(read(), Text);
  }
  std::string Held;
  EXPECT_TRUE(readAll(File, Held, Error));
  EXPECT_EQ(Held, "two");
}

TEST_F(SpareFile, LeadsNowhereElse) {
  std::ofstream(Folder / "mine") << "mine";
  fs::permissions(Folder / "mine", fs::perms::owner_read | fs::perms::owner_write);
  write("one");
  fs::create_symlink(Folder / "mine", Folder / "f.old");
  write("two");
  EXPECT_EQ(read(), "two");
  fs::remove(Folder / "f.old");
  fs::create_hard_link(Folder / "mine", Folder / "f.old");
  write("three");
  EXPECT_EQ(read(), "three");
  fs::remove(Folder / "f.old");
  fs::create_directory(Folder / "f.old");
  write("four");
  EXPECT_EQ(read(), "four");
  EXPECT_EQ(textOf("mine"), "mine");
  EXPECT_EQ(names(), "f f.old mine ");
}

/// A writer may be interrupted for long anywhere.
TEST_F(SpareFile, CanBeReadBetweenAnyTwoSystemCallsOfAWriter) {
  write("one");
  write("two");
  const pid_t Writer = fork();
  ASSERT_GE(Writer, 0);
  if (Writer == 0) {
    if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0)
      _exit(1);
    raise(SIGSTOP);
    _exit(replaceFile(Directory, "f", "three", {.Durable = false, .KeepSpare = true}).empty() ? 0
                                                                                              : 1);
  }
  int Status = 0;
  ASSERT_EQ(waitpid(Writer, &Status, 0), Writer);
  if (!WIFSTOPPED(Status))
    GTEST_SKIP() << "no process may be traced here";
  std::vector<std::string> Seen{read()};
  while (WIFSTOPPED(Status)) {
    ASSERT_EQ(ptrace(PTRACE_SYSCALL, Writer, 0, 0), 0);
    ASSERT_EQ(waitpid(Writer, &Status, 0), Writer);
    if (const std::string Now = read(); Now != Seen.back())
      Seen.push_back(Now);
  }
  EXPECT_TRUE(WIFEXITED(Status) && WEXITSTATUS(Status) == 0);
  EXPECT_EQ(Seen, (std::vector<std::string>{"two", "three"}));
  EXPECT_EQ(textOf("f.old"), "two");
}

/// Whoever reads meets what one of them has written, all of it.
TEST_F(SpareFile, OfManyWritersIsReadWhole) {
  write("a");
  std::atomic<bool> Stop{false};
  std::vector<std::thread> Writers;
  for (char Letter : {'a', 'b', 'c'})
    Writers.emplace_back([&, Letter] {
      for (size_t Size = 1; !Stop; Size = Size * 7 % 30'011)
        if (!replaceFile(Directory, "f", std::string(Size, Letter),
                         {.Durable = false, .KeepSpare = true})
                 .empty())
          Stop = true;
    });
  for (int Read = 0; Read < 3000 && !Stop; ++Read) {
    std::string Text, Error;
    if (readPrivateFile(Directory, "f", 1 << 20, Text, Error) != ReadResult::Ok)
      continue; // replaced all the time
    ASSERT_FALSE(Text.empty());
    ASSERT_EQ(Text.find_first_not_of(Text.front()), std::string::npos);
  }
  EXPECT_FALSE(Stop.exchange(true));
  for (std::thread &Each : Writers)
    Each.join();
  EXPECT_EQ(names(), "f f.old ");
}

} // namespace
} // namespace specrt
