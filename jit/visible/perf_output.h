//===- jit/visible/perf_output.h - files that tell perf about generated code ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// perf cannot ask a process about code in memory; it reads files that the process leaves behind:
//
//   map      /tmp/perf-<pid>.map, a line per function. perf report finds it by itself; no lines.
//   jitdump  <folder>/jit-<pid>.dump, code and line tables, for perf record -k 1 and perf inject
//            --jit. The folder is a new one in $JITDUMPDIR/.debug/jit, else ~/.debug/jit.
//
// Both formats are written here and not by LLVM, because a file that cannot be written must not
// keep code from being used. Only the process that opened a file writes to it: a forked child does
// not mix its code into that of its parent.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_JIT_VISIBLE_PERF_OUTPUT_H
#define SPECRT_JIT_VISIBLE_PERF_OUTPUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace specrt {

/// From \p Address on, code belongs to this line.
struct GeneratedLine {
  uint64_t Address;
  unsigned Line;
  std::string File;
};

struct GeneratedFunction {
  std::string Name;
  uint64_t Address; ///< where it runs
  llvm::ArrayRef<char> Code;
  std::vector<GeneratedLine> Lines; ///< in the order of addresses; may be empty
};

/// One open file. Not thread-safe.
class PerfOutput {
public:
  /// Each fails with one sentence when the file cannot be made.
  static llvm::Expected<std::unique_ptr<PerfOutput>> openMap();
  static llvm::Expected<std::unique_ptr<PerfOutput>> openJitDump();

  virtual ~PerfOutput();
  PerfOutput(const PerfOutput &) = delete;
  PerfOutput &operator=(const PerfOutput &) = delete;

  /// Appends \p Functions. After a failure nothing more is written.
  llvm::Error write(llvm::ArrayRef<GeneratedFunction> Functions);

protected:
  /// Owns \p Descriptor.
  PerfOutput(int Descriptor, std::string Path);
  /// Appends \p Bytes as a whole or fails.
  llvm::Error append(llvm::StringRef Bytes);
  virtual std::string encode(const GeneratedFunction &Function) = 0;

private:
  int Descriptor;
  std::string Path;
  pid_t Process;
};

} // namespace specrt

#endif
