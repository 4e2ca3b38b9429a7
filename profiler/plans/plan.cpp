//===- profiler/plans/plan.cpp - makes plans from a profile ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/plans/plan.h"

#include "guards/address.h"
#include "guards/polynomial.h"
#include "profiler/observations/alias_profile.h"
#include "profiler/observations/input_values.h"
#include "profiler/observations/time_profile.h"
#include "profiler/observations/tuple_profile.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>

namespace specrt {
namespace {

constexpr double MinTupleShare = 0.10; // below, a version of its own does not pay
/// A value in fewer calls may be there by chance. Equals EnoughTimes of runtime/base/policy, which
/// this room does not include.
constexpr uint64_t EnoughCalls = 3;
constexpr double MinValueShare = 0.50; // of the calls, for a constant of a partial plan
constexpr double MinJointShare = 0.25; // for a partial plan's constants together
constexpr double DominantShare = 0.50; // a full plan below this comes after the partial plan
constexpr double CoveredShare = 0.90;  // full plans that cover this much need no partial plan
/// The alignment of malloc. A smaller one does not help vector code. A larger one does not help
/// today's processors either, which load unaligned vectors as fast, but would make the version
/// unusable in a run in which an allocation moved.
constexpr uint64_t UsefulAlignment = 16;

/// Returns the facts that all plans share: the pointers' alignment.
std::vector<specrt_fact> commonFacts(const RegionProfile &Profile) {
  const auto &Inputs = Profile.get<InputValues>();
  std::vector<specrt_fact> Facts(Inputs.size());
  for (size_t I = 0; I < Facts.size(); ++I) {
    uint64_t Alignment = Inputs[I].alignment();
    if (Alignment < UsefulAlignment)
      continue;
    Facts[I].flags = SPECRT_FACT_ALIGNED;
    Facts[I].alignment = static_cast<uint32_t>(UsefulAlignment);
  }
  return Facts;
}

/// Returns whether a constant for this value simplifies code. A number in a register is as good as
/// a constant, unless arithmetic with it can be omitted: for a zero or a power of two, including
/// one.
bool isWorthKnowing(uint8_t Kind, uint64_t Packed) {
  if (isInteger(Kind))
    return true;
  const double Value = Kind == SPECRT_KIND_F32 ? std::bit_cast<float>(static_cast<uint32_t>(Packed))
                                               : std::bit_cast<double>(Packed);
  int Exponent;
  return Value == 0 || (std::isfinite(Value) && std::abs(std::frexp(Value, &Exponent)) == 0.5);
}

/// Returns whether a value that \p Calls of \p All calls certainly had is expected again.
bool recurs(uint64_t Calls, uint64_t All) {
  return Calls >= std::clamp<uint64_t>(All, 1, EnoughCalls);
}

/// Returns how often tuple entry I certainly occurred.
uint64_t certain(const TupleCount &Entry) { return Entry.Count - Entry.Error; }

/// Returns the share of the calls of some tuples: of the total time, or of the number of calls if
/// there are no times.
double share(const RegionProfile &Profile, uint64_t Calls, uint64_t Ns) {
  const auto &Times = Profile.get<TimeProfile>();
  double Whole = static_cast<double>(Times.totalNs() + Times.estimatedNs());
  double Part = static_cast<double>(Ns);
  if (Whole == 0) {
    Whole = static_cast<double>(Profile.sampledCalls());
    Part = static_cast<double>(Calls);
  }
  return Whole > 0 ? std::min(1.0, Part / Whole) : 0;
}

/// Returns by input whether its value is left open. \p Failed are plans whose guards never held.
std::vector<bool> openInputs(const InputValues &Inputs, const specrt_region &Region,
                             std::span<const Assumptions> Failed) {
  std::vector<bool> Open(Inputs.size());
  std::vector<std::optional<uint64_t>> Known(Inputs.size());
  const auto Fail = [&](size_t Input, uint64_t Value) {
    const ValueProfile &Seen = Inputs[Input];
    if (Seen.calls() == 0 || Seen.top().Value == Value)
      return;
    // One failure may mean that the program has begun something else, with one value from then on.
    const bool IsSecond = Known[Input] && *Known[Input] != Value;
    Known[Input] = Value;
    if (IsSecond || Seen.min() != Seen.max())
      Open[Input] = true;
  };
  for (const Assumptions &Plan : Failed) {
    for (size_t I = 0; I < std::min<size_t>(Plan.Facts.size(), Region.num_args); ++I)
      if (Plan.Facts[I].flags & SPECRT_FACT_CONSTANT)
        Fail(I, Plan.Facts[I].value);
    for (const specrt_cell_fact &Fact : Plan.Cells)
      for (uint32_t C = 0; C < Region.num_cells; ++C)
        if (isSameCell(Fact.cell, Region.cells[C]))
          Fail(size_t{Region.num_args} + C, Fact.value);
  }
  return Open;
}

/// Returns which arrays overlap in the calls of tuple Index.
std::vector<uint8_t> overlapsOf(const RegionProfile &Profile, unsigned Index) {
  const auto &Tuples = Profile.get<TupleProfile>();
  std::map<ArgumentPair, bool> AreSame;
  for (size_t P = 0; P < Tuples.pairs().size(); ++P)
    AreSame.emplace(Tuples.pairs()[P], Tuples.areSame(Index, P));
  return Profile.get<AliasProfile>().overlapMatrix(AreSame);
}

/// Returns the plan that makes all inputs of tuple Index constant that are not \p Open; nothing
/// when it does not recur.
std::optional<SpeculationPlan> fullPlan(const RegionProfile &Profile, unsigned Index,
                                        const std::vector<bool> &Open) {
  const auto &Tuples = Profile.get<TupleProfile>();
  const TupleCount &Entry = Tuples.entries()[Index];
  uint64_t Calls = certain(Entry);
  if (!recurs(Calls, Profile.sampledCalls()))
    return std::nullopt;
  SpeculationPlan Plan;
  Plan.Share = share(Profile, Calls, Entry.TotalNs);
  if (Plan.Share < MinTupleShare)
    return std::nullopt;
  Plan.CallShare = static_cast<double>(Calls) / static_cast<double>(Profile.sampledCalls());
  Plan.MeanNs = static_cast<double>(Entry.TotalNs) / static_cast<double>(Calls);
  Plan.Assumed.Facts = commonFacts(Profile);
  for (size_t A = 0; A < Tuples.inputs().size(); ++A) {
    const uint32_t Input = Tuples.inputs()[A];
    const uint64_t Value = Tuples.values(Index)[A];
    if (!Open[Input] && isWorthKnowing(Profile.inputKinds()[Input], Value))
      makeConstant(Plan.Assumed.Facts[Input], Profile.inputKinds()[Input], Value);
  }
  Plan.Assumed.Overlaps = overlapsOf(Profile, Index);
  return Plan;
}

/// The sum of the tuples that agree with a plan's constants.
struct Agreement {
  double Share = 0;   ///< of the time of all tuples in the table; of their calls without times
  uint64_t Calls = 0; ///< certain ones
  uint64_t TotalNs = 0;
};

bool agrees(const TupleProfile &Tuples, unsigned Index, const std::vector<specrt_fact> &Facts) {
  for (size_t A = 0; A < Tuples.inputs().size(); ++A) {
    const specrt_fact &Fact = Facts[Tuples.inputs()[A]];
    if ((Fact.flags & SPECRT_FACT_CONSTANT) && Fact.value != Tuples.values(Index)[A])
      return false;
  }
  return true;
}

/// Sums the tuples in the table, which represent all tuples: if few recur, they are the most recent
/// ones.
Agreement agreement(const TupleProfile &Tuples, const std::vector<specrt_fact> &Facts) {
  Agreement Result;
  uint64_t AllCalls = 0, AllNs = 0, Calls = 0;
  for (unsigned I = 0; I < TupleProfile::Capacity; ++I) {
    const TupleCount &Entry = Tuples.entries()[I];
    if (Entry.Count == 0)
      continue;
    AllCalls += Entry.Count;
    AllNs += Entry.TotalNs;
    if (!agrees(Tuples, I, Facts))
      continue;
    Calls += Entry.Count;
    Result.Calls += certain(Entry);
    Result.TotalNs += Entry.TotalNs;
  }
  if (AllNs != 0)
    Result.Share = static_cast<double>(Result.TotalNs) / static_cast<double>(AllNs);
  else if (AllCalls != 0)
    Result.Share = static_cast<double>(Calls) / static_cast<double>(AllCalls);
  return Result;
}

/// Returns the share of the calls that certainly had an input's most frequent value, if it may
/// become a constant by itself; otherwise 0. A floating-point value is constant only as part of a
/// tuple.
double constantShare(const ValueProfile &Values) {
  if (!isInteger(Values.kind()) || Values.calls() == 0)
    return 0;
  ValueCount Top = Values.top();
  uint64_t Calls = Top.Count - Top.Error;
  if (!recurs(Calls, Values.calls()))
    return 0;
  double Share = static_cast<double>(Calls) / static_cast<double>(Values.calls());
  return Share >= MinValueShare ? Share : 0;
}

/// Sets the observed range, widened to the usual limits of such parameters, so that a running
/// counter stays inside: down to 0, up to the nearest constant of the plan (k <= n), else to the
/// power of two above twice the maximum. Sets nothing when that is the whole type.
void makeRange(specrt_fact &Fact, const ValueProfile &Values,
               const std::vector<int64_t> &Constants) {
  if (Values.kind() == SPECRT_KIND_I1 || Values.calls() == 0)
    return;
  unsigned Bits = 4u << (Values.kind() - SPECRT_KIND_I1); // I8 = 2 -> 8 ... I64 = 5 -> 64
  int64_t TypeMax = static_cast<int64_t>(UINT64_MAX >> (65 - Bits));
  auto Widened = [&](uint64_t Magnitude) { // 2^k - 1 >= 2 * Magnitude, within the type
    unsigned Width = static_cast<unsigned>(std::bit_width(Magnitude)) + 1;
    return Width >= Bits - 1 ? TypeMax : static_cast<int64_t>((uint64_t{1} << Width) - 1);
  };
  int64_t Low = 0;
  if (Values.min() < 0) {
    int64_t Below = Widened(0 - static_cast<uint64_t>(Values.min()));
    Low = Below == TypeMax ? -TypeMax - 1 : -Below;
  }
  int64_t High = Values.max() < 0 ? 0 : Widened(static_cast<uint64_t>(Values.max()));
  for (int64_t Constant : Constants)
    if (Constant >= Values.max() && Constant >= 0)
      High = std::min(High, Constant);
  if (Low == -TypeMax - 1 && High == TypeMax)
    return;
  Fact.flags |= SPECRT_FACT_RANGE;
  Fact.low = Low;
  Fact.high = High;
}

/// Returns the plan that fixes the inputs that recur together and bounds the other integers.
SpeculationPlan partialPlan(const RegionProfile &Profile, const std::vector<bool> &Open) {
  const auto &Inputs = Profile.get<InputValues>();
  const auto &Tuples = Profile.get<TupleProfile>();
  SpeculationPlan Plan;
  std::vector<specrt_fact> &Facts = Plan.Assumed.Facts;
  Facts = commonFacts(Profile);
  for (size_t I = 0; I < Inputs.size(); ++I)
    if (!Open[I] && constantShare(Inputs[I]) > 0)
      makeConstant(Facts[I], Inputs[I].kind(), Inputs[I].top().Value);

  Agreement Together = agreement(Tuples, Facts);
  while (Together.Share < MinJointShare) {
    size_t Rarest = Inputs.size();
    for (size_t I = 0; I < Inputs.size(); ++I)
      if ((Facts[I].flags & SPECRT_FACT_CONSTANT) &&
          (Rarest == Inputs.size() || constantShare(Inputs[I]) < constantShare(Inputs[Rarest])))
        Rarest = I;
    if (Rarest == Inputs.size())
      break;
    Facts[Rarest] = {};
    Together = agreement(Tuples, Facts);
  }

  std::vector<int64_t> Constants;
  for (size_t I = 0; I < Inputs.size(); ++I)
    if (Facts[I].flags & SPECRT_FACT_CONSTANT)
      Constants.push_back(Facts[I].low);
  for (size_t I = 0; I < Inputs.size(); ++I)
    if (isInteger(Inputs[I].kind()) && !(Facts[I].flags & SPECRT_FACT_CONSTANT))
      makeRange(Facts[I], Inputs[I], Constants);

  Plan.Share = Together.Share;
  if (Together.Calls != 0)
    Plan.MeanNs = static_cast<double>(Together.TotalNs) / static_cast<double>(Together.Calls);
  return Plan;
}

bool hasRegionsShape(const RegionProfile &Profile, const specrt_region &Region) {
  return Profile.inputKinds().size() == size_t{Region.num_args} + Region.num_cells &&
         std::equal(Profile.argKinds().begin(), Profile.argKinds().end(), Region.arg_kinds,
                    Region.arg_kinds + Region.num_args);
}

/// Moves facts about cells out of the facts about inputs. Only constants in memory are used.
void separateCells(Assumptions &Assumed, const specrt_region &Region) {
  for (uint32_t I = 0; I < Region.num_cells; ++I) {
    const specrt_fact &Fact = Assumed.Facts[Region.num_args + I];
    if (Fact.flags & SPECRT_FACT_CONSTANT)
      Assumed.Cells.push_back({Region.cells[I], Fact.value});
  }
  Assumed.Facts.resize(Region.num_args);
}

} // namespace

/// Returns whether a call with these arguments may meet Facts, considering integers only.
static bool agrees(const std::vector<uint64_t> &Arguments, const std::vector<specrt_fact> &Facts,
                   const specrt_region &Region) {
  if (Arguments.size() != Region.num_args || Facts.size() != Region.num_args)
    return false;
  for (uint32_t I = 0; I < Region.num_args; ++I)
    if (isInteger(Region.arg_kinds[I]) && (Facts[I].flags & SPECRT_FACT_CONSTANT) &&
        Facts[I].value != Arguments[I])
      return false;
  return true;
}

bool servesMost(const Assumptions &Assumed, const RegionProfile &Profile,
                const specrt_region &Region) {
  std::vector<specrt_fact> Facts = Assumed.Facts;
  Facts.resize(Profile.inputKinds().size());
  for (const specrt_cell_fact &Fact : Assumed.Cells)
    for (uint32_t C = 0; C < Region.num_cells; ++C)
      if (isSameCell(Fact.cell, Region.cells[C]))
        makeConstant(Facts[Region.num_args + C], Profile.inputKinds()[Region.num_args + C],
                     Fact.value);
  const auto &Tuples = Profile.get<TupleProfile>();
  uint64_t AllNs = 0, Ns = 0;
  for (unsigned I = 0; I < TupleProfile::Capacity; ++I) {
    const TupleCount &Entry = Tuples.entries()[I];
    AllNs += Entry.TotalNs;
    if (Entry.Count > 0 && agrees(Tuples, I, Facts) && overlapsOf(Profile, I) == Assumed.Overlaps)
      Ns += Entry.TotalNs;
  }
  return Ns > 0 && static_cast<double>(Ns) >= DominantShare * static_cast<double>(AllNs);
}

std::vector<SpeculationPlan> withSequences(std::vector<SpeculationPlan> Plans,
                                           const FoldedStreams &Shown,
                                           const specrt_region &Region) {
  const std::vector<Sequence> Sequences = Shown.sequences();
  if (Sequences.empty())
    return Plans;
  std::vector<SpeculationPlan> Result;
  for (SpeculationPlan &Plan : Plans) {
    if (agrees(Shown.latest().Arguments, Plan.Assumed.Facts, Region)) {
      Result.push_back(Plan);
      Result.back().Assumed.Sequences = Sequences;
    }
    Result.push_back(std::move(Plan));
  }
  return Result;
}

std::vector<SpeculationPlan> withRows(std::vector<SpeculationPlan> Plans, const RowProfile &Shown,
                                      const specrt_region &Region) {
  if (Plans.empty() || Shown.loops().empty())
    return Plans;
  SpeculationPlan Rows;
  Rows.Assumed.Facts.resize(Region.num_args);
  Rows.Assumed.Rows = Shown.loops();
  Rows.Share = 1;
  // The mean of all calls is the best estimate.
  Rows.MeanNs = Plans.front().MeanNs;
  Plans.push_back(std::move(Rows));
  return Plans;
}

std::vector<SpeculationPlan> withZeros(std::vector<SpeculationPlan> Plans,
                                       const ZeroShares &Shown) {
  for (SpeculationPlan &Plan : Plans)
    Plan.Assumed.Zeros = Shown.mostlyZero();
  return Plans;
}

std::vector<SpeculationPlan> plans(const RegionProfile &Profile, const specrt_region &Region,
                                   unsigned Max, std::span<const Assumptions> Failed) {
  std::vector<SpeculationPlan> Found;
  if (Profile.sampledCalls() == 0 || Max == 0 || !hasRegionsShape(Profile, Region))
    return Found;
  const std::vector<bool> Open = openInputs(Profile.get<InputValues>(), Region, Failed);
  for (unsigned I = 0; I < TupleProfile::Capacity; ++I)
    if (auto Plan = fullPlan(Profile, I, Open)) {
      separateCells(Plan->Assumed, Region);
      Found.push_back(std::move(*Plan));
    }
  // Equal shares are ordered by their ids, which are the same in every run.
  std::sort(Found.begin(), Found.end(), [](const SpeculationPlan &A, const SpeculationPlan &B) {
    return A.Share != B.Share ? A.Share > B.Share : A.Assumed.id() < B.Assumed.id();
  });
  std::vector<SpeculationPlan> Distinct;
  const auto KnownAs = [&](const SpeculationPlan &Plan) {
    return std::find_if(Distinct.begin(), Distinct.end(), [&](const SpeculationPlan &P) {
      return P.Assumed.id() == Plan.Assumed.id();
    });
  };
  for (SpeculationPlan &Plan : Found) {
    // These tuples differ only in irrelevant numbers.
    if (const auto Known = KnownAs(Plan); Known != Distinct.end()) {
      Known->Share = std::min(1.0, Known->Share + Plan.Share);
      Known->CallShare = std::min(1.0, Known->CallShare + Plan.CallShare);
    } else {
      Distinct.push_back(std::move(Plan));
    }
  }
  double Covered = 0; // by as many versions as there may be
  for (size_t I = 0; I < std::min<size_t>(Distinct.size(), Max); ++I)
    Covered += Distinct[I].Share;
  if (Covered < CoveredShare) {
    SpeculationPlan Partial = partialPlan(Profile, Open);
    separateCells(Partial.Assumed, Region);
    Partial.Assumed.Overlaps = Profile.get<AliasProfile>().overlapMatrix();
    // A plan for the calls that the others leave needs a place among them.
    const bool First = Distinct.empty() || Distinct.front().Share < DominantShare;
    const size_t Place = First ? 0 : std::min<size_t>(Distinct.size(), std::max(Max - 1, 1U));
    if (KnownAs(Partial) == Distinct.end())
      Distinct.insert(Distinct.begin() + static_cast<ptrdiff_t>(Place), std::move(Partial));
  }
  if (Distinct.size() > Max)
    Distinct.erase(Distinct.begin() + Max, Distinct.end());
  for (SpeculationPlan &Plan : Distinct)
    Plan.NumCalls = Profile.sampledCalls();
  return Distinct;
}

} // namespace specrt
