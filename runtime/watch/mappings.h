//===- runtime/watch/mappings.h - properties of mappings ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_WATCH_MAPPINGS_H
#define SPECRT_RUNTIME_WATCH_MAPPINGS_H

#include <cstddef>
#include <cstdint>
#include <optional>

namespace specrt {

struct Mapping {
  uintptr_t Begin, End;
  /// Only this process can write it, and it has no file. False for a thread's first stack, because
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

  /// Returns the mapping that contains Address; nothing if there is none or the kernel does not
  /// report it.
  std::optional<Mapping> at(uintptr_t Address) const;
  /// Returns whether every byte of [\p Begin, \p End) is readable, as far as this is known.
  bool areReadable(uintptr_t Begin, uintptr_t End) const;

private:
  friend struct MappingsTest;
  std::optional<Mapping> ask(uintptr_t Address) const;  ///< requires Linux 6.11
  std::optional<Mapping> read(uintptr_t Address) const; ///< line by line

  int File;
};

/// Two properties from /proc/self/status.
struct ProcessStatus {
  bool IsFiltered;      ///< by seccomp: an unexpected system call may end the process
  bool HasPinnedMemory; ///< devices write such memory without the kernel's record of pages
};

/// Returns nothing if the file cannot be read.
std::optional<ProcessStatus> processStatus();

} // namespace specrt

#endif
