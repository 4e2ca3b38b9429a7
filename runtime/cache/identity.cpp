//===- runtime/cache/identity.cpp - identifies the machine and the compiler ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cache/identity.h"
#include "arch/x86_64/processor_identity.h"
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

/// Returns the build id in the notes in [Next, End); "none" without one.
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

Identity determine() {
  Identity I;
  I.Runtime = buildIdOf(libraryPath());
  I.Compiler = buildIdOf(libraryDirectory() + "/libspecrt-jit.so");
  I.Llvm = buildIdOf(SPECRT_LLVM_LIBRARY);
  I.Target = TargetName;
  I.Cpu = processorIdentity();
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
    constexpr uint64_t MaxNotes = 1 << 16; // bytes; a build identifier takes some dozens
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
  // The host may have loaded another libLLVM of its own. Without any (with a test's compiler) there
  // is nothing to compare. The variable has no guard, for the reason given below.
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
  // The variable has no guard, because a child forked while another thread initialises it would
  // wait for ever. The object is never destroyed, because the worker may use it until the end.
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
