//===- tests/tools/archive/archive_test.cpp - archives of caches as bytes --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/tools/archive/archive_files.h"
#include "tools/archive/cache_archive.h"

#include <algorithm>
#include <cstring>
#include <gmock/gmock.h>

using namespace specrt;
using namespace specrt::tools;
using namespace specrt_test;
using testing::HasSubstr;

namespace {

bool same(const std::vector<ArchivedFile> &A, const std::vector<ArchivedFile> &B) {
  return std::equal(A.begin(), A.end(), B.begin(), B.end(),
                    [](const ArchivedFile &X, const ArchivedFile &Y) {
                      return X.Name == Y.Name && X.Bytes == Y.Bytes;
                    });
}

std::vector<ArchivedFile> sorted(std::vector<ArchivedFile> Files) {
  std::sort(Files.begin(), Files.end(),
            [](const ArchivedFile &A, const ArchivedFile &B) { return A.Name < B.Name; });
  return Files;
}

/// Decodes; "" or the problem.
std::string problemOf(const std::string &Bytes) {
  std::vector<ArchivedFile> Files;
  return decodeArchive(Bytes, Files);
}

constexpr size_t Block = 512;

/// Changes the type of the entry whose header is the block at At, and its checksum.
std::string retyped(std::string Bytes, size_t At, char Type) {
  constexpr size_t TypeAt = 156, SumAt = 148, SumBytes = 8;
  Bytes[At + TypeAt] = Type;
  std::memset(Bytes.data() + At + SumAt, ' ', SumBytes);
  unsigned Sum = 0;
  for (size_t I = 0; I < Block; ++I)
    Sum += static_cast<unsigned char>(Bytes[At + I]);
  std::snprintf(Bytes.data() + At + SumAt, SumBytes, "%06o", Sum);
  return Bytes;
}

TEST(Archive, HoldsWhatWasPutIn) {
  std::vector<ArchivedFile> Read;
  ASSERT_EQ(decodeArchive(encodeArchive(someFiles()), Read), "");
  EXPECT_TRUE(same(Read, sorted(someFiles())));
  EXPECT_EQ(problemOf(encodeArchive({})), "");
}

TEST(Archive, DependsOnItsFilesOnly) {
  const std::string Bytes = encodeArchive(someFiles());
  std::vector<ArchivedFile> Files = someFiles();
  std::reverse(Files.begin(), Files.end());
  EXPECT_EQ(encodeArchive(Files), Bytes);
  Files[0].Bytes += " ";
  EXPECT_NE(encodeArchive(Files), Bytes);
  // The longest name that there is does not fit into the header of an old tar.
  const std::string Long = "/bin/" + std::string(300, 'x');
  std::vector<ArchivedFile> Read;
  ASSERT_EQ(decodeArchive(encodeArchive({observationFile(Long, "[]")}), Read), "");
  EXPECT_EQ(Read.at(0).Name, observationFile(Long, "[]").Name);
}

TEST(Archive, HasOnlyFilesOfCaches) {
  const std::string Hash(32, 'a'), Program = "p-0123456789abcdef";
  for (const std::string &Name : std::vector<std::string>{
           "profiles/" + Program + ".json", "profiles/.hidden_x-0123456789abcdef.json",
           "profiles/observations/" + Program + "-" + Hash + ".json", "versions/" + Hash + ".so",
           "rows/" + Hash + ".so"})
    EXPECT_TRUE(parseArchivedName(Name)) << Name;
  for (const std::string &Name :
       std::vector<std::string>{"",
                                std::string("/etc/passwd"),
                                std::string("profiles"),
                                "../versions/" + Hash + ".so",
                                "versions/../" + Hash + ".so",
                                "versions/../versions/" + Hash + ".so",
                                "/versions/" + Hash + ".so",
                                "./versions/" + Hash + ".so",
                                "versions//" + Hash + ".so",
                                "versions/" + Hash + ".so/",
                                "versions/" + Hash + ".so.bad",
                                "versions/" + std::string(32, 'A') + ".so",
                                "versions/" + Hash + "a.so",
                                "reports/" + Program + ".json",
                                "profiles/../" + Program + ".json",
                                "profiles/a/" + Program + ".json",
                                "profiles/" + Program + ".json.lock",
                                "profiles/0123456789abcdef.json",
                                "profiles/p-0123456789abcdeg.json",
                                "profiles/p p-0123456789abcdef.json",
                                "profiles/" + std::string(90, 'p') + "-0123456789abcdef.json",
                                "profiles/observations/" + Hash + ".json",
                                "profiles/observations/" + Program + "-" + Hash + ".so",
                                "profiles/observations/../" + Program + "-" + Hash + ".json",
                                "server-" + Hash})
    EXPECT_FALSE(parseArchivedName(Name)) << Name;
}

TEST(Archive, WhoseNamesLeadElsewhereIsRefused) {
  for (const char *Name : {"../evil", "/tmp/evil", "versions/../../evil", "reports/x.json"}) {
    const std::string Bytes = encodeArchive({{Name, "text"}});
    EXPECT_THAT(problemOf(Bytes), HasSubstr("which belongs to no cache")) << Name;
  }
  std::vector<ArchivedFile> Twice = someFiles();
  Twice.push_back(Twice.back());
  EXPECT_THAT(problemOf(encodeArchive(Twice)), HasSubstr("which is not in order"));
}

TEST(Archive, WithOtherThanRegularFilesIsRefused) {
  const std::string Bytes = encodeArchive(someFiles());
  size_t Refused = 0;
  // Links, devices, folders, pipes, and the parts of other forms of archives.
  for (const char Type : std::string("123456DLKxgV"))
    for (size_t At = 0; At + Block < Bytes.size(); At += Block)
      if (Bytes.compare(At + 257, 5, "ustar") == 0) {
        EXPECT_NE(problemOf(retyped(Bytes, At, Type)), "") << Type << " at " << At;
        ++Refused;
      }
  EXPECT_GE(Refused, 12u * 5u);
  // These are regular files, too: of old archives, in one piece on disk, or without any hole.
  for (const char Type : std::string({'\0', '7', 'S'})) {
    std::vector<ArchivedFile> Read;
    EXPECT_EQ(decodeArchive(retyped(Bytes, 0, Type), Read), "") << Type;
    EXPECT_TRUE(same(Read, sorted(someFiles()))) << Type;
  }
}

TEST(Archive, WithOtherFilesThanItListsIsRefused) {
  struct Case {
    const char *What;
    void (*Do)(std::vector<ArchivedFile> &Files);
  };
  const Case Cases[] = {
      {"no archive of a cache", [](auto &Files) { Files.erase(Files.begin()); }},
      {"not the files that it lists", [](auto &Files) { Files.pop_back(); }},
      {"does not list", [](auto &Files) { Files.back().Bytes += "x"; }},
      {"wrong checksum", [](auto &Files) { Files.back().Bytes[0] ^= 1; }},
      {"does not list", [](auto &Files) { std::swap(Files[1], Files[2]); }},
      {"no archive of a cache", [](auto &Files) { Files[0].Bytes = "{}"; }},
      {"no archive of a cache", [](auto &Files) { Files[0].Bytes.assign(100'000, '['); }},
      {"another version",
       [](auto &Files) { Files[0].Bytes = R"({"format": "specrt-cache", "version": 2})"; }},
      {"no list of files",
       [](auto &Files) { Files[0].Bytes = R"({"format": "specrt-cache", "version": 1})"; }},
  };
  for (const Case &Each : Cases) {
    std::vector<ArchivedFile> Files;
    ASSERT_EQ(readTar(encodeArchive(someFiles()), Files), "");
    Each.Do(Files);
    EXPECT_THAT(problemOf(writeTar(Files)), HasSubstr(Each.What));
  }
}

TEST(Archive, ThatIsDamagedAnywhereIsRefusedOrHasTheSameFiles) {
  const std::string Bytes = encodeArchive(someFiles());
  const std::vector<ArchivedFile> Whole = sorted(someFiles());
  size_t Refused = 0;
  const auto Check = [&](const std::string &Damaged) {
    std::vector<ArchivedFile> Read;
    if (!decodeArchive(Damaged, Read).empty())
      ++Refused;
    else
      EXPECT_TRUE(same(Read, Whole));
  };
  for (size_t At = 0; At < Bytes.size(); ++At)
    for (const char Bits : {'\x01', '\x80', '\xff'}) {
      std::string Damaged = Bytes;
      Damaged[At] ^= Bits;
      Check(Damaged);
    }
  EXPECT_GE(Refused, 3 * Whole.size() * Block) << "all headers";
  Refused = 0;
  for (size_t Length = 0; Length < Bytes.size(); ++Length)
    Check(Bytes.substr(0, Length));
  EXPECT_GE(Refused, Whole.size() * 2 * Block) << "all that cuts a file";
}

TEST(Archive, ThatIsLargeIsRefused) {
  EXPECT_THAT(problemOf(encodeArchive({{"versions/" + std::string(32, 'a') + ".so",
                                        std::string(MaxArchivedFileBytes + 1, 'x')}})),
              HasSubstr("too large"));
  // A header that promises more than there is, or than memory has.
  std::string Bytes = encodeArchive(someFiles());
  for (const char *Size : {"77777777777", "00777777777", "00007777777"}) {
    std::memcpy(Bytes.data() + 124, Size, 11);
    EXPECT_NE(problemOf(retyped(Bytes, 0, '0')), "") << Size;
  }
}

} // namespace
