//===- runtime/cache/identity.cpp - which machine, which compiler ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cache/identity.h"
#include "profiler/store/store_file.h"
#include "runtime/base/log.h"
#include "runtime/compile/library_path.h"
#include "support/elf_file.h"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <memory>
#include <unistd.h>
#include <vector>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace specrt {
namespace {

constexpr const char *None = "none";

std::string hex(const unsigned char *Bytes, size_t Count) {
  std::string Text;
  char Digits[3];
  for (size_t I = 0; I < Count; ++I) {
    std::snprintf(Digits, sizeof(Digits), "%02x", Bytes[I]);
    Text += Digits;
  }
  return Text;
}

/// Looks through the notes in [Next, End) for the build id.
std::string buildIdInNotes(const char *Next, const char *End) {
  auto Padded = [](size_t Size) { return (Size + 3) & ~size_t{3}; };
  Elf64_Nhdr Note;
  while (Next + sizeof(Note) <= End) {
    std::memcpy(&Note, Next, sizeof(Note));
    Next += sizeof(Note);
    size_t Size = Padded(Note.n_namesz) + Padded(Note.n_descsz);
    if (Size > static_cast<size_t>(End - Next))
      break;
    if (Note.n_type == NT_GNU_BUILD_ID && Note.n_namesz == 4 && std::memcmp(Next, "GNU", 4) == 0)
      return hex(reinterpret_cast<const unsigned char *>(Next) + 4, Note.n_descsz);
    Next += Size;
  }
  return None;
}

#if defined(__x86_64__)
constexpr const char *TargetName = "x86_64-linux-gnu";

/// The processor's own words: brand, family and model, and every feature leaf that the compiler
/// looks at, with the part of the state that the operating system saves. The words that differ
/// between the cores of one machine (APIC numbers, topology) are left out.
std::string cpuWords() {
  struct Leaf {
    unsigned Number, Sub;
    unsigned Mask[4]; // of eax, ebx, ecx, edx
  };
  constexpr unsigned All = ~0u;
  // Leaf 1: ebx holds the core's APIC number; OSXSAVE in ecx stays.
  static constexpr Leaf Leaves[] = {
      {0, 0, {0, All, All, All}},     {1, 0, {All, 0, All, All}}, {7, 0, {0, All, All, All}},
      {7, 1, {All, 0, 0, All}},       {0xd, 1, {All, 0, 0, 0}},   {0x14, 0, {0, All, 0, 0}},
      {0x19, 0, {0, All, 0, 0}},      {0x24, 0, {0, All, 0, 0}},  {0x80000001, 0, {0, 0, All, All}},
      {0x80000008, 0, {0, All, 0, 0}}};
  std::string Text;
  char Word[16];
  for (const Leaf &L : Leaves) {
    unsigned Registers[4] = {0, 0, 0, 0};
    if (L.Number <= __get_cpuid_max(L.Number & 0x80000000, nullptr))
      __cpuid_count(L.Number, L.Sub, Registers[0], Registers[1], Registers[2], Registers[3]);
    for (int I = 0; I < 4; ++I)
      if (L.Mask[I]) {
        std::snprintf(Word, sizeof(Word), "%x.", Registers[I] & L.Mask[I]);
        Text += Word;
      }
  }
  unsigned A, B, C, D;
  if (__get_cpuid(1, &A, &B, &C, &D) && (C & bit_OSXSAVE)) {
    unsigned Low, High;
    __asm__ volatile("xgetbv" : "=a"(Low), "=d"(High) : "c"(0));
    std::snprintf(Word, sizeof(Word), "%x", Low);
    Text += Word;
  }
  return Text;
}
#else
#error "runtime/cache/identity.cpp does not know this processor yet"
#endif

Identity determine() {
  Identity I;
  I.Runtime = buildIdOf(libraryPath());
  I.Compiler = buildIdOf(libraryDirectory() + "/libspecrt-jit.so");
  I.Llvm = buildIdOf(SPECRT_LLVM_LIBRARY);
  I.Target = TargetName;
  I.Cpu = cpuWords();
  if (!I.known())
    logLine(LogLevel::Info,
            "compiled versions are not kept: no build id of libspecrt (%s), its compiler (%s) or "
            "LLVM (%s)",
            I.Runtime.c_str(), I.Compiler.c_str(), I.Llvm.c_str());
  return I;
}

} // namespace

std::string buildIdOf(const std::string &Path) {
  Descriptor File(open(Path.c_str(), O_RDONLY | O_CLOEXEC));
  const std::optional<ElfHeaders> Headers = File ? readElfHeaders(File.get()) : std::nullopt;
  if (!Headers)
    return None;
  for (const Elf64_Phdr &Segment : Headers->Segments) {
    constexpr uint64_t MaxNotes = 1 << 16;
    if (Segment.p_type != PT_NOTE || Segment.p_filesz > MaxNotes)
      continue;
    std::vector<char> Notes(Segment.p_filesz);
    if (pread(File.get(), Notes.data(), Notes.size(), static_cast<off_t>(Segment.p_offset)) !=
        static_cast<ssize_t>(Notes.size()))
      continue;
    std::string Id = buildIdInNotes(Notes.data(), Notes.data() + Notes.size());
    if (Id != None)
      return Id;
  }
  return None;
}

bool compilerIsTheExpected() {
  struct Search {
    bool Seen = false, Found = false;
  };
  auto Compare = [](dl_phdr_info *Info, size_t, void *Context) -> int {
    auto &S = *static_cast<Search *>(Context);
    if (!Info->dlpi_name || !std::strstr(Info->dlpi_name, "/libLLVM"))
      return 0;
    S.Seen = true;
    S.Found |= buildIdOf(Info->dlpi_name) == identity().Llvm;
    return S.Found;
  };
  // A host may have another libLLVM of its own. Without any (a compiler in a test) there is nothing
  // to compare.
  // Not a guarded variable, as below.
  enum class Answer : uint8_t { Unknown, No, Yes };
  static std::atomic<Answer> Expected{Answer::Unknown};
  if (Expected.load() == Answer::Unknown) {
    Search S;
    dl_iterate_phdr(Compare, &S);
    Answer Now = !S.Seen || S.Found ? Answer::Yes : Answer::No;
    if (Expected.exchange(Now) == Answer::Unknown && Now == Answer::No)
      logLine(LogLevel::Info, "compiled versions are not kept: libLLVM is not the one at %s",
              SPECRT_LLVM_LIBRARY);
  }
  return Expected.load() == Answer::Yes;
}

const Identity &identity() {
  // Not a guarded variable: a child forked while it is determined would wait for it for ever. Never
  // destroyed, because the worker may ask until the end.
  static std::atomic<const Identity *> Mine{nullptr};
  const Identity *Known = Mine.load(std::memory_order_acquire);
  if (!Known) {
    auto New = std::make_unique<const Identity>(determine());
    if (Mine.compare_exchange_strong(Known, New.get(), std::memory_order_acq_rel))
      Known = New.release();
  }
  return *Known;
}

} // namespace specrt
