//===- profiler/folding/shapes/replay.cpp - regenerates the stream of shapes ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/folding/shapes/replay.h"

#include <algorithm>
#include <array>
#include <queue>

namespace specrt::folding {
namespace {

/// Iterates over the rows of a shape.
class Cursor {
public:
  explicit Cursor(const Shape &S) : S(&S), Innermost(stepLevel(S.iterators() - 1)) { settle(); }

  bool done() const { return Done; }
  const int64_t *point() const { return Attributes.data(); }
  int64_t &x() { return Attributes[S->iterators() - 1]; }
  int64_t stepX() const { return S->active().has(Innermost) ? S->row(Innermost)[X()] : 1; }

  /// Returns the next points; fewer than the row has if \p Limit comes before its end.
  ReplayedRow next(const int64_t *Limit) const {
    ReplayedRow Row{point(), uint64_t(Left), &Attributes[S->f(0)], &Steps[0]};
    if (stepX() != 1)
      Row.Count = 1;
    else if (Limit && std::equal(point(), point() + X(), Limit))
      Row.Count = uint64_t(std::min(Left, Limit[X()] - point()[X()]));
    return Row;
  }
  void skip(uint64_t Count) {
    Left -= int64_t(Count);
    if (!Left)
      return nextRow();
    x() += int64_t(Count) * stepX();
    for (unsigned I = 0; I < S->labels(); ++I)
      Attributes[S->f(I)] = plus(Attributes[S->f(I)], times(int64_t(Count), Steps[I]));
  }

private:
  unsigned X() const { return S->iterators() - 1; }

  void settle() {
    attributesAt(*S, Y.data(), Attributes.data());
    Left = Attributes[S->n(Innermost)];
    for (unsigned I = 0; I < S->labels(); ++I)
      Steps[I] = S->active().has(Innermost) ? S->row(Innermost)[S->f(I)] : 0;
  }
  void nextRow() {
    attributesAt(*S, Y.data(), Attributes.data());
    for (unsigned Level = Innermost; Level-- > 0;) {
      // The number of values depends on outer counters only.
      if (++Y[Level] < Attributes[S->n(Level)])
        return settle();
      Y[Level] = 0;
    }
    Done = true;
  }

  const Shape *S;
  unsigned Innermost;
  bool Done = false;
  int64_t Left = 0; ///< remaining points of the row
  std::array<int64_t, MaxLevels> Y{};
  std::array<int64_t, MaxAttributes> Attributes;
  std::array<int64_t, MaxLabels> Steps;
};

} // namespace

void replay(const std::vector<Shape> &Shapes,
            const std::function<void(const ReplayedRow &)> &Sink) {
  std::vector<Cursor> Cursors(Shapes.begin(), Shapes.end());
  const unsigned Iterators = Shapes.empty() ? 0 : Shapes[0].iterators();
  auto Later = [&](size_t A, size_t B) {
    return std::lexicographical_compare(Cursors[B].point(), Cursors[B].point() + Iterators,
                                        Cursors[A].point(), Cursors[A].point() + Iterators);
  };
  std::priority_queue<size_t, std::vector<size_t>, decltype(Later)> Queue(Later);
  for (size_t I = 0; I < Cursors.size(); ++I)
    Queue.push(I);
  while (!Queue.empty()) {
    size_t First = Queue.top();
    Queue.pop();
    ReplayedRow Row = Cursors[First].next(Queue.empty() ? nullptr : Cursors[Queue.top()].point());
    Sink(Row);
    Cursors[First].skip(Row.Count);
    if (!Cursors[First].done())
      Queue.push(First);
  }
}

} // namespace specrt::folding
