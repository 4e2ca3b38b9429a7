//===- runtime/call/compiled_body.h - code that can replace a region ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_CALL_COMPILED_BODY_H
#define SPECRT_RUNTIME_CALL_COMPILED_BODY_H

#include "guards/guard_list.h"
#include "runtime/call/guard_price.h"
#include "specrt/rows.h"
#include <memory>
#include <string>

namespace specrt {

class LoadedVersion;

/// One body, from the compiler or the cache through trial to publication. Copies refer to the same
/// code and share ownership of it by Stored.
struct CompiledBody {
  std::string Name = {};                      ///< name of the candidate: "source-order"
  void *Body = nullptr;                       ///< same signature as the region
  std::shared_ptr<LoadedVersion> Stored = {}; ///< the object that contains it
  bool FromCache = false;                     ///< true if no compile of this run has made it
  bool IsVerified = false;                    ///< a replay gave the same bits as the original
  GuardList Guards = {};
  GuardPrice Price = {}; ///< of Guards
  bool Parallel = false;
  specrt_sparse_loop *Rows = nullptr; ///< the first of its row loops, or null
  double CompileMs = 0;
  double LoadNs = 0; ///< time to load it from the store; 0: unknown
};

} // namespace specrt

#endif
