//===- profiler/folding/shapes/shape.cpp - pieces as images of counters ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/folding/shapes/shape.h"

#include "profiler/folding/shapes/corners.h"

namespace specrt::folding {

Shape::Shape(unsigned Iterators, unsigned Labels)
    : Words(Header + PerLabel * Labels + (2 * Iterators + 1) * (3 * Iterators + Labels)) {
  Words[0] = Iterators;
  Words[1] = Labels;
  setPoints(1);
  setExecutions(1);
  setExact(true);
  std::fill_n(corner() + n(0), levels(), 1);
}

bool Shape::fixedCount(unsigned Level) const {
  bool Fixed = true;
  (active() & Levels::outside(Level)).forEach([&](unsigned Outer) {
    Fixed &= row(Outer)[n(Level)] == 0;
  });
  return Fixed;
}

void attributesAt(const Shape &S, const int64_t *Y, int64_t *Attributes) {
  std::copy_n(S.corner(), S.attributes(), Attributes);
  S.active().forEach([&](unsigned Level) {
    const int64_t *Row = S.row(Level);
    if (Y[Level])
      for (unsigned A = 0; A < S.attributes(); ++A)
        Attributes[A] = plus(Attributes[A], times(Y[Level], Row[A]));
  });
}

uint64_t countPoints(const Shape &S) {
  // Levels with a fixed count on which no other one depends are factors; the others are enumerated.
  Levels Walked;
  S.active().forEach([&](unsigned Level) {
    S.active().forEach([&](unsigned Inner) {
      if (S.row(Level)[S.n(Inner)] != 0)
        Walked = Walked | Levels::only(Level) | Levels::only(Inner);
    });
  });
  uint64_t Factor = 1, Sum = 0;
  (S.active() - Walked).forEach([&](unsigned Level) {
    Factor *= uint64_t(S.corner()[S.n(Level)]);
  });
  std::array<int64_t, MaxLevels> Y{};
  std::array<int64_t, MaxAttributes> Attributes;
  auto Walk = [&](auto &Self, uint32_t Rest) -> void {
    if (!Rest)
      return void(++Sum);
    const auto Level = unsigned(std::countr_zero(Rest));
    attributesAt(S, Y.data(), Attributes.data());
    const int64_t Count = Attributes[S.n(Level)];
    if (!(Rest & (Rest - 1)))
      return void(Sum += uint64_t(Count));
    for (Y[Level] = 0; Y[Level] < Count; ++Y[Level])
      Self(Self, Rest & (Rest - 1));
    Y[Level] = 0;
  };
  Walk(Walk, Walked.bits());
  return Sum * Factor;
}

Bounds boundsOf(const Shape &S) {
  Bounds B{std::vector<int64_t>(S.corner(), S.corner() + S.iterators()),
           std::vector<int64_t>(S.corner(), S.corner() + S.iterators())};
  forEachCorner(S, [&](const int64_t *Attributes) {
    for (unsigned K = 0; K < S.iterators(); ++K) {
      B.Low[K] = std::min(B.Low[K], Attributes[K]);
      B.High[K] = std::max(B.High[K], Attributes[K]);
    }
  });
  return B;
}

} // namespace specrt::folding
