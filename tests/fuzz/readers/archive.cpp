//===- tests/fuzz/readers/archive.cpp - archives of caches ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/profile_contents.h"
#include "tests/fuzz/readers/reader.h"
#include "tests/tools/archive/archive_files.h"
#include "tools/archive/cache_archive.h"

#include <algorithm>

using namespace specrt;
using namespace specrt::tools;

/// Returns \p Bytes with the right checksum in each header. Without it the reader would refuse
/// nearly every mutation at its first check.
static std::string withChecksums(std::string Bytes) {
  constexpr size_t Block = 512, MagicAt = 257, SumAt = 148, SumBytes = 8;
  for (size_t At = 0; At + Block <= Bytes.size(); At += Block) {
    if (Bytes.compare(At + MagicAt, 5, "ustar") != 0)
      continue;
    std::fill_n(Bytes.begin() + static_cast<ptrdiff_t>(At + SumAt), SumBytes, ' ');
    unsigned Sum = 0;
    for (size_t I = 0; I < Block; ++I)
      Sum += static_cast<unsigned char>(Bytes[At + I]);
    std::snprintf(Bytes.data() + At + SumAt, SumBytes, "%06o", Sum);
  }
  return Bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  std::vector<ArchivedFile> Files;
  if (!readTar(withChecksums(std::string(viewOf(Data, Size))), Files).empty())
    return 0;
  uint64_t Sum = 0;
  for (const ArchivedFile &File : Files)
    Sum += File.Bytes.size();
  demand(Sum <= MaxArchiveBytes, "an archive is not larger than it may be");
  // Readers skip files whose names are not those of a cache.
  std::erase_if(Files, [](const ArchivedFile &File) { return !parseArchivedName(File.Name); });
  for (const ArchivedFile &File : Files) {
    demand(File.Name[0] != '/' && File.Name.find("../") == std::string::npos,
           "names stay in the cache");
    ProfileContents Read, Both;
    if (parseArchivedName(File.Name)->Is != ArchivedName::Kind::Profile ||
        !Read.parse(File.Bytes).empty())
      continue;
    Both.addNewer(Read);
    Both.addNewer(Read);
    demand(Both.Regions == Read.Regions, "a profile that is added twice is there once");
    ProfileContents Again;
    demand(Again.parse(Both.dump("/bin/p")).empty(), "what is joined can be written and read");
    Both.references();
  }
  std::sort(Files.begin(), Files.end(),
            [](const ArchivedFile &A, const ArchivedFile &B) { return A.Name < B.Name; });
  const auto SameName = [](const ArchivedFile &A, const ArchivedFile &B) {
    return A.Name == B.Name;
  };
  Files.erase(std::unique(Files.begin(), Files.end(), SameName), Files.end());
  std::vector<ArchivedFile> Again;
  demand(decodeArchive(encodeArchive(Files), Again).empty(),
         "what was read can be written and read");
  demand(Again.size() == Files.size(), "it is the same then");
  return 0;
}

std::vector<std::string> seeds() {
  const std::string Long = "/bin/" + std::string(300, 'x');
  return {encodeArchive(specrt_test::someFiles()), encodeArchive({}),
          encodeArchive({specrt_test::observationFile(Long, "[]")})};
}
