//===- tests/fuzz/readers/mutations.cpp - a target as a test without libFuzzer ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: TARGET [FILE...]          seeds, and the same mutations of them each time; or these files
//        TARGET --write=DIRECTORY  writes the seeds, for libFuzzer
//
// The input that a target ends with is written to the file "TARGET.input" of the working directory.
//
//===----------------------------------------------------------------------===//
#include "tests/fuzz/readers/reader.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <random>
#include <sstream>

namespace {

constexpr int MutationsOfTarget = 6000;

std::string LastName;
const std::string *Last = nullptr;

void keepInput(int Signal) {
  const int File = open(LastName.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (File >= 0 && Last)
    (void)!write(File, Last->data(), Last->size());
  std::signal(Signal, SIG_DFL);
  std::raise(Signal);
}

void run(const std::string &Input) {
  Last = &Input;
  // Of exactly this size, so that AddressSanitizer sees the end.
  const std::vector<uint8_t> Bytes(Input.begin(), Input.end());
  LLVMFuzzerTestOneInput(Bytes.data(), Bytes.size());
}

class Mutator {
public:
  explicit Mutator(const std::vector<std::string> &Seeds) : Seeds(Seeds) {}

  std::string next() {
    std::string Bytes = any();
    for (size_t Count = 1 + Random() % 4; Count > 0; --Count)
      mutate(Bytes);
    return Bytes;
  }

private:
  const std::string &any() { return Seeds[Random() % Seeds.size()]; }
  size_t below(size_t Size) { return Size == 0 ? 0 : Random() % Size; }
  uint64_t interesting() {
    constexpr std::array<uint64_t, 12> Some = {0,          1,
                                               7,          64,
                                               255,        UINT16_MAX,
                                               INT32_MAX,  UINT32_MAX,
                                               INT64_MAX,  uint64_t{1} << 63,
                                               UINT64_MAX, uint64_t{1} << 61};
    return Random() % 2 ? Some[Random() % Some.size()] : Random() % 16;
  }
  void mutate(std::string &Bytes);
  void replaceNumber(std::string &Bytes);

  const std::vector<std::string> &Seeds;
  std::mt19937_64 Random{31};
};

/// A number in a text.
void Mutator::replaceNumber(std::string &Bytes) {
  const size_t From = Bytes.find_first_of("0123456789", below(Bytes.size()));
  if (From == std::string::npos)
    return;
  const size_t To = Bytes.find_first_not_of("0123456789", From);
  constexpr std::array<const char *, 6> Others = {"-1", "1e308", "null", "\"\"", "[]", "{}"};
  Bytes.replace(From, To == std::string::npos ? To : To - From,
                Random() % 4 ? std::to_string(interesting()) : Others[Random() % Others.size()]);
}

void Mutator::mutate(std::string &Bytes) {
  const size_t At = below(Bytes.size());
  switch (Random() % 9) {
  case 0:
    if (!Bytes.empty())
      Bytes[At] = static_cast<char>(Bytes[At] ^ 1 << Random() % 8);
    break;
  case 1:
    if (!Bytes.empty())
      Bytes[At] = static_cast<char>(interesting());
    break;
  case 2:
  case 3: { // a field of a structure
    const size_t Width = Random() % 2 ? 4 : 8, Place = At / Width * Width;
    const uint64_t Number = interesting();
    if (Place + Width <= Bytes.size())
      std::memcpy(Bytes.data() + Place, &Number, Width);
    break;
  }
  case 4:
  case 5:
    replaceNumber(Bytes);
    break;
  case 6:
    Bytes.erase(At, 1 + Random() % 16);
    break;
  case 7:
    Bytes.insert(At, Bytes.substr(below(Bytes.size()), 1 + Random() % 16));
    break;
  default: // the beginning of this one and the end of another
    const std::string &Other = any();
    Bytes = Bytes.substr(0, At) + Other.substr(std::min(Other.size(), At));
  }
}

int writeSeeds(const std::string &Folder) {
  size_t Number = 0;
  for (const std::string &Seed : seeds()) {
    std::ofstream Out(Folder + "/seed" + std::to_string(Number++), std::ios::binary);
    if (!Out.write(Seed.data(), static_cast<std::streamsize>(Seed.size())).flush())
      return 1;
  }
  return 0;
}

} // namespace

int main(int Count, char **Arguments) {
  const std::string Own = Arguments[0];
  LastName = Own.substr(Own.rfind('/') + 1) + ".input";
  for (const int Signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL})
    std::signal(Signal, keepInput);
  constexpr std::string_view Option = "--write=";
  if (Count == 2 && std::string_view(Arguments[1]).starts_with(Option))
    return writeSeeds(Arguments[1] + Option.size());
  for (int I = 1; I < Count; ++I) {
    std::ifstream In(Arguments[I], std::ios::binary);
    std::ostringstream Text;
    Text << In.rdbuf();
    run(Text.str());
  }
  if (Count > 1)
    return 0;
  const std::vector<std::string> All = seeds();
  demand(!All.empty(), "there are seeds");
  for (const std::string &Seed : All)
    run(Seed);
  Mutator Random(All);
  for (int I = 0; I < MutationsOfTarget; ++I)
    run(Random.next());
  return 0;
}
