//===- tests/fuzz/readers/build_id.cpp - build ids of libraries -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cache/identity.h"
#include "tests/fuzz/readers/reader.h"

#include <cstring>
#include <elf.h>

using namespace specrt;

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const std::string Id = buildIdOf(FileOfBytes(viewOf(Data, Size)).path());
  demand(Id == "none" || Id.find_first_not_of("0123456789abcdef") == std::string::npos,
         "ids are hexadecimal");
  return 0;
}

std::vector<std::string> seeds() {
  struct {
    Elf64_Ehdr Head{};
    Elf64_Phdr Segment{};
    Elf64_Nhdr Note{};
    char Name[4] = {'G', 'N', 'U', 0}, Id[20] = "nineteen characters";
  } File;
  std::memcpy(File.Head.e_ident, ELFMAG, SELFMAG);
  File.Head.e_phoff = sizeof(File.Head);
  File.Head.e_phentsize = sizeof(File.Segment);
  File.Head.e_phnum = 1;
  File.Segment.p_type = PT_NOTE;
  File.Segment.p_offset = sizeof(File.Head) + sizeof(File.Segment);
  File.Segment.p_filesz = sizeof(File.Note) + sizeof(File.Name) + sizeof(File.Id);
  File.Note = {
      .n_namesz = sizeof(File.Name), .n_descsz = sizeof(File.Id), .n_type = NT_GNU_BUILD_ID};
  return {{reinterpret_cast<const char *>(&File), sizeof(File)}};
}
