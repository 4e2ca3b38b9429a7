//===- profiler/folding/folder.cpp - the public interface of the engine ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/folding/engine.h"
#include "specrt/folding.h"

#include <utility>

namespace specrt {

Folder::Folder(unsigned Iterators, unsigned Labels, const FoldOptions &Options)
    : NumIterators(Iterators), NumLabels(Labels),
      Implementation(std::make_unique<folding::Engine>(Iterators, Labels, Options)) {
  Next = Implementation->next();
  Step = Implementation->steps() + 1;
}
Folder::~Folder() = default;
Folder::Folder(Folder &&) noexcept = default;
Folder &Folder::operator=(Folder &&) noexcept = default;

void Folder::addUnforeseen(const int64_t *Point, const int64_t *Labels) {
  Implementation->add(Point, Labels, std::exchange(NumPredicted, 0));
}

void Folder::addRow(const int64_t *Point, uint64_t Count, const int64_t *Labels,
                    const int64_t *Steps) {
  Implementation->addRow({Point, Count, Labels, Steps}, std::exchange(NumPredicted, 0));
}

Folding Folder::finish() {
  Folding Result = Implementation->finish(std::exchange(NumPredicted, 0));
  *this = Folder(NumIterators, NumLabels, Implementation->options());
  return Result;
}

std::vector<FoldedPiece> Folder::live() const { return Implementation->live(NumPredicted); }
unsigned Folder::peakLive() const { return unsigned(Implementation->peakLive()); }
size_t Folder::memory() const { return sizeof(*this) + Implementation->memory(); }

} // namespace specrt
