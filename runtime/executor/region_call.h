//===- runtime/executor/region_call.h - calls compiled code with packed arguments ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_EXECUTOR_REGION_CALL_H
#define SPECRT_RUNTIME_EXECUTOR_REGION_CALL_H

#include "specrt/abi.h"
#include <cstdint>
#include <ffi.h>
#include <vector>

namespace specrt {

/// Calls bodies of a region with one call's arguments, with libffi. Not thread-safe.
class RegionCall {
public:
  /// \p Packed must outlive the object.
  RegionCall(const specrt_region &Region, const uint64_t *Packed);
  RegionCall(const RegionCall &) = delete; // Cif points into Types
  RegionCall &operator=(const RegionCall &) = delete;

  /// Returns false if libffi cannot make the call.
  bool good() const { return Good; }
  /// Returns the result. Only for good() objects.
  uint64_t operator()(void *Body);

private:
  std::vector<ffi_type *> Types;
  std::vector<void *> Arguments;
  ffi_cif Cif; ///< set if Good
  bool Good = false;
};

} // namespace specrt

#endif
