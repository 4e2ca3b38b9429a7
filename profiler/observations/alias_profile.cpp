//===- profiler/observations/alias_profile.cpp - observes which accesses overlap ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/observations/alias_profile.h"

#include "guards/polynomial.h"
#include "profiler/json/json_reader.h"
#include "profiler/json/json_writer.h"
#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace specrt {
namespace {

using nlohmann::json;

/// The names of outcomes in profiles, indexed by PairProfile::Outcome.
constexpr const char *OutcomeNames[] = {"disjoint", "overlapping", "unknown", "same"};

/// Returns the base's address if that needs no load from the program's memory.
std::optional<uint64_t> addressOf(const specrt_base &Base, const SampledCall &Call) {
  const specrt_region &Region = Call.Region;
  if (Base.kind == SPECRT_BASE_ARGUMENT && Base.index < Region.num_args)
    return Call.Inputs[Base.index];
  if (Base.kind == SPECRT_BASE_SYMBOL && Base.index < Region.num_symbols)
    return reinterpret_cast<uint64_t>(Region.symbols[Base.index].address);
  return std::nullopt;
}

std::optional<ArgumentPair> argumentsOf(const specrt_base &X, const specrt_base &Y) {
  if (X.kind != SPECRT_BASE_ARGUMENT || Y.kind != SPECRT_BASE_ARGUMENT || X.index == Y.index)
    return std::nullopt;
  return std::minmax({uint32_t{X.index}, uint32_t{Y.index}});
}

/// Returns the pairs of observed accesses of which one writes.
std::vector<PairProfile> pairsIn(const specrt_region &Region) {
  const uint32_t Observed = std::min<uint32_t>(Region.num_accesses, AliasProfile::MaxAccesses);
  std::vector<PairProfile> Pairs;
  for (uint32_t A = 0; A < Observed; ++A)
    for (uint32_t B = A + 1; B < Observed; ++B)
      if ((Region.accesses[A].flags | Region.accesses[B].flags) & SPECRT_ACCESS_WRITE) {
        PairProfile &Pair = Pairs.emplace_back();
        Pair.First = A;
        Pair.Second = B;
        Pair.Arguments = argumentsOf(Region.accesses[A].range.base, Region.accesses[B].range.base);
      }
  return Pairs;
}

/// Returns the digit of a pair in the matrix, from the observations of this pair alone. \p AreSame
/// tells whether its arguments have the same address, if that is known.
uint8_t digitOf(const PairProfile &Pair, std::optional<bool> AreSame = std::nullopt) {
  auto All =
      static_cast<double>(std::accumulate(std::begin(Pair.Ns), std::end(Pair.Ns), uint64_t{0}));
  auto Same = static_cast<double>(Pair.Ns[PairProfile::Same]);
  if (AreSame == true && Same > 0)
    return 2;
  if (AreSame == false)
    All -= std::exchange(Same, 0);
  const double Shared = Same + static_cast<double>(Pair.Ns[PairProfile::Overlapping]);
  if (All == 0 || Shared < AliasProfile::MinOverlapShare * All)
    return 0;
  return Same >= AliasProfile::MinSameShare * All ? 2 : 1;
}

} // namespace

std::set<ArgumentPair> comparedArguments(const specrt_region &Region) {
  std::set<ArgumentPair> Found;
  for (const PairProfile &Pair : pairsIn(Region))
    if (Pair.Arguments && Pair.Arguments->second < Region.num_args)
      Found.insert(*Pair.Arguments);
  return Found;
}

AliasProfile::AliasProfile(const specrt_region &Region)
    : Pairs(pairsIn(Region)), Extents(std::min<uint32_t>(Region.num_accesses, MaxAccesses)),
      NumAccesses(Region.num_accesses) {}

void AliasProfile::evaluateExtents(const SampledCall &Call) {
  const specrt_region &Region = Call.Region;
  for (size_t A = 0; A < Extents.size(); ++A) {
    const specrt_range &Range = Region.accesses[A].range;
    auto Begin = evaluate(Range.begin, Region.arg_kinds, Region.num_args, Call.Inputs);
    auto End = evaluate(Range.end, Region.arg_kinds, Region.num_args, Call.Inputs);
    Extents[A] = {Begin.value_or(0), End.value_or(0), Begin && End};
  }
}

PairProfile::Outcome AliasProfile::compare(const SampledCall &Call, const PairProfile &Pair) const {
  const Extent &X = Extents[Pair.First], &Y = Extents[Pair.Second];
  if ((X.Known && X.End <= X.Begin) || (Y.Known && Y.End <= Y.Begin))
    return PairProfile::Disjoint;
  const specrt_base &First = Call.Region.accesses[Pair.First].range.base;
  const specrt_base &Second = Call.Region.accesses[Pair.Second].range.base;
  auto XBase = addressOf(First, Call), YBase = addressOf(Second, Call);
  const bool AreApart = X.Known && Y.Known && (X.Begin >= Y.End || Y.Begin >= X.End);
  if (Pair.Arguments && XBase && XBase == YBase && !AreApart)
    return PairProfile::Same;
  if (!X.Known || !Y.Known || !XBase || !YBase)
    return PairProfile::Unknown;
  uint64_t XBegin = *XBase + static_cast<uint64_t>(X.Begin);
  uint64_t XEnd = *XBase + static_cast<uint64_t>(X.End);
  uint64_t YBegin = *YBase + static_cast<uint64_t>(Y.Begin);
  uint64_t YEnd = *YBase + static_cast<uint64_t>(Y.End);
  if (XEnd < XBegin || YEnd < YBegin) // wraps around the address space: not an object
    return PairProfile::Unknown;
  return XBegin >= YEnd || YBegin >= XEnd ? PairProfile::Disjoint : PairProfile::Overlapping;
}

