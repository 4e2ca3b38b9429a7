//===- runtime/zeros/zero_list.h - makes lists of nonzero elements --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_ZEROS_ZERO_LIST_H
#define SPECRT_RUNTIME_ZEROS_ZERO_LIST_H

#include "runtime/watch/watch.h"
#include "runtime/zeros/element_walk.h"
#include <atomic>
#include <memory>

namespace specrt {

/// The least share of zeros that makes a list worthwhile.
constexpr double MinShareOfZeros = 0.7;

/// Bytes on pages of their own, not on the program's heap.
class PagesOfOwn {
public:
  PagesOfOwn() = default;
  ~PagesOfOwn();
  PagesOfOwn(const PagesOfOwn &) = delete;
  PagesOfOwn &operator=(const PagesOfOwn &) = delete;
  bool reserve(size_t Bytes);
  /// Frees the pages behind \p Bytes.
  void shrink(size_t Bytes);
  std::byte *data() const { return Data; }
  size_t size() const { return Size; }

private:
  std::byte *Data = nullptr;
  size_t Size = 0;
};

/// A list, which does not change after it was made.
struct ZeroList : specrt_zeros_list {
  ZeroList() : specrt_zeros_list{} {}

  PagesOfOwn Starts, Positions, Values;
  uint64_t Elements = 0, Listed = 0;
  uint64_t Fingerprint = 0;       ///< hash of the listed elements
  std::unique_ptr<Watch> Watched; ///< null: the list is for one call
  std::atomic<uint32_t> Users{0};

  size_t bytes() const { return Starts.size() + Positions.size() + Values.size(); }
};

/// Returns the share of zeros among some hundred elements.
double sampledZeros(const specrt_zeros_walk &W, uint64_t Elements);

/// Returns null if too many elements are not zero, one is too small, or there is no memory.
std::unique_ptr<ZeroList> listElements(const specrt_zeros_walk &W, const ElementHull &Hull,
                                       size_t MaxBytes);

} // namespace specrt

#endif
