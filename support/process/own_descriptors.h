//===- support/process/own_descriptors.h - a descriptor table for our own threads -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program may close every descriptor from 3 up and open its own files while a thread of ours is
// between open() and close(): the thread would then read, write or close the program's file. So our
// threads have a table of their own. The program never sees their descriptors, its children do not
// inherit them, and files that it closes are not kept open here.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SUPPORT_PROCESS_OWN_DESCRIPTORS_H
#define SPECRT_SUPPORT_PROCESS_OWN_DESCRIPTORS_H

namespace specrt {

/// Gives the calling thread, and the threads that it starts from then on, a table that holds only
/// /dev/null as descriptors 0 to 2. Has no effect in Valgrind or where the kernel refuses. A new
/// thread calls this before it opens anything.
void takeOwnDescriptors();

/// Marks the calling thread as sharing the table of the thread that started it, if that has its
/// own.
void shareOwnDescriptorsOf(bool CreatorHasOwn);

/// Returns true on threads whose descriptors are not the program's. Async-signal-safe.
bool hasOwnDescriptors();

/// Closes all descriptors of the calling thread's table from \p First up. Kernels before Linux 5.9
/// lack the call for that; there it closes those below 1024, the usual limit. Makes system calls
/// only, so that a process that shares the memory of another one may use it.
void closeFrom(int First);

/// Moves a descriptor to a higher number, because programs choose or expect low ones. Returns the
/// new number, or the old one where the limits do not allow it; returns a negative one unchanged.
/// Async-signal-safe.
int moveUp(int Descriptor);

/// A descriptor of the program, usable on the calling thread. On a thread with a table of its own
/// it is a copy, which the destructor closes; elsewhere it is the descriptor itself.
class ProgramDescriptor {
public:
  explicit ProgramDescriptor(int Number);
  ~ProgramDescriptor();
  ProgramDescriptor(const ProgramDescriptor &) = delete;
  ProgramDescriptor &operator=(const ProgramDescriptor &) = delete;

  /// Returns a negative number when the program has no such descriptor or it cannot be copied.
  int get() const { return File; }

private:
  int File;
  const bool IsCopy;
};

} // namespace specrt

#endif
