//===- structure/levels/recent_lists.h - lists of numbers that neighbours share -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_LEVELS_RECENT_LISTS_H
#define SPECRT_STRUCTURE_LEVELS_RECENT_LISTS_H

#include "structure/levels/large_vector.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace specrt {

/// Stores lists of numbers, each after its length. A list that was added recently is not added
/// again.
template <typename Number> class RecentLists {
public:
  /// Returns the position of the list.
  uint32_t add(std::span<const Number> List) {
    const auto Known = std::find_if(Last.begin(), Last.end(), [&](uint32_t At) {
      return At && std::ranges::equal((*this)[At - 1], List);
    });
    if (Known != Last.end()) {
      std::swap(*Known, Last[0]);
      return Last[0] - 1;
    }
    const auto New = static_cast<uint32_t>(Numbers.size());
    Numbers.push_back(static_cast<Number>(List.size()));
    Numbers.insert(Numbers.end(), List.begin(), List.end());
    Next = Next % (Last.size() - 1) + 1;
    Last[Next] = std::exchange(Last[0], New + 1);
    return New;
  }
  std::span<const Number> operator[](uint32_t At) const {
    return {Numbers.data() + At + 1, static_cast<size_t>(Numbers[At])};
  }
  /// Returns the size of all lists and their lengths.
  size_t size() const { return Numbers.size(); }
  size_t bytes() const { return Numbers.capacity() * sizeof(Number); }

private:
  LargeVector<Number> Numbers;
  std::array<uint32_t, 8> Last{}; // positions of recently added lists, + 1
  size_t Next = 0;                // index of the next to replace in Last
};

} // namespace specrt

#endif
