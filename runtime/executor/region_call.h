//===- runtime/executor/region_call.h - calls compiled code with packed arguments ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_EXECUTOR_REGION_CALL_H
#define SPECRT_RUNTIME_EXECUTOR_REGION_CALL_H

#include "specrt/abi.h"
#include <cstdint>
#include <ffi.h>
#include <vector>

namespace specrt {

/// Calls code of a region's signature, as the region's thunk does. Refers to itself.
class RegionCall {
public:
  /// \p Packed must outlive the object.
  RegionCall(const specrt_region &Region, const uint64_t *Packed);
  RegionCall(const RegionCall &) = delete;
  RegionCall &operator=(const RegionCall &) = delete;

  /// Returns false when libffi does not know the signature.
  bool good() const { return Good; }
  /// Returns the result's first eight bytes.
  uint64_t operator()(void *Body);

private:
  std::vector<ffi_type *> Types;
  std::vector<void *> Arguments;
  ffi_cif Cif; ///< set if Good
  bool Good = false;
};

} // namespace specrt

#endif
