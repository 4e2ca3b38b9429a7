//===- runtime/rows/data_caches.h - what caches keep of the data of rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_ROWS_DATA_CACHES_H
#define SPECRT_RUNTIME_ROWS_DATA_CACHES_H

#include <atomic>

namespace specrt {

/// Of data that have more bytes, caches keep nothing from call to call. Tests change it.
std::atomic<double> &cachedBytes();
/// Of such data, two loops over the same rows take turns after about so many. Tests change it.
std::atomic<double> &fusedStepBytes();

} // namespace specrt

#endif
