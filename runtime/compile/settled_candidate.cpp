//===- runtime/compile/settled_candidate.cpp - what a compile gives before it ends ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compile/settled_candidate.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace specrt {
namespace {

/// A file in memory; closed at the end.
struct MemoryFile {
  const int Fd = memfd_create("specrt-link", MFD_CLOEXEC);
  ~MemoryFile() {
    if (Fd >= 0)
      close(Fd);
  }

  /// False on failure.
  bool read(std::string &Text) const {
    struct stat Status;
    if (fstat(Fd, &Status) != 0)
      return false;
    Text.resize(static_cast<size_t>(Status.st_size));
    return pread(Fd, Text.data(), Text.size(), 0) == Status.st_size;
  }
};

} // namespace

SettledCandidate linkCandidate(const specrt_jit_api &Api, const specrt_region &Region,
                               const specrt_jit_candidate &Candidate, const std::string &Key) {
  SettledCandidate Settled{
      .Name = Candidate.name, .Exists = true, .Guards = GuardList(Candidate.guards), .Key = Key};
  const MemoryFile Memory;
  const specrt_jit_link Link{&Region, &Candidate, 1, 0, Key.c_str(), Memory.Fd};
  const char *Problem = Memory.Fd >= 0 ? Api.link(&Link) : "no memory";
  if (!Problem && !Memory.read(Settled.Object))
    Problem = "the linked code cannot be read";
  Settled.Problem = Problem ? Problem : "";
  return Settled;
}

} // namespace specrt
