//===- support/own_descriptors.h - a descriptor table for our own threads -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program may close every descriptor from 3 up and open its own files while a thread of ours is
// between open() and close(): the thread would then read, write or close the program's file. So
// threads of ours have a table of their own. The program never sees their descriptors, its children
// do not inherit them, and nothing that it closes stays open here.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SUPPORT_OWN_DESCRIPTORS_H
#define SPECRT_SUPPORT_OWN_DESCRIPTORS_H

namespace specrt {

/// Gives the calling thread, and the threads that it starts from then on, a table that holds
/// nothing but /dev/null as descriptors 0 to 2. Where the kernel refuses, and in
/// Valgrind, everything stays as it is. To be called by a new thread before it opens anything.
void takeOwnDescriptors();

/// Marks the calling thread, which was started by one with a table of its own, as sharing it.
void shareOwnDescriptorsOf(bool CreatorHasOwn);

/// True on threads whose descriptors are not the program's. Async-signal-safe.
bool hasOwnDescriptors();

/// Closes all descriptors of the calling thread's table from \p First up. Kernels before Linux 5.9
/// lack the call for that; there it closes those below 1024, the usual limit. Makes system calls
/// only, so that a process that shares the memory of another may use it.
void closeFrom(int First);

/// Moves a descriptor away from the low numbers that programs choose or count on, where the limits
/// allow. Returns its new number; a negative one stays. Async-signal-safe.
int moveUp(int Descriptor);

/// A descriptor of the program, usable on the calling thread. On a thread with a table of its own
/// it is a copy, which is closed at the end; elsewhere it is the descriptor itself.
class ProgramDescriptor {
public:
  explicit ProgramDescriptor(int Number);
  ~ProgramDescriptor();
  ProgramDescriptor(const ProgramDescriptor &) = delete;
  ProgramDescriptor &operator=(const ProgramDescriptor &) = delete;

  /// Negative: the program has none of that number, or it cannot be had.
  int get() const { return File; }

private:
  int File;
  const bool IsCopy;
};

} // namespace specrt

#endif
