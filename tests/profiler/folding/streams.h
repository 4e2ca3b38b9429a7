//===- tests/profiler/folding/streams.h - streams, and checks of what they become ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_PROFILER_FOLDING_STREAMS_H
#define SPECRT_TESTS_PROFILER_FOLDING_STREAMS_H

#include "specrt/folding.h"

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace specrt {

using Vector = std::vector<int64_t>;

/// A stream that is kept, so that it can be compared with what it was folded to.
struct Stream {
  unsigned Iterators, Labels;
  std::vector<std::pair<Vector, Vector>> Points;

  void add(Vector Point, Vector Label) { Points.emplace_back(std::move(Point), std::move(Label)); }
  void addTo(Folder &F) const {
    for (const auto &[Point, Label] : Points)
      F.add(Point.data(), Label.data());
  }
  Folding fold(const FoldOptions &Options = {}) const {
    Folder F(Iterators, Labels, Options);
    addTo(F);
    return F.finish();
  }
};

/// How many points the domain of a piece has, whatever it counted; by what is public of it.
inline uint64_t domainSize(const FoldedPiece &Piece, Vector &Z) {
  const size_t D = Z.size();
  if (D == Piece.Dimensions.size())
    return 1;
  uint64_t Size = 0;
  Vector Outer = Z;
  Outer.resize(Piece.Dimensions.size());
  const int64_t High = *Piece.Dimensions[D].Upper.at(Outer);
  for (int64_t X = *Piece.Dimensions[D].Lower.at(Outer); X <= High; ++X) {
    Z.push_back(X);
    Size += domainSize(Piece, Z);
    Z.pop_back();
  }
  return Size;
}

/// The folding says of each point what the stream does, as far as it says anything: returns the
/// first thing that is wrong, "" if nothing is.
inline std::string mismatch(const Stream &S, const Folding &F) {
  std::map<const FoldedPiece *, std::map<Vector, const Vector *>> Seen;
  uint64_t Sum = 0;
  for (const FoldedPiece &Piece : F.Pieces)
    Sum += Piece.Points;
  if (Sum != S.Points.size() || F.Points != S.Points.size())
    return "pieces have " + std::to_string(Sum) + " points";
  for (const auto &[Point, Label] : S.Points) {
    const FoldedPiece *Of = nullptr;
    for (const FoldedPiece &Piece : F.Pieces)
      if (Piece.contains(Point)) {
        if (Of)
          return "a point is in two pieces";
        Of = &Piece;
      }
    if (!Of)
      return "a point is in no piece";
    for (unsigned L = 0; L < S.Labels; ++L) {
      auto Value = Of->value(Point, L);
      if (Value ? *Value != Label[L] : Of->Functions[L].affine())
        return "a label differs: " + Of->domainText() + ": " + Of->functionText(L);
    }
    Seen[Of].emplace(*Of->coordinates(Point), &Label);
  }
  for (const FoldedPiece &Piece : F.Pieces) {
    const auto &Points = Seen[&Piece];
    if (Points.size() != Piece.Points)
      return "a piece counts " + std::to_string(Piece.Points) + " points";
    Vector Z;
    if (Piece.ExactDomain && domainSize(Piece, Z) != Piece.Points)
      return "a domain has more points than were added: " + Piece.domainText();
    // A number as coefficient is the difference between all neighbours, whatever is top elsewhere.
    for (const auto &[Z, Label] : Points)
      for (size_t D = 0; D < Z.size(); ++D) {
        Vector Neighbour = Z;
        ++Neighbour[D];
        auto Found = Points.find(Neighbour);
        for (unsigned L = 0; Found != Points.end() && L < S.Labels; ++L) {
          const Coefficient &C = Piece.Functions[L].Coefficients[D];
          if (!C.isTop() &&
              int64_t(uint64_t((*Found->second)[L]) - uint64_t((*Label)[L])) != C.Value)
            return "a stride is wrong: " + Piece.domainText() + ": " + Piece.functionText(L);
        }
      }
  }
  return "";
}

/// "domain: function" per piece, in order.
inline std::vector<std::string> texts(const Folding &F, std::vector<std::string> Names = {}) {
  std::vector<std::string> Texts;
  for (const FoldedPiece &Piece : F.Pieces) {
    std::string Text = Piece.domainText(Names);
    for (unsigned L = 0; L < F.Labels; ++L)
      Text += (L ? "; " : ": ") + Piece.functionText(L, Names);
    Texts.push_back(Text);
  }
  return Texts;
}

} // namespace specrt

#endif
