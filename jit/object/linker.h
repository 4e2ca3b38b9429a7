//===- jit/object/linker.h - links shared objects with lld, in this process ===//
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

/// Copies everything that is written to its path to a file. The path names a pipe, for which lld
/// keeps its output in memory until it is complete instead of creating temporary files and signal
/// handlers that remove them. The reading thread uses this object.
class LinkerOutput {
public:
  /// \p To must be open for writing.
  explicit LinkerOutput(int To);
  ~LinkerOutput();
  LinkerOutput(const LinkerOutput &) = delete;
  LinkerOutput &operator=(const LinkerOutput &) = delete;

  /// Returns false when there is no pipe or no thread.
  bool good() const { return Reading; }
  std::string path() const;

  /// Waits, after the writer is done, until the file is complete. Returns 0 or an error number.
  int finish();

private:
  static void *drain(void *This);

  const int To;
  int Ends[2] = {-1, -1};
  int Problem = 0; ///< owned by the reading thread until it has ended
  std::atomic<bool> Written{false};
  pthread_t Reader{};
  bool Reading = false;
};

/// Links \p Objects into a shared object that exports symbols of default visibility and imports
/// nothing. One call at a time. lld works in memory, so problems with disks cannot make it fail.
llvm::Error linkShared(llvm::ArrayRef<llvm::MemoryBufferRef> Objects, LinkerOutput &Output);

} // namespace specrt

#endif
