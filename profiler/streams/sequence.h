//===- profiler/streams/sequence.h - what an array in memory holds, in pieces ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of an array of indices or pointers that a load reads, a call shows some elements. Where they are
// an affine function of the position, in few pieces, that is a guess about all of them: guards
// check it against the memory of each call (specrt_sequence_fact).
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
  /// "3:0+257@0*2056": element 0 and the 256 after it are 0, 2056, ...
  std::string text() const;
};

/// Pieces beyond which there is no regularity that would be of use.
constexpr size_t MaxSequencePieces = 8;

/// What was read at one address.
struct ReadElement {
  uint64_t Address;
  int64_t Value;
};

/// The sequence of \p Elements, which are reordered, of \p Width bytes each; of \p Pointers the
/// values are made relative to the lowest element's. Between elements that were read it is
/// continued. Nothing when they have no few pieces, changed between two reads, or do not lie at
/// multiples of Width from each other.
std::optional<Sequence> sequenceOf(std::vector<ReadElement> &Elements, uint32_t Width,
                                   bool Pointers);

/// The plain form; it refers to \p Sequences.
std::vector<specrt_sequence_fact> plainFacts(const std::vector<Sequence> &Sequences);

} // namespace specrt

#endif
