//===- profiler/streams/sequence.h - describes the content of an array in pieces ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call reads some elements of an array of indices or pointers. If they are an affine function of
// the position, in few pieces, that is a guess about all elements: guards check it against the
// memory of each call (specrt_sequence_fact).
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_STREAMS_SEQUENCE_H
#define SPECRT_PROFILER_STREAMS_SEQUENCE_H

#include "specrt/facts.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace specrt {

/// A specrt_sequence_fact that owns its pieces.
struct Sequence {
  uint32_t Access = 0; ///< number of the load
  std::vector<specrt_sequence_piece> Pieces = {};

  friend bool operator==(const Sequence &A, const Sequence &B);
  /// Returns for example "3:0+257@0*2056": element 0 and the 256 after it are 0, 2056, ...
  std::string text() const;
};

/// The limit of pieces; more are no useful regularity.
constexpr size_t MaxSequencePieces = 8;

/// A value that was read at an address.
struct ReadElement {
  uint64_t Address;
  int64_t Value;
};

/// Returns the sequence of \p Elements, which are reordered, of \p Width bytes each. For \p
/// Pointers the values are made relative to the lowest element's. The sequence is continued between
/// elements that were read. Returns nothing if it needs too many pieces, an element changed between
/// two reads, or the distances are no multiples of Width.
std::optional<Sequence> sequenceOf(std::vector<ReadElement> &Elements, uint32_t Width,
                                   bool Pointers);

/// Returns the plain form, which refers to \p Sequences.
std::vector<specrt_sequence_fact> plainFacts(const std::vector<Sequence> &Sequences);

} // namespace specrt

#endif
