//===- tests/cache/loaded_version_test.cpp - stored code in this process --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/guards.h"
#include "profiler/store/trusted_path.h"
#include "runtime/cache/loaded_version.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <iterator>
#include <utility>

namespace fs = std::filesystem;

namespace {

/// What happens right before the loader opens the next library.
std::function<void()> BeforeLoading;

} // namespace

extern "C" void *dlopen(const char *Path, int Mode) {
  if (BeforeLoading)
    std::exchange(BeforeLoading, nullptr)();
  static auto *const Real =
      reinterpret_cast<void *(*)(const char *, int)>(dlsym(RTLD_NEXT, "dlopen"));
  return Real(Path, Mode);
}

namespace specrt {
namespace {

using testing::HasSubstr;

/// As the store finds it.
std::shared_ptr<LoadedVersion> load(const char *Path, std::string &Why) {
  static const uint8_t Kinds[] = {SPECRT_KIND_I64};
  specrt_region Region{};
  Region.num_args = 1;
  Region.arg_kinds = Kinds;
  StoredVersion Stored;
  Stored.Path = Path;
  Stored.File = Descriptor(open(Path, O_RDONLY | O_CLOEXEC));
  std::ifstream In(Path, std::ios::binary);
  Stored.Bytes.assign(std::istreambuf_iterator<char>(In), {});
  Stored.Object = Stored.Bytes;
  Stored.Description.Key = "key";
  return LoadedVersion::load(Stored, Region, 1, Why);
}

TEST(LoadedVersion, GivesBodiesWithTheirGuards) {
  std::string Why;
  std::shared_ptr<LoadedVersion> Loaded = load(OBJECT_GOOD, Why);
  ASSERT_TRUE(Loaded) << Why;
  const specrt_object_body *Body = Loaded->body("constants");
  ASSERT_TRUE(Body);
  EXPECT_EQ(GuardView(Body->entry->guards).size(), 1u);
  EXPECT_EQ(Loaded->body("contraction"), nullptr);
  EXPECT_TRUE(Loaded->claimState(*Body->entry));
  EXPECT_FALSE(Loaded->claimState(*Body->entry)) << "it has one state";
}

TEST(LoadedVersion, GuardsOfAFileAreCheckedBeforeTheyAreUsed) {
  std::string Why;
  EXPECT_EQ(load(OBJECT_BAD_GUARD, Why), nullptr);
  EXPECT_EQ(Why, "a guard refers to an argument that does not exist");
}

TEST(LoadedVersion, ObjectsOfTheFormerFormatAreNotUsed) {
  std::string Why;
  EXPECT_EQ(load(OBJECT_FORMER, Why), nullptr);
  EXPECT_THAT(Why, HasSubstr("does not describe itself as expected"));
}

/// A good object in <folder>/versions, which nobody else may write to.
class LoadedVersionInAFolder : public testing::Test {
protected:
  LoadedVersionInAFolder() {
    std::string Template = testing::TempDir() + "/specrt-load-XXXXXX";
    Folder = mkdtemp(Template.data());
    fs::create_directory(Folder / "versions");
    fs::permissions(Folder / "versions", fs::perms::owner_all);
    fs::copy_file(OBJECT_GOOD, file());
    fs::permissions(file(), fs::perms::owner_read | fs::perms::owner_write);
  }
  ~LoadedVersionInAFolder() override { fs::remove_all(Folder); }

  fs::path file() const { return Folder / "versions" / "version.so"; }

  /// The library that a body of Loaded lies in, as the loader and debuggers know it.
  static std::string libraryOf(const LoadedVersion &Loaded) {
    Dl_info Info{};
    dladdr(Loaded.body("constants")->body, &Info);
    return Info.dli_fname ? Info.dli_fname : "";
  }

  fs::path Folder;
};

TEST_F(LoadedVersionInAFolder, IsMappedUnderItsPath) {
  if (trustedPathOf(Descriptor(open(file().c_str(), O_RDONLY | O_CLOEXEC))).empty())
    GTEST_SKIP() << "others may write to a directory above " << Folder;
  std::string Why;
  std::shared_ptr<LoadedVersion> Loaded = load(file().c_str(), Why);
  ASSERT_TRUE(Loaded) << Why;
  EXPECT_EQ(libraryOf(*Loaded), fs::canonical(file()));
}

TEST_F(LoadedVersionInAFolder, NoForeignCodeRunsWhereOthersCanExchangeTheFile) {
  fs::permissions(Folder, fs::perms::all);
  bool Exchanged = false;
  BeforeLoading = [&] {
    fs::rename(Folder / "versions", Folder / "aside");
    fs::create_directory(Folder / "versions");
    Exchanged = fs::copy_file(OBJECT_FOREIGN, file());
  };
  std::string Why;
  std::shared_ptr<LoadedVersion> Loaded = load(file().c_str(), Why);
  ASSERT_TRUE(Exchanged) << "after the checks and before the file is mapped";
  EXPECT_EQ(getenv("SPECRT_TEST_FOREIGN_CODE_RAN"), nullptr);
  ASSERT_TRUE(Loaded) << Why;
  EXPECT_TRUE(Loaded->body("constants")) << "the checked bytes are what is used";
}

} // namespace
} // namespace specrt
