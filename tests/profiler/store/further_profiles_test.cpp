//===- tests/profiler/store/further_profiles_test.cpp - profiles of caches that are only read ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/profiler/store/test_store.h"

#include <gmock/gmock.h>

using namespace specrt;
using namespace specrt_test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
namespace fs = std::filesystem;

namespace {

/// The own cache beside "site" and "package".
class FurtherProfiles : public ProfileStoreTest {
protected:
  ProfileStore storeIn(const std::string &Folder, const std::string &Executable) {
    return ProfileStore(Root / Folder, Executable,
                        [this](const std::string &Message) { Messages.push_back(Message); });
  }
  std::unique_ptr<ProfileStore> openAll() {
    auto Store = open(/*Load=*/false);
    Store->readAlso({Root / "site", Root / "missing", Root / "package"});
    Store->load();
    return Store;
  }
  static uint64_t callsOf(const ProfileStore &Store, Kernel &Of) {
    const auto Found = Store.find(Of.get());
    return Found ? Found->Profile.sampledCalls() : 0;
  }
};

TEST_F(FurtherProfiles, KnowWhatTheOwnCacheDoesNot) {
  Kernel Own("own:1"), Site("site:1"), Both("both:1"), Nobody("nobody:1");
  EXPECT_TRUE(open()->save({Own.update(10, 1)}));
  EXPECT_TRUE(storeIn("site", "/usr/bin/program").save({Site.update(10, 2), Both.update(10, 4)}));
  EXPECT_TRUE(storeIn("package", "/usr/bin/program").save({Both.update(10, 8)}));
  const auto Store = openAll();
  EXPECT_EQ(Store->size(), 4u);
  EXPECT_EQ(callsOf(*Store, Own), 1u);
  EXPECT_EQ(callsOf(*Store, Site), 2u);
  EXPECT_EQ(callsOf(*Store, Both), 4u) << "the first directory counts: they may be copies";
  EXPECT_TRUE(Store->knows(Site.get()));
  EXPECT_TRUE(Store->wasHot("site:1"));
  EXPECT_FALSE(Store->knows(Nobody.get()));
  EXPECT_FALSE(Store->wasHot("nobody:1"));
  EXPECT_THAT(Messages, IsEmpty());
}

TEST_F(FurtherProfiles, AreOfAnyProgramWithTheSameFileName) {
  Kernel A("a:1"), B("b:1"), C("c:1"), D("d:1");
  EXPECT_TRUE(storeIn("site", "/build/one/program").save({A.update(10, 1), B.update(10, 2)}));
  EXPECT_TRUE(storeIn("site", "/usr/bin/program").save({B.update(10, 4)}));
  EXPECT_TRUE(storeIn("site", "/build/two/program").save({C.update(10, 8)}));
  EXPECT_TRUE(storeIn("site", "/usr/bin/program2").save({D.update(10, 16)}));
  const auto Store = openAll();
  EXPECT_EQ(callsOf(*Store, A), 1u);
  EXPECT_EQ(callsOf(*Store, B), 4u) << "the one with the same path first";
  EXPECT_EQ(callsOf(*Store, C), 8u);
  EXPECT_EQ(callsOf(*Store, D), 0u);
  EXPECT_EQ(callsOf(*open(), A), 0u) << "in the own cache the path counts";
}

TEST_F(FurtherProfiles, AreMergedWithTheOwnOneButNotCopiedIntoIt) {
  Kernel K;
  StoreUpdate Shipped = K.update(10, 4), Learned = K.update(10, 2);
  const StoredDecision Decision = K.decisionOn(Shipped);
  Shipped.Region.Decisions = {Decision};
  Shipped.Region.Decisions[0].Candidate = "shipped";
  Shipped.Region.Decisions[0].Stamp = 1;
  EXPECT_TRUE(storeIn("site", "/usr/bin/program").save({Shipped}));
  EXPECT_TRUE(openAll()->save({Learned}));
  EXPECT_EQ(callsOf(*openAll(), K), 6u);
  EXPECT_EQ(callsOf(*open(), K), 2u);
  EXPECT_EQ(openAll()->find(K.get())->Decisions.at(0).Candidate, "shipped");
  // A later decision in the own file replaces the shipped one.
  Learned.Region.Decisions = {Decision};
  Learned.Region.Decisions[0].Candidate = "learned";
  Learned.Region.Decisions[0].Stamp = 2;
  EXPECT_TRUE(openAll()->save({Learned}));
  ASSERT_EQ(openAll()->find(K.get())->Decisions.size(), 1u);
  EXPECT_EQ(openAll()->find(K.get())->Decisions[0].Candidate, "learned");
  EXPECT_EQ(callsOf(storeIn("site", "/usr/bin/program"), K), 0u) << "nothing was loaded";
  ProfileStore Site = storeIn("site", "/usr/bin/program");
  Site.load();
  EXPECT_EQ(callsOf(Site, K), 4u) << "and nothing written";
}

TEST_F(FurtherProfiles, ThatAreDamagedStayAndAreNamed) {
  Kernel K;
  EXPECT_TRUE(storeIn("site", "/usr/bin/program").save({K.update(10, 1)}));
  const fs::path File = storeIn("site", "/usr/bin/program").path();
  fs::resize_file(File, fs::file_size(File) / 2);
  EXPECT_EQ(openAll()->size(), 0u);
  EXPECT_THAT(Messages,
              ElementsAre(testing::AllOf(HasSubstr(File.string()), HasSubstr("and is not used"))));
  EXPECT_TRUE(fs::exists(File));
  EXPECT_FALSE(fs::exists(File.string() + ".bad"));
}

TEST_F(FurtherProfiles, ThatOthersCanWriteAreNotUsed) {
  Kernel K;
  EXPECT_TRUE(storeIn("site", "/usr/bin/program").save({K.update(10, 1)}));
  for (const char *Folder : {"site", "site/profiles"}) {
    Messages.clear();
    fs::permissions(Root / Folder, fs::perms::group_write, fs::perm_options::add);
    EXPECT_EQ(openAll()->size(), 0u) << Folder;
    EXPECT_THAT(Messages, ElementsAre(HasSubstr("is not used: it and those above"))) << Folder;
    fs::permissions(Root / Folder, fs::perms::group_write, fs::perm_options::remove);
  }
  EXPECT_EQ(openAll()->size(), 1u);
}

TEST_F(FurtherProfiles, NeedNoOwnCache) {
  Kernel K;
  EXPECT_TRUE(storeIn("site", "/usr/bin/program").save({K.update(10, 3)}));
  ProfileStore Store("", "/usr/bin/program",
                     [this](const std::string &Message) { Messages.push_back(Message); });
  Store.readAlso({Root / "site"});
  Store.load();
  EXPECT_EQ(callsOf(Store, K), 3u);
  EXPECT_TRUE(Store.save({K.update(10, 1)})) << "there is nowhere to save";
  EXPECT_THAT(Messages, IsEmpty());
}

} // namespace
