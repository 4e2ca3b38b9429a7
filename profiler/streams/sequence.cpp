//===- profiler/streams/sequence.cpp - describes the content of an array in pieces ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/streams/sequence.h"

#include <algorithm>
#include <tuple>

namespace specrt {
namespace {

/// An element by its position.
struct Element {
  int64_t At, Value;
};

int64_t minus(int64_t A, int64_t B) {
  return static_cast<int64_t>(static_cast<uint64_t>(A) - static_cast<uint64_t>(B));
}

int64_t valueAt(const specrt_sequence_piece &Piece, int64_t At) {
  return static_cast<int64_t>(static_cast<uint64_t>(Piece.value) +
                              static_cast<uint64_t>(At - Piece.first) *
                                  static_cast<uint64_t>(Piece.step));
}

/// Makes a list with each element once, by position; returns false if there is no such order.
bool arrange(std::vector<ReadElement> &Elements, uint32_t Width, std::vector<Element> &Result) {
  std::sort(Elements.begin(), Elements.end(), [](const ReadElement &A, const ReadElement &B) {
    return std::tie(A.Address, A.Value) < std::tie(B.Address, B.Value);
  });
  const uint64_t Lowest = Elements.front().Address;
  for (const ReadElement &E : Elements) {
    const uint64_t Distance = E.Address - Lowest;
    const auto At = static_cast<int64_t>(Distance / Width);
    if (Distance % Width != 0)
      return false;
    if (Result.empty() || Result.back().At != At)
      Result.push_back({At, E.Value});
    else if (Result.back().Value != E.Value)
      return false;
  }
  return true;
}

/// Gives Piece, which has one element so far, the step that leads to E; returns false if there is
/// none.
bool giveStep(specrt_sequence_piece &Piece, const Element &E) {
  const int64_t Rise = minus(E.Value, Piece.value), Run = E.At - Piece.first;
  if (Rise % Run != 0)
    return false;
  Piece.step = Rise / Run;
  return true;
}

} // namespace

bool operator==(const Sequence &A, const Sequence &B) {
  auto Tie = [](const specrt_sequence_piece &P) {
    return std::tie(P.first, P.count, P.value, P.step);
  };
  return A.Access == B.Access &&
         std::equal(A.Pieces.begin(), A.Pieces.end(), B.Pieces.begin(), B.Pieces.end(),
                    [&](const auto &P, const auto &Q) { return Tie(P) == Tie(Q); });
}

std::string Sequence::text() const {
  std::string Text = std::to_string(Access) + ":";
  for (const specrt_sequence_piece &P : Pieces)
    Text += std::to_string(P.first) + "+" + std::to_string(P.count) + "@" +
            std::to_string(P.value) + "*" + std::to_string(P.step) + ",";
  return Text;
}

std::optional<Sequence> sequenceOf(std::vector<ReadElement> &Elements, uint32_t Width,
                                   bool Pointers) {
  std::vector<Element> Known;
  if (Elements.empty() || Width == 0 || !arrange(Elements, Width, Known))
    return std::nullopt;
  const int64_t Base = Pointers ? Known.front().Value : 0;
  Sequence Found;
  bool HasStep = false;
  for (const Element &E : Known) {
    const Element Next = {E.At, minus(E.Value, Base)};
    if (!Found.Pieces.empty()) {
      specrt_sequence_piece &Last = Found.Pieces.back();
      Last.count = E.At - Last.first;
      const bool Fits = HasStep ? valueAt(Last, E.At) == Next.Value : giveStep(Last, Next);
      HasStep = Fits;
      if (Fits) {
        ++Last.count;
        continue;
      }
    }
    if (Found.Pieces.size() == MaxSequencePieces)
      return std::nullopt;
    Found.Pieces.push_back({.first = Next.At, .count = 1, .value = Next.Value, .step = 0});
  }
  return Found;
}

std::vector<specrt_sequence_fact> plainFacts(const std::vector<Sequence> &Sequences) {
  std::vector<specrt_sequence_fact> Facts;
  Facts.reserve(Sequences.size());
  for (const Sequence &S : Sequences)
    Facts.push_back({.access = S.Access,
                     .num_pieces = static_cast<uint32_t>(S.Pieces.size()),
                     .pieces = S.Pieces.data()});
  return Facts;
}

} // namespace specrt
