//===- tests/cache/loaded_version_test.cpp - stored code in this process --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/guards.h"
#include "runtime/cache/loaded_version.h"

#include <fcntl.h>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>

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

} // namespace
} // namespace specrt
