//===- structure/views/known_patterns.h - finds patterns that were seen before -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_VIEWS_KNOWN_PATTERNS_H
#define SPECRT_STRUCTURE_VIEWS_KNOWN_PATTERNS_H

#include "structure/views/csr_pattern.h"

#include <optional>
#include <unordered_map>

namespace specrt {

/// XXH3-128 of sizes and contents. Equal hashes do not prove that patterns are equal.
struct PatternHash {
  uint64_t Low = 0, High = 0;
  bool operator==(const PatternHash &) const = default;
};

PatternHash hashOf(const CsrPattern &P);

class KnownPatterns {
public:
  explicit KnownPatterns(size_t MaxBytes = size_t{256} << 20) : MaxBytes(MaxBytes) {}

  /// Returns the number of the pattern that is equal to \p P, if it is known.
  std::optional<size_t> find(const CsrPattern &P) const { return find(hashOf(P), P); }
  std::optional<size_t> find(PatternHash Hash, const CsrPattern &P) const;
  /// Adds \p P and returns its number; nothing if memory is used up.
  std::optional<size_t> add(CsrPattern P);
  const CsrPattern &operator[](size_t Number) const { return Patterns[Number]; }
  size_t size() const { return Patterns.size(); }

private:
  size_t MaxBytes, Bytes = 0;
  std::vector<CsrPattern> Patterns;
  std::unordered_multimap<uint64_t, std::pair<uint64_t, size_t>> ByHash; // low: high, number
};

} // namespace specrt

#endif
