//===- tests/fuzz/readers/version_file.cpp - versions, indexes and persistent plans ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cache/version_file.h"
#include "support/content_hash.h"
#include "tests/fuzz/readers/reader.h"

#include <cstring>

using namespace specrt;

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  std::string Bytes(viewOf(Data, Size));
  VersionDescription Read;
  std::string_view Object;
  decodeVersion(Bytes, Read, Object);
  // What a checksum keeps out is not what is looked for.
  constexpr size_t SumBytes = 16;
  if (Size < SumBytes)
    return 0;
  const ContentHash Sum = contentHash({Bytes.data(), Size - SumBytes});
  std::memcpy(Bytes.data() + Size - SumBytes, &Sum.Low, sizeof(Sum.Low));
  std::memcpy(Bytes.data() + Size - SumBytes / 2, &Sum.High, sizeof(Sum.High));
  Read = {};
  if (!decodeVersion(Bytes, Read, Object).empty())
    return 0;
  demand(Object.data() == Bytes.data() && Object.size() <= Size, "the object is in the file");
  VersionDescription Again;
  std::string_view Same;
  const std::string Written = encodeVersion(Object, Read);
  demand(decodeVersion(Written, Again, Same).empty(), "what was read can be written and read");
  demand(Same == Object && Again.Key == Read.Key &&
             Again.Candidates.size() == Read.Candidates.size(),
         "it is the same then");
  return 0;
}

std::vector<std::string> seeds() {
  VersionDescription About;
  About.Key = "format=1\nregion=f:3\n";
  About.Region = "f:3";
  About.Title = "f(long)";
  About.Function = "f";
  About.File = "f.cpp";
  About.Line = 3;
  About.Plan = "n == 5";
  About.Candidates = {{.Name = "constants", .Guards = {"n == 5", "A is aligned to 32"}}};
  About.Absent = {"parallel"};
  About.Complete = true;
  std::string Deep = encodeVersion("", About);
  const size_t At = Deep.find("[");
  const std::string Nested(4000, '[');
  Deep.insert(At, Nested);
  return {encodeVersion("object", About), encodeVersion("", {}), Deep};
}
