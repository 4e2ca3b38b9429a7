//===- profiler/folding/run.cpp - a row that points are added to ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/folding/run.h"

#include <algorithm>
#include <limits>

namespace specrt::folding {
namespace {

/// A value that no iterator has: the prediction if there is none.
constexpr int64_t Unattainable = std::numeric_limits<int64_t>::min();

} // namespace

Run::Run(unsigned Iterators, unsigned Labels)
    : Iterators(Iterators), Labels(Labels), Start(Iterators + Labels), Next(Iterators + Labels),
      Step(1 + Labels), Tops(Labels) {
  Next[Iterators - 1] = Unattainable;
}

void Run::begin(const int64_t *Point, const int64_t *NewLabels) {
  std::copy_n(Point, Iterators, Start.begin());
  std::copy_n(NewLabels, Labels, Start.begin() + Iterators);
  std::copy_n(Point, Iterators, Next.begin());
  std::fill(Step.begin(), Step.end(), 0);
  if (NumTops)
    std::fill(Tops.begin(), Tops.end(), TopLabel());
  NumTops = 0;
  Count = 1;
  Next[Iterators - 1] = Unattainable;
}

bool Run::extend(int64_t X, const int64_t *NewLabels, bool Widen) {
  if (Count == 1) {
    Step[0] = X - Start[Iterators - 1];
    for (unsigned I = 0; I < Labels; ++I)
      Step[1 + I] = minus(NewLabels[I], Start[Iterators + I]);
  } else if (X - lastX() != Step[0] || (!Widen && !fits(NewLabels))) {
    return false;
  } else {
    for (unsigned I = 0; I < Labels; ++I)
      if (!Tops[I].Is && NewLabels[I] != plus(lastLabel(I), Step[1 + I]))
        makeTop(I);
  }
  for (unsigned I = 0; NumTops && I < Labels; ++I)
    if (Tops[I].Is) {
      auto &Hashes = Tops[I].Hashes;
      std::copy_backward(Hashes.begin(), Hashes.end() - 1, Hashes.end());
      Hashes[0] = Hashes[0] + Power * Residue(minus(NewLabels[I], Start[Iterators + I]));
      Tops[I].Last = NewLabels[I];
    }
  if (NumTops)
    Power = Power * base(stepLevel(Iterators - 1));
  ++Count;
  predict();
  return true;
}

bool Run::fits(const int64_t *NewLabels) const {
  for (unsigned I = 0; I < Labels; ++I)
    if (NewLabels[I] != plus(lastLabel(I), Step[1 + I]))
      return false;
  return true;
}

void Run::prepend() {
  Start[Iterators - 1] -= Step[0];
  for (unsigned I = 0; I < Labels; ++I)
    Start[Iterators + I] = minus(Start[Iterators + I], Step[1 + I]);
  ++Count;
}

bool Run::continuesWith(int64_t StepX, const int64_t *StepLabels) const {
  return Count > 1 && !NumTops && Step[0] == StepX &&
         std::equal(StepLabels, StepLabels + Labels, Step.begin() + 1);
}

int64_t Run::lastLabel(unsigned Label) const {
  return Tops[Label].Is
             ? Tops[Label].Last
             : plus(Start[Iterators + Label], times(int64_t(Count - 1), Step[1 + Label]));
}

void Run::makeTop(unsigned Label) {
  const unsigned Level = stepLevel(Iterators - 1);
  Tops[Label].Is = true;
  for (unsigned Without = 0; Without < std::min<uint64_t>(RowEnds, Count); ++Without)
    Tops[Label].Hashes[Without] = Residue(Step[1 + Label]) * moment(Level, Count - Without);
  if (!NumTops++)
    Power = base(Level).toThe(Count);
}

void Run::predict() {
  if (NumTops)
    return void(Next[Iterators - 1] = Unattainable);
  Next[Iterators - 1] = lastX() + Step[0];
  for (unsigned I = 0; I < Labels; ++I)
    Next[Iterators + I] = plus(lastLabel(I), Step[1 + I]);
}

Shape Run::shape() const {
  Shape S(Iterators, Labels);
  const unsigned Level = stepLevel(Iterators - 1);
  std::copy_n(Start.begin(), Iterators, S.corner());
  std::copy_n(Start.begin() + Iterators, Labels, S.corner() + S.f(0));
  S.setPoints(Count);
  if (Count == 1)
    return S;
  S.corner()[S.n(Level)] = int64_t(Count);
  S.setActive(Levels::only(Level));
  S.row(Level)[S.x(Iterators - 1)] = Step[0];
  for (unsigned I = 0; I < Labels; ++I)
    if (Tops[I].Is) {
      Shape::Irregular Info{.Tops = Levels::only(Level), .Hash = Tops[I].Hashes[0].number()};
      std::transform(Tops[I].Hashes.begin(), Tops[I].Hashes.end(), Info.Ends.begin(),
                     [](Residue R) { return R.number(); });
      S.setIrregular(I, Info);
    } else {
      S.row(Level)[S.f(I)] = Step[1 + I];
    }
  return S;
}

} // namespace specrt::folding
