//===- runtime/base/nearest.h - finds similar names -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_BASE_NEAREST_H
#define SPECRT_RUNTIME_BASE_NEAREST_H

#include <cstddef>
#include <string>
#include <vector>

namespace specrt {

/// Returns the least number of insertions, deletions and replacements of bytes that turn A into B.
/// O(|A| * |B|).
size_t editDistance(const std::string &A, const std::string &B);

/// Returns the name with the smallest distance to Word, the first of equals; "" when there is no
/// name.
std::string nearestName(const std::string &Word, const std::vector<std::string> &Names);

} // namespace specrt

#endif
