//===- tests/cache/further_stores_test.cpp - versions of caches that are only read ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cache/stored_plan.h"
#include "runtime/cache/version_store.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sys/stat.h>

namespace specrt {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

VersionKey keyOf(const std::string &Name) { return {"region=" + Name + "\n"}; }

/// An own cache and two others.
class FurtherStores : public testing::Test {
protected:
  fs::path Root;
  std::vector<std::string> Messages;

  FurtherStores() {
    std::string Template = fs::temp_directory_path() / "specrt-further-XXXXXX";
    Root = fs::canonical(mkdtemp(Template.data()));
  }
  ~FurtherStores() override { fs::remove_all(Root); }

  VersionStore storeIn(const std::string &Folder, std::vector<std::string> Further = {}) {
    VersionStore Store(Root / Folder, 1 << 20,
                       [this](const std::string &M) { Messages.push_back(M); });
    for (std::string &Each : Further)
      Each = Root / Each;
    Store.readAlso(std::move(Further));
    return Store;
  }
  void put(const std::string &Folder, const std::string &Name, const std::string &Object) {
    ASSERT_TRUE(storeIn(Folder).put(keyOf(Name), {.Region = Name}, Object));
  }
  static std::string objectOf(VersionStore &Store, const std::string &Name) {
    StoredVersion Found;
    return Store.find(keyOf(Name), Found) ? std::string(Found.Object) : "";
  }
  fs::path fileOf(const std::string &Folder, const std::string &Name) const {
    return Root / Folder / "versions" / keyOf(Name).fileName();
  }
};

TEST_F(FurtherStores, AreAskedInTurnAfterTheOwnOne) {
  put("site", "a", "site a");
  put("site", "b", "site b");
  put("package", "b", "package b");
  put("package", "c", "package c");
  VersionStore Store = storeIn("own", {"site", "missing", "package"});
  EXPECT_EQ(objectOf(Store, "a"), "site a");
  EXPECT_EQ(objectOf(Store, "b"), "site b");
  EXPECT_EQ(objectOf(Store, "c"), "package c");
  EXPECT_EQ(objectOf(Store, "d"), "");
  EXPECT_TRUE(Store.has(keyOf("c")));
  EXPECT_FALSE(Store.has(keyOf("d")));
  EXPECT_EQ(Store.findAll(keyOf("b")).size(), 2u);
  EXPECT_EQ(Store.names().size(), 3u);
  EXPECT_TRUE(Store.put(keyOf("b"), {.Region = "b"}, "own b"));
  EXPECT_EQ(objectOf(Store, "b"), "own b");
  EXPECT_EQ(Store.findAll(keyOf("b")).size(), 3u);
  EXPECT_EQ(Store.list().size(), 1u) << "the own one alone";
  EXPECT_EQ(Store.clear(), 1u);
  EXPECT_EQ(objectOf(Store, "b"), "site b") << "only the own one is cleared";
  EXPECT_THAT(Messages, IsEmpty());
}

TEST_F(FurtherStores, KeepWhatIsWrong) {
  put("site", "a", "object");
  struct Case {
    const char *What;
    void (*Do)(const fs::path &File);
    const char *Why;
  };
  const Case Cases[] = {
      {"cut", [](const fs::path &File) { fs::resize_file(File, 20); }, "is incomplete"},
      {"writable", [](const fs::path &File) { chmod(File.c_str(), 0666); },
       "only the user or root can write"},
      {"a link",
       [](const fs::path &File) {
         fs::rename(File, File.parent_path() / "other");
         fs::create_symlink("other", File);
       },
       "cannot be opened"},
      {"a folder",
       [](const fs::path &File) {
         fs::remove(File);
         fs::create_directory(File);
       },
       "is not a regular file"}};
  for (const Case &Each : Cases) {
    fs::remove_all(fileOf("site", "a"));
    put("site", "a", "object");
    Each.Do(fileOf("site", "a"));
    Messages.clear();
    VersionStore Store = storeIn("own", {"site"});
    EXPECT_EQ(objectOf(Store, "a"), "") << Each.What;
    ASSERT_EQ(Messages.size(), 1u) << Each.What;
    EXPECT_THAT(Messages[0], testing::AllOf(HasSubstr(Each.Why), HasSubstr("and is not used")));
    EXPECT_TRUE(fs::exists(fs::symlink_status(fileOf("site", "a")))) << Each.What;
  }
}

TEST_F(FurtherStores, MayBelongToRootButToNobodyElse) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  constexpr uid_t User = 12345;
  put("site", "a", "object");
  chmod(Root.c_str(), 0755);
  // Files of root serve another user.
  for (const fs::path &Each : {Root / "site", Root / "site/versions"})
    chmod(Each.c_str(), 0755);
  chmod(fileOf("site", "a").c_str(), 0644);
  ASSERT_EQ(seteuid(User), 0);
  VersionStore Of = storeIn("own", {"site"});
  EXPECT_EQ(objectOf(Of, "a"), "object");
  ASSERT_EQ(seteuid(0), 0);
  EXPECT_THAT(Messages, IsEmpty());
  // Those of another user do not serve root.
  ASSERT_EQ(chown(fileOf("site", "a").c_str(), User, User), 0);
  VersionStore Store = storeIn("own", {"site"});
  EXPECT_EQ(objectOf(Store, "a"), "");
  EXPECT_THAT(Messages, ElementsAre(HasSubstr("only the user or root can write")));
}

TEST_F(FurtherStores, AreNotUsedWhereOthersCanWrite) {
  put("site", "a", "object");
  for (const char *Folder : {"site", "site/versions"}) {
    Messages.clear();
    chmod((Root / Folder).c_str(), 0777);
    VersionStore Store = storeIn("own", {"site"});
    EXPECT_EQ(objectOf(Store, "a"), "") << Folder;
    EXPECT_FALSE(Store.has(keyOf("a"))) << Folder;
    EXPECT_THAT(Messages, testing::Each(HasSubstr("writable by nobody else"))) << Folder;
    EXPECT_FALSE(Messages.empty());
    chmod((Root / Folder).c_str(), 0700);
  }
}

} // namespace
} // namespace specrt
