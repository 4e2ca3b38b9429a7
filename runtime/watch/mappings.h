//===- runtime/watch/mappings.h - what lies at an address -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_WATCH_MAPPINGS_H
#define SPECRT_RUNTIME_WATCH_MAPPINGS_H

#include <cstddef>
#include <cstdint>
#include <optional>

namespace specrt {

struct Mapping {
  uintptr_t Begin, End;
  /// Only this process can write it, and no file is behind it. A thread's first stack is not meant:
  /// it grows.
  bool IsPrivateAnonymous;
  bool IsReadable;
};

/// Looks up mappings in /proc/self/maps, which stays open for the life of this object.
class Mappings {
public:
  Mappings();
  ~Mappings();
  Mappings(const Mappings &) = delete;
  Mappings &operator=(const Mappings &) = delete;

  /// The mapping that Address lies in, if there is one and the kernel says so.
  std::optional<Mapping> at(uintptr_t Address) const;
  /// Every byte from \p Begin to before \p End, as far as anybody knows.
  bool areReadable(uintptr_t Begin, uintptr_t End) const;

private:
  friend struct MappingsTest;
  std::optional<Mapping> ask(uintptr_t Address) const;  ///< since Linux 6.11
  std::optional<Mapping> read(uintptr_t Address) const; ///< line by line

  int File;
};

/// Two facts in /proc/self/status.
struct ProcessStatus {
  bool IsFiltered;      ///< by seccomp: a system call that it does not expect may end the process
  bool HasPinnedMemory; ///< which devices write without the kernel's record of pages
};

/// Nothing when it cannot be read.
std::optional<ProcessStatus> processStatus();

} // namespace specrt

#endif