void AliasProfile::record(const SampledCall &Call) {
  EvaluationRhythm::Beat Beat = Rhythm.next(Call);
  if (Beat == EvaluationRhythm::Beat::Skip)
    return;
  if (Beat == EvaluationRhythm::Beat::Evaluate)
    evaluateExtents(Call);
  if (Beat != EvaluationRhythm::Beat::Repeat)
    for (PairProfile &Pair : Pairs)
      Pair.Last = compare(Call, Pair);
  for (PairProfile &Pair : Pairs) {
    ++Pair.Counts[Pair.Last];
    Pair.Ns[Pair.Last] += Call.Nanoseconds;
  }
}

bool AliasProfile::isEmpty() const {
  // Every counted call counts for every pair.
  return Pairs.empty() || std::accumulate(std::begin(Pairs.front().Counts),
                                          std::end(Pairs.front().Counts), uint64_t{0}) == 0;
}

void AliasProfile::clear() {
  for (PairProfile &Pair : Pairs) {
    std::fill(std::begin(Pair.Counts), std::end(Pair.Counts), 0);
    std::fill(std::begin(Pair.Ns), std::end(Pair.Ns), 0);
  }
  Rhythm = {};
}

void AliasProfile::add(const AliasProfile &Newer) {
  for (size_t P = 0; P < Pairs.size() && P < Newer.Pairs.size(); ++P)
    for (unsigned O = 0; O < PairProfile::NumOutcomes; ++O) {
      Pairs[P].Counts[O] += Newer.Pairs[P].Counts[O];
      Pairs[P].Ns[O] += Newer.Pairs[P].Ns[O];
    }
}

json AliasProfile::toJson() const {
  json Out = json::array();
  for (const PairProfile &P : Pairs) {
    json &Pair = Out.emplace_back(json{{"first", P.First}, {"second", P.Second}});
    for (unsigned O = 0; O < PairProfile::NumOutcomes; ++O) {
      Pair[OutcomeNames[O]] = countForJson(P.Counts[O]);
      Pair[OutcomeNames[O] + std::string("_ns")] = countForJson(P.Ns[O]);
    }
  }
  return Out;
}

void AliasProfile::readJson(JsonReader &In, const json &Json) {
  if (!In.require(Json.is_array() && Json.size() == Pairs.size()))
    return;
  for (size_t I = 0; I < Pairs.size(); ++I) {
    PairProfile &P = Pairs[I];
    In.require(In.count(Json[I], "first") == P.First && In.count(Json[I], "second") == P.Second);
    for (unsigned O = 0; O < PairProfile::NumOutcomes; ++O) {
      const std::string Name = OutcomeNames[O];
      P.Counts[O] = In.count(Json[I], Name.c_str());
      P.Ns[O] = In.count(Json[I], (Name + "_ns").c_str());
    }
  }
}

size_t AliasProfile::memoryBytes() const {
  return sizeof(*this) + Pairs.capacity() * sizeof(PairProfile) +
         Extents.capacity() * sizeof(Extent);
}

std::vector<uint8_t> AliasProfile::overlapMatrix() const { return overlapMatrix({}); }

std::vector<uint8_t>
AliasProfile::overlapMatrix(const std::map<ArgumentPair, bool> &AreSame) const {
  const auto Digit = [&](const PairProfile &Pair) {
    const auto Known = Pair.Arguments ? AreSame.find(*Pair.Arguments) : AreSame.end();
    return Known == AreSame.end() ? digitOf(Pair) : digitOf(Pair, Known->second);
  };
  std::vector<uint8_t> Matrix(size_t{NumAccesses} * NumAccesses);
  // Only some accesses to two arguments may be disjoint, and in some calls only. That changes
  // neither the guards nor Assumptions::id.
  std::set<ArgumentPair> SameArguments;
  for (const PairProfile &Pair : Pairs)
    if (Pair.Arguments && Digit(Pair) == 2)
      SameArguments.insert(*Pair.Arguments);
  for (const PairProfile &Pair : Pairs) {
    const bool IsOne = Pair.Arguments && SameArguments.contains(*Pair.Arguments);
    Matrix[size_t{Pair.First} * NumAccesses + Pair.Second] =
        Matrix[size_t{Pair.Second} * NumAccesses + Pair.First] = IsOne ? 2 : Digit(Pair);
  }
  return Matrix;
}

} // namespace specrt
