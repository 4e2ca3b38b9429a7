//===- tests/support/elf_file_test.cpp - libraries that are cut off -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/elf_file.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>

namespace fs = std::filesystem;

namespace specrt {
namespace {

using testing::HasSubstr;

class ElfFile : public testing::Test {
protected:
  ElfFile() {
    std::string Template = testing::TempDir() + "/specrt-elf-XXXXXX";
    Folder = mkdtemp(Template.data());
    std::ifstream In(LIBRARY, std::ios::binary);
    Bytes.assign(std::istreambuf_iterator<char>(In), {});
  }
  ~ElfFile() override { fs::remove_all(Folder); }

  /// A file with the first Size bytes of the library.
  std::string cutAt(size_t Size) {
    const fs::path Path = Folder / ("at-" + std::to_string(Size) + ".so");
    std::ofstream(Path, std::ios::binary).write(Bytes.data(), static_cast<std::streamsize>(Size));
    return Path;
  }

  fs::path Folder;
  std::string Bytes;
};

TEST_F(ElfFile, AWholeLibraryIsOpened) {
  std::string Why;
  void *Library = openLibrary(cutAt(Bytes.size()), Why);
  ASSERT_TRUE(Library) << Why;
  auto *Answer = reinterpret_cast<int (*)()>(dlsym(Library, "specrt_test_answer"));
  ASSERT_TRUE(Answer);
  EXPECT_EQ(Answer(), 42);
  dlclose(Library);
}

TEST_F(ElfFile, ACutOffLibraryIsNotOpenedWhereverItEnds) {
  ASSERT_GT(Bytes.size(), 4096u);
  for (size_t Size = 0; Size < Bytes.size(); Size += 97) {
    std::string Why;
    EXPECT_EQ(openLibrary(cutAt(Size), Why), nullptr) << Size;
    EXPECT_NE(Why, "") << Size;
  }
}

TEST_F(ElfFile, WhatALibraryNeedsMustBeWholeToo) {
  std::string Why;
  const std::string Whole = cutAt(Bytes.size()), Half = cutAt(Bytes.size() / 2);
  EXPECT_EQ(openLibrary(Whole, Why, {Half.c_str()}), nullptr);
  EXPECT_THAT(Why, HasSubstr(Half + " is incomplete"));
  void *Library = openLibrary(Whole, Why, {(Folder / "not-there.so").c_str()});
  ASSERT_TRUE(Library) << "the loader may find it elsewhere";
  dlclose(Library);
}

} // namespace
} // namespace specrt
