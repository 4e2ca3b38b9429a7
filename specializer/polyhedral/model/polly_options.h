//===- specializer/polyhedral/model/polly_options.h - Polly's global options ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polly reads most of its configuration from llvm::cl options, which are global. A PollyOptionScope
// sets some of them by name and puts their defaults back when it goes out of scope, so that one
// candidate's configuration never leaks into the next.
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

  /// Sets option \p Name (without dashes) to \p Value. False when this LLVM has no such option or
  /// refuses the value; the caller decides whether it can do without.
  bool set(llvm::StringRef Name, llvm::StringRef Value);
  bool set(llvm::StringRef Name, bool Value) { return set(Name, Value ? "true" : "false"); }
  bool set(llvm::StringRef Name, const char *Value) { return set(Name, llvm::StringRef(Value)); }

private:
  llvm::SmallVector<llvm::cl::Option *, 16> Changed;
};

/// Sets all that our candidates want; \p ForceParallel: loops run in parallel whatever Polly thinks
/// of their work.
void setPollyOptions(PollyOptionScope &Scope, bool Parallel, bool ForceParallel);

} // namespace specrt

#endif
