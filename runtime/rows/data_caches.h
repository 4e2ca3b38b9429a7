//===- runtime/rows/data_caches.h - the bytes of row data that caches keep ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_ROWS_DATA_CACHES_H
#define SPECRT_RUNTIME_ROWS_DATA_CACHES_H

#include <atomic>

namespace specrt {

/// Returns the size from which data do not stay in caches from call to call. Tests change it.
std::atomic<double> &cachedBytes();
/// Returns the approximate bytes of such data after which two loops over the same rows take turns.
/// Tests change it.
std::atomic<double> &fusedStepBytes();

} // namespace specrt

#endif
