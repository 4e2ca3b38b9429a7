//===- profiler/observations/region_profile.cpp - all observations of one region ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/observations/region_profile.h"

#include "guards/polynomial.h"
#include <algorithm>

namespace specrt {

RegionProfile::Slot::Slot(const ObservationKind &Kind, const specrt_region &Region)
    : Name(Kind.Name), Seen(Kind.create(Region)), Sampled(Seen->sampled()) {}

RegionProfile::Slot::Slot(const Slot &Other)
    : Name(Other.Name), Seen(Other.Seen->clone()), Sampled(Seen->sampled()), Rest(Other.Rest) {}

RegionProfile::Slot &RegionProfile::Slot::operator=(Slot Other) noexcept {
  Name = Other.Name;
  Seen = std::move(Other.Seen);
  Sampled = Other.Sampled;
  Rest = std::move(Other.Rest);
  return *this;
}

RegionProfile::RegionProfile(const specrt_region &Region)
    : Region(&Region), Shape{.InputKinds = specrt::inputKinds(Region),
                             .NumArgs = Region.num_args,
                             .NumAccesses = Region.num_accesses,
                             .NumLoops = Region.num_loops},
      Last(Shape.InputKinds.size()) {
  Slots.reserve(observationKinds().size());
  for (const ObservationKind &Kind : observationKinds())
    Slots.emplace_back(Kind, Region);
}

void RegionProfile::record(const uint64_t *Packed, uint64_t Nanoseconds, const CellValues &Cells,
                           bool IsEstimate) {
  const size_t NumArgs = Shape.NumArgs;
  const auto LastCells = Last.begin() + static_cast<ptrdiff_t>(NumArgs);
  SampledCall Call{.Region = *Region,
                   .Inputs = Last.data(),
                   .Nanoseconds = Nanoseconds,
                   .SameInputs = HasLast && std::equal(Last.begin(), LastCells, Packed) &&
                                 std::equal(LastCells, Last.end(), Cells.begin()),
                   .IntegersChanged = false,
                   .IsEstimate = IsEstimate};
  if (!Call.SameInputs)
    for (size_t I = 0; I < Last.size(); ++I) {
      uint64_t Value = I < NumArgs ? Packed[I] : Cells[I - NumArgs];
      Call.IntegersChanged |= Value != Last[I] && isInteger(Shape.InputKinds[I]);
      Last[I] = Value;
    }
  HasLast = true;
  ++Sampled;
  for (const Slot &S : Slots)
    if (S.Sampled)
      S.Sampled->record(Call);
}

RegionProfile::Slot *RegionProfile::slot(std::string_view Name) const {
  auto Found =
      std::find_if(Slots.begin(), Slots.end(), [&](const Slot &S) { return Name == S.Name; });
  return Found == Slots.end() ? nullptr : &*Found;
}

Observation &RegionProfile::complete(Slot &S) {
  if (Loader Load = std::exchange(S.Rest, nullptr)) {
    std::unique_ptr<Observation> Newer = S.Seen->clone();
    S.Seen->clear();
    Load(*S.Seen);
    if (!Newer->isEmpty())
      S.Seen->merge(*Newer);
  }
  return *S.Seen;
}

void RegionProfile::defer(std::string_view Name, Loader Load) {
  if (Slot *S = slot(Name))
    S->Rest = std::move(Load);
}

bool RegionProfile::merge(const RegionProfile &Newer) {
  if (Shape != Newer.Shape)
    return false;
  for (size_t I = 0; I < Slots.size(); ++I) {
    Slot &Theirs = Newer.Slots[I];
    if (Theirs.Rest || !Theirs.Seen->isEmpty())
      complete(Slots[I]).merge(complete(Theirs));
  }
  Sampled += Newer.Sampled;
  Unsampled += Newer.Unsampled;
  // The tables were reordered, so the shortcut for equal inputs is invalid.
  HasLast = false;
  return true;
}

void RegionProfile::clear() noexcept {
  for (Slot &S : Slots) {
    S.Seen->clear();
    S.Rest = nullptr;
  }
  Sampled = Unsampled = 0;
  HasLast = false;
}

size_t RegionProfile::memoryBytes() const {
  size_t Bytes = sizeof(*this) + Shape.InputKinds.capacity() + Last.capacity() * sizeof(uint64_t) +
                 Slots.capacity() * sizeof(Slot);
  for (const Slot &S : Slots)
    Bytes += S.Seen->memoryBytes();
  return Bytes;
}

} // namespace specrt
