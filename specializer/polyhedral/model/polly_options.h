//===- specializer/polyhedral/model/polly_options.h - Polly's global options ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polly reads most of its configuration from llvm::cl options, which are global. A PollyOptionScope
// sets some of them by name and restores their defaults when it is destroyed, so that one
// candidate's configuration does not affect the next.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_POLLY_OPTIONS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_POLLY_OPTIONS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"

namespace specrt {

class PollyOptionScope {
public:
  PollyOptionScope() = default;
  ~PollyOptionScope();
  PollyOptionScope(const PollyOptionScope &) = delete;
  PollyOptionScope &operator=(const PollyOptionScope &) = delete;

  /// Sets option \p Name (without dashes) to \p Value. Returns false if this LLVM has no such
  /// option or rejects the value; the caller decides whether that is an error.
  bool set(llvm::StringRef Name, llvm::StringRef Value);
  bool set(llvm::StringRef Name, bool Value) { return set(Name, Value ? "true" : "false"); }
  bool set(llvm::StringRef Name, const char *Value) { return set(Name, llvm::StringRef(Value)); }

private:
  llvm::SmallVector<llvm::cl::Option *, 16> Changed;
};

/// Sets all options for candidates. \p ForceParallel: loops run in parallel regardless of Polly's
/// estimate of their work.
void setPollyOptions(PollyOptionScope &Scope, bool Parallel, bool ForceParallel);

} // namespace specrt

#endif
