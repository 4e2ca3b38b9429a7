//===- guards/guards.cpp - operations on guards of all kinds --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/guards.h"
#include "guards/words.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace specrt {

bool holds(const specrt_guard &Guard, const specrt_region &Region, const uint64_t *Packed) {
  const GuardKind *Kind = findGuardKind(Guard.kind);
  return Kind && Kind->holds(Guard, Region, Packed);
}

extern "C" uint32_t specrt_guard_holds(const specrt_guard *Guard, const specrt_region *Region,
                                       const uint64_t *Packed) {
  return holds(*Guard, *Region, Packed);
}

std::string describe(const specrt_guard &Guard, const specrt_region &Region) {
  if (const GuardKind *Kind = findGuardKind(Guard.kind))
    return Kind->describe(Guard, Region);
  return "a guard of unknown kind " + std::to_string(Guard.kind);
}

double costNs(GuardView Guards) {
  double Ns = 0;
  for (const specrt_guard &Guard : Guards)
    if (const GuardKind *Kind = findGuardKind(Guard.kind))
      Ns += Kind->costNs(Guard);
  return Ns;
}

bool isCalled(const specrt_guard &Guard) {
  const GuardKind *Kind = findGuardKind(Guard.kind);
  return Kind && Kind->isCalled(Guard);
}

const char *problemOf(const specrt_guard &Guard, const specrt_region &Region) {
  const GuardKind *Kind = findGuardKind(Guard.kind);
  return Kind ? Kind->problem(Guard, Region) : "is of an unknown kind";
}

const char *problemOf(const specrt_guards &Guards, const specrt_region &Region) {
  const auto *At = reinterpret_cast<const char *>(Guards.first);
  uint64_t Left = Guards.bytes;
  while (Left > 0) {
    if (Left < sizeof(specrt_guard))
      return "is incomplete";
    const auto &Guard = *reinterpret_cast<const specrt_guard *>(At);
    if (Guard.bytes > Left)
      return "is incomplete";
    const GuardKind *Kind = findGuardKind(Guard.kind);
    if (!Kind)
      return "is of an unknown kind";
    if (Guard.bytes < Kind->FixedBytes ||
        Guard.bytes != Kind->FixedBytes + Kind->trailingBytes(Guard))
      return "has another length than its kind";
    if (const char *Problem = Kind->problem(Guard, Region))
      return Problem;
    At += Guard.bytes;
    Left -= Guard.bytes;
  }
  return nullptr;
}

GuardList inOrder(GuardView Guards) {
  struct Place {
    const specrt_guard *Guard;
    Presumes Stage;
    double Ns; ///< 0 if guards keep their order
    size_t Number;
    auto rank() const { return std::tie(Stage, Ns, Number); }
  };
  std::vector<Place> Places;
  for (const specrt_guard &Guard : Guards) {
    const GuardKind *Kind = findGuardKind(Guard.kind);
    if (std::any_of(Places.begin(), Places.end(),
                    [&](const Place &P) { return GuardView(*P.Guard) == GuardView(Guard); }))
      continue;
    Presumes Stage = Kind ? Kind->presumes(Guard) : Presumes::MemoryContent;
    double Ns = Stage == Presumes::Nothing ? Kind->costNs(Guard) : 0;
    Places.push_back({&Guard, Stage, Ns, Places.size()});
  }
  std::sort(Places.begin(), Places.end(),
            [](const Place &A, const Place &B) { return A.rank() < B.rank(); });
  GuardList Ordered;
  for (const Place &P : Places)
    Ordered.append(*P.Guard);
  return Ordered;
}

std::string labelOfPinned(const specrt_region &Region, GuardView Guards) {
  std::vector<specrt_fact> Facts(Region.num_args);
  for (const specrt_guard &Guard : Guards) {
    const GuardKind *Kind = findGuardKind(Guard.kind);
    std::optional<PinnedArgument> Pinned = Kind ? Kind->pins(Guard) : std::nullopt;
    if (!Pinned || Pinned->Argument >= Region.num_args)
      continue;
    Facts[Pinned->Argument].flags = SPECRT_FACT_CONSTANT;
    Facts[Pinned->Argument].value = Pinned->Value;
  }
  return labelOfConstants(Region, Facts.data());
}

} // namespace specrt
