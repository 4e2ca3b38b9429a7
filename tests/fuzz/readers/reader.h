//===- tests/fuzz/readers/reader.h - what a target for one reader consists of ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each source here that is not mutations.cpp has one target: a reader of bytes that others may have
// written, and what the users of its values do with them. A target aborts where a reader accepts
// what it would not write. It is linked with libFuzzer (scripts/fuzz.sh --readers), or with
// mutations.cpp as a test.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TESTS_FUZZ_READERS_READER_H
#define SPECRT_TESTS_FUZZ_READERS_READER_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

/// Reads any bytes. Returns 0.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size);

/// What the reader's own writer writes, and inputs that were found to be bad once.
std::vector<std::string> seeds();

inline std::string_view viewOf(const uint8_t *Data, size_t Size) {
  return {reinterpret_cast<const char *>(Data), Size};
}

/// Ends the process, unless \p Condition holds.
inline void demand(bool Condition, const char *What) {
  if (Condition)
    return;
  std::fprintf(stderr, "the reader broke a promise: %s\n", What);
  std::abort();
}

/// A file without a name that has such bytes.
class FileOfBytes {
public:
  explicit FileOfBytes(std::string_view Bytes) : Fd(memfd_create("reader", MFD_CLOEXEC)) {
    demand(Fd >= 0 && write(Fd, Bytes.data(), Bytes.size()) == static_cast<ssize_t>(Bytes.size()),
           "a file can be made");
  }
  ~FileOfBytes() { close(Fd); }
  FileOfBytes(const FileOfBytes &) = delete;
  FileOfBytes &operator=(const FileOfBytes &) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(Fd); }

private:
  const int Fd;
};

#endif
