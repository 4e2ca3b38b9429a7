//===- runtime/call/compiled_body.h - code that can stand for a region ----===//
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

/// One body, from the compiler or the cache through trial to publication. Copies stand for the same
/// code; who has the last word on it drops Stored.
struct CompiledBody {
  std::string Name = {};                      ///< of the candidate: "source-order"
  void *Body = nullptr;                       ///< same signature as the region
  std::shared_ptr<LoadedVersion> Stored = {}; ///< the object that it is in
  bool FromCache = false;                     ///< no compile of this run has made it
  bool IsVerified = false; ///< on a captured call it gave the same bits as the original
  GuardList Guards = {};
  GuardPrice Price = {}; ///< of Guards
  bool Parallel = false;
  specrt_rows_site *Rows = nullptr; ///< the first of its row loops, or null
  double CompileMs = 0;
  double LoadNs = 0; ///< what loading it from the store took; 0: unknown
};

} // namespace specrt

#endif
