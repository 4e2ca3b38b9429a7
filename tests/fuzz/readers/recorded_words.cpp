//===- tests/fuzz/readers/recorded_words.cpp - what instrumented calls wrote ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/streams/recorded_words.h"
#include "tests/fuzz/readers/reader.h"

#include <cstring>

using namespace specrt;

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  std::vector<uint64_t> Words(Size / sizeof(uint64_t));
  if (!Words.empty())
    std::memcpy(Words.data(), Data, Words.size() * sizeof(uint64_t));
  specrt_recorded_access Accesses[3] = {};
  for (uint32_t I = 0; I < 3; ++I) {
    Accesses[I].number = I;
    Accesses[I].width = 4 + 4 * (I % 2);
    Accesses[I].depth = I;
    Accesses[I].loops[0] = 0;
    Accesses[I].loops[1] = 1;
  }
  Accesses[1].flags = SPECRT_RECORDED_VALUE;
  Accesses[2].flags = SPECRT_RECORDED_VALUE | SPECRT_RECORDED_POINTER;
  for (const AccessStream &Stream : streamsOf(Words, Accesses)) {
    demand(Stream.Points <= Words.size(), "there are no more points than words");
    if (!Stream.Elements)
      continue;
    int64_t End = Stream.Elements->Pieces.front().first;
    for (const specrt_sequence_piece &P : Stream.Elements->Pieces) {
      demand(P.count > 0 && P.first == End, "pieces follow each other");
      End += P.count;
    }
    demand(Stream.Elements->Pieces.size() <= MaxSequencePieces, "there are few pieces");
  }
  return 0;
}

std::vector<std::string> seeds() {
  std::vector<uint64_t> Words;
  const auto Word = [](uint64_t Which, uint64_t Value) {
    return Which << SPECRT_RECORDED_ADDRESS_BITS | Value;
  };
  for (uint64_t I = 0; I < 20; ++I) {
    Words.push_back(Word(SPECRT_LOOP_MARK, I));
    Words.push_back(Word(0, 4096 + 8 * I));
    Words.push_back(Word(1, 8192 + 8 * I));
    Words.push_back(3 * I);
    Words.push_back(Word(2, 65536 + 4 * I));
    Words.push_back(4096 + 64 * I);
  }
  return {{reinterpret_cast<const char *>(Words.data()), Words.size() * sizeof(uint64_t)}};
}
