//===- tests/cache/version_file_test.cpp - bytes that lie -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cache/version_file.h"

#include <gmock/gmock.h>

namespace specrt {
namespace {

VersionDescription description() {
  VersionDescription D;
  D.Key = "format=1\nregion=kernel:7\n";
  D.Region = "kernel:7";
  D.Function = "kernel";
  D.File = "kernel.c";
  D.Line = 7;
  D.Plan = "0=5";
  D.Candidates = {{"constants", {"n == 5"}}, {"contraction", {"n == 5", "m == 6"}}};
  D.Created = 1234567;
  return D;
}

std::string whyNot(std::string_view Bytes) {
  VersionDescription D;
  std::string_view Object;
  return decodeVersion(Bytes, D, Object);
}

TEST(VersionFile, RoundTrip) {
  std::string Object("\177ELF\0 and so on", 16);
  std::string Bytes = encodeVersion(Object, description());
  VersionDescription D;
  std::string_view Found;
  ASSERT_EQ(decodeVersion(Bytes, D, Found), "");
  EXPECT_EQ(Found, Object);
  EXPECT_EQ(D.Key, description().Key);
  EXPECT_EQ(D.Function, "kernel");
  EXPECT_EQ(D.File, "kernel.c");
  EXPECT_EQ(D.Line, 7u);
  EXPECT_EQ(D.Plan, "0=5");
  ASSERT_EQ(D.Candidates.size(), 2u);
  EXPECT_EQ(D.Candidates[0].Name, "constants");
  EXPECT_THAT(D.Candidates[0].Guards, testing::ElementsAre("n == 5"));
  EXPECT_EQ(D.Candidates[1].Name, "contraction");
  EXPECT_THAT(D.Candidates[1].Guards, testing::ElementsAre("n == 5", "m == 6"));
  EXPECT_EQ(D.Created, 1234567u);
}

TEST(VersionFile, EveryFlippedBitIsNoticed) {
  const std::string Bytes = encodeVersion("some code", description());
  for (size_t I = 0; I < Bytes.size(); ++I)
    for (unsigned Bit = 0; Bit < 8; ++Bit) {
      std::string Flipped = Bytes;
      Flipped[I] = static_cast<char>(Flipped[I] ^ (1 << Bit));
      EXPECT_NE(whyNot(Flipped), "") << "byte " << I << " bit " << Bit;
    }
}

TEST(VersionFile, EveryTruncationIsNoticed) {
  const std::string Bytes = encodeVersion("some code", description());
  for (size_t Size = 0; Size < Bytes.size(); ++Size) {
    EXPECT_NE(whyNot(std::string_view(Bytes).substr(0, Size)), "") << Size;
    EXPECT_NE(whyNot(std::string_view(Bytes).substr(Bytes.size() - Size)), "") << Size;
  }
}

TEST(VersionFile, SaysWhatIsWrong) {
  EXPECT_EQ(whyNot(""), "is incomplete");
  EXPECT_THAT(whyNot(std::string(1000, 'x')), testing::HasSubstr("not written by libspecrt"));
  std::string Bytes = encodeVersion("some code", description());
  Bytes[0] ^= 1;
  EXPECT_THAT(whyNot(Bytes), testing::HasSubstr("checksum"));
}

} // namespace
} // namespace specrt
