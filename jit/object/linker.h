//===- jit/object/linker.h - shared objects, by lld in this process -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_JIT_OBJECT_LINKER_H
#define SPECRT_JIT_OBJECT_LINKER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <atomic>
#include <pthread.h>
#include <string>

namespace specrt {

/// Brings what is written to its path to a file. lld keeps its output in memory until it is
/// complete when that path is a pipe, instead of creating temporary files and signal handlers that
/// remove them. The reading thread uses this object.
class LinkerOutput {
public:
  /// \p To is open for writing.
  explicit LinkerOutput(int To);
  ~LinkerOutput();
  LinkerOutput(const LinkerOutput &) = delete;
  LinkerOutput &operator=(const LinkerOutput &) = delete;

  /// False when there is no pipe or no thread.
  bool good() const { return Reading; }
  std::string path() const;

  /// Once the writer is done: 0 when everything is in the file, or an error number.
  int finish();

private:
  static void *drain(void *This);

  const int To;
  int Ends[2] = {-1, -1};
  int Problem = 0; ///< the reading thread's until it has ended
  std::atomic<bool> Written{false};
  pthread_t Reader{};
  bool Reading = false;
};

/// Links \p Objects into a shared object that exports what has default visibility and imports
/// nothing. One call at a time. lld works in memory: what happens on disks cannot make it fail.
llvm::Error linkShared(llvm::ArrayRef<llvm::MemoryBufferRef> Objects, LinkerOutput &Output);

} // namespace specrt

#endif
