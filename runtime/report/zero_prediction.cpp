//===- runtime/report/zero_prediction.cpp - predicts zeros from lists of nonzeros ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/report/zero_prediction.h"
#include "runtime/base/clock.h"
#include "runtime/zeros/element_walk.h"
#include "structure/program/program_text.h"
#include "structure/propagation/delinearisation.h"
#include "structure/propagation/iteration_boxes.h"
#include "structure/propagation/propagation.h"

#include <algorithm>
#include <array>
#include <optional>

namespace specrt {
namespace {

/// The number of a list's boxes that are used per available millisecond, and its limit.
constexpr double RunsPerMs = 2500;
constexpr size_t MaxRuns = 200'000;

/// A read of an array, with the loops that its elements vary with.
struct ListedRead {
  const DenseStatement *In = nullptr;
  const DenseAccess *Access = nullptr;
  std::vector<size_t> Loops; ///< the outermost first
};

/// Returns the distance in elements from one iteration of \p Loop to the next; nothing when an
/// extent is unknown.
std::optional<int64_t> strideOf(const DenseArray &Array, const DenseAccess &Access, size_t Loop) {
  int64_t Stride = 0, Pitch = 1;
  for (size_t D = Access.Subscripts.size(); D-- > 0;) {
    Stride += Access.Subscripts[D].loop(Loop) * Pitch;
    if (D > 0 && (Array.Extents[D].Constant <= 0 || Pitch > FarAway))
      return std::nullopt;
    Pitch *= D > 0 ? Array.Extents[D].Constant : 1;
  }
  return Stride;
}

/// Returns the box of the counters around \p S; nothing if they are not within one box.
std::optional<Box> frameOf(const DenseStatement &S) {
  Box Counters;
  for (unsigned K = 0; K < S.Depth; ++K)
    Counters.Sides[K] = {-FarAway, FarAway};
  if (S.Domain.size() != 1)
    return std::nullopt;
  return narrowed(S.Domain[0], Counters);
}

/// Returns whether these are the iterations of \p W.
bool hasTrips(const Box &Counters, const std::vector<size_t> &Loops, const specrt_zeros_walk &W) {
  for (size_t D = 0; D < Loops.size(); ++D) {
    const bool IsSloped = std::any_of(std::begin(W.loops[D].slope), std::end(W.loops[D].slope),
                                      [](int64_t Slope) { return Slope != 0; });
    const IndexInterval &Side = Counters.Sides[Loops[D]];
    if (!IsSloped && (Side.Low != 0 || Side.size() != W.loops[D].trips))
      return false;
  }
  return true;
}

std::optional<ListedRead> readAs(const DenseProgram &Program, const DenseStatement &S,
                                 const DenseAccess &Access, const ListedPattern &Of) {
  const specrt_zeros_walk &W = Of.Walk;
  ListedRead Read{&S, &Access, {}};
  for (size_t K = 0; K < S.Depth; ++K) {
    const std::optional<int64_t> Stride = strideOf(Program.Arrays[Access.Array], Access, K);
    if (!Stride)
      return std::nullopt;
    if (*Stride == 0)
      continue;
    if (Read.Loops.size() == W.num_loops ||
        *Stride * elementBytes(W.kind) != W.loops[Read.Loops.size()].step)
      return std::nullopt;
    Read.Loops.push_back(K);
  }
  const std::optional<Box> Frame = frameOf(S);
  if (Read.Loops.size() != W.num_loops || !Frame || !hasTrips(*Frame, Read.Loops, W))
    return std::nullopt;
  return Read;
}

/// Returns whether \p All reads all elements that \p Access of \p S reads.
bool covers(const ListedRead &All, const DenseStatement &S, const DenseAccess &Access) {
  const std::optional<Box> Frame = frameOf(*All.In), Other = frameOf(S);
  if (!Frame || !Other || !holdsIn(All.In->Domain[0], *Frame) ||
      !hasBoxImages(All.Access->Subscripts, *Frame))
    return false;
  for (size_t D = 0; D < Access.Subscripts.size(); ++D) {
    const auto [Low, High] = rangeOf(All.Access->Subscripts[D], *Frame);
    const auto [OtherLow, OtherHigh] = rangeOf(Access.Subscripts[D], *Other);
    if (OtherLow < Low || OtherHigh > High)
      return false;
  }
  return true;
}

/// Returns the read that the list was made for; nothing if there are several, or the list does not
/// contain all that is read.
std::optional<ListedRead> readOf(const DenseProgram &Program, const ListedPattern &Of) {
  std::optional<ListedRead> Found;
  auto ForEach = [&](auto Do) {
    for (const DenseStatement &S : Program.Statements)
      for (const DenseAccess &Access : S.Reads)
        if (Program.Arrays[Access.Array].Name == Of.Array && !Do(S, Access))
          return false;
    return true;
  };
  const bool IsOne = ForEach([&](const DenseStatement &S, const DenseAccess &Access) {
    std::optional<ListedRead> Read = readAs(Program, S, Access, Of);
    if (Read && Found)
      return Access.sameAs(*Found->Access);
    if (Read)
      Found = std::move(Read);
    return true;
  });
  if (!Found || !IsOne || !ForEach([&](const DenseStatement &S, const DenseAccess &Access) {
        return Access.sameAs(*Found->Access) || covers(*Found, S, Access);
      }))
    return std::nullopt;
  return Found;
}

/// Adds the elements of the list as runs of each row.
class RunsOfList {
public:
  RunsOfList(const ListedPattern &Of, const ListedRead &Read) : Of(Of), Read(Read) {}

  /// Returns false if there are more than \p Most.
  bool addTo(Boxes &Elements, size_t Most) {
    const specrt_zeros_list &List = *Of.List;
    // A row has a cost even if it is empty.
    for (uint64_t Row = 0; Row < Of.Rows; ++Row) {
      if (Elements.size() + Row / 8 > Most)
        return false;
      setCounters(Row);
      for (uint64_t I = List.starts[Row]; I < List.starts[Row + 1];) {
        uint64_t End = I + 1;
        while (End < List.starts[Row + 1] && List.positions[End] == List.positions[End - 1] + 1)
          ++End;
        if (!Read.Loops.empty())
          Counters.Sides[Read.Loops.back()] = {static_cast<int32_t>(List.positions[I]),
                                               static_cast<int32_t>(List.positions[End - 1])};
        addImage(Read.Access->Subscripts, Counters, Elements);
        if (Elements.size() > Most)
          return false;
        I = End;
      }
    }
    return true;
  }

private:
  /// Rows are counted in the order of the program, by loops with constant trip counts.
  void setCounters(uint64_t Row) {
    for (size_t D = Read.Loops.size(); D-- > 1;) {
      const auto Trips = static_cast<uint64_t>(std::max<int64_t>(Of.Walk.loops[D - 1].trips, 1));
      const auto At = static_cast<int32_t>(Row % Trips);
      Counters.Sides[Read.Loops[D - 1]] = {At, At};
      Row /= Trips;
    }
  }

  const ListedPattern &Of;
  const ListedRead &Read;
  Box Counters;
};

class Prediction {
public:
  Prediction(const DenseProgram &Program, double MaxMs)
      : Program(Program), Runs(std::min(MaxRuns, static_cast<size_t>(MaxMs * RunsPerMs))),
        Until(monotonicNs() + static_cast<uint64_t>(MaxMs * 1e6)), IsWritten(Program.Arrays.size()),
        Listed(Program.Arrays.size()) {
    for (const DenseStatement &S : Program.Statements)
      IsWritten[S.Write.Array] = true;
  }

  /// Returns false if Result says why nothing can be predicted.
  bool add(const ListedPattern &Of);
  ZeroPrediction run();
  ZeroPrediction Result;

private:
  bool fail(const std::string &Why) {
    Result.Why = Why;
    return false;
  }
  enum class Nonzeros : uint8_t { Nowhere, Listed, Everywhere };
  std::vector<ArrayStructure> inputs(const std::vector<ArrayStructure> &Written,
                                     Nonzeros Lists) const;
  bool sweep(std::vector<ArrayStructure> Inputs, std::vector<ArrayStructure> &To);

  const DenseProgram &Program;
  const size_t Runs; ///< limit of boxes
  const uint64_t Until;
  std::vector<bool> IsWritten;
  std::vector<ArrayStructure> Listed; ///< nothing: no list
};

bool Prediction::add(const ListedPattern &Of) {
  const std::optional<ListedRead> Read = readOf(Program, Of);
  if (!Read)
    return fail(Of.Array + " is read in other ways than the list, or with other sizes");
  Boxes Elements;
  if (!RunsOfList(Of, *Read).addTo(Elements, Runs))
    return fail(Of.Array + " has its nonzeros in too many places for the time that there is");
  Listed[Read->Access->Array] = std::move(Elements);
  return true;
}

/// Returns the initial structures. Written arrays begin as \p Written says, or as zero; all other
/// arrays are unknown except for the lists, which are treated as \p Lists says.
std::vector<ArrayStructure> Prediction::inputs(const std::vector<ArrayStructure> &Written,
                                               Nonzeros Lists) const {
  std::vector<ArrayStructure> Inputs(Program.Arrays.size());
  for (size_t I = 0; I < Inputs.size(); ++I)
    if (IsWritten[I])
      Inputs[I] = Written.empty() ? ArrayStructure(Boxes()) : Written[I];
    else if (Listed[I] && Lists != Nonzeros::Everywhere)
      Inputs[I] = Lists == Nonzeros::Listed ? Listed[I] : ArrayStructure(Boxes());
  return Inputs;
}

bool Prediction::sweep(std::vector<ArrayStructure> Inputs, std::vector<ArrayStructure> &To) {
  PropagationResult After =
      propagate(Program, std::move(Inputs), UINT64_MAX, [&] { return monotonicNs() >= Until; });
  To = std::move(After.Arrays);
  return After.Error.empty() || fail(After.Error);
}

/// Only one of the sweeps uses as many sets as the lists have.
ZeroPrediction Prediction::run() {
  std::vector<ArrayStructure> All, Kept, Added, May;
  if (!sweep(inputs({}, Nonzeros::Everywhere), All) ||
      !sweep(inputs(All, Nonzeros::Nowhere), Kept) ||
      !sweep(inputs(All, Nonzeros::Everywhere), Added) || !sweep(inputs({}, Nonzeros::Listed), May))
    return std::move(Result);
  for (size_t I = 0; I < All.size(); ++I) {
    if (!IsWritten[I] || Program.Arrays[I].IsTemporary)
      continue;
    auto Count = [I](const std::vector<ArrayStructure> &Of) {
      return static_cast<uint64_t>(numPoints(*Of[I]));
    };
    // Arrays whose elements cannot be counted are not compared.
    if (Count(All) > 0 && Count(All) < INT64_MAX)
      Result.Arrays.push_back({.Array = Program.Arrays[I].Name,
                               .Elements = Count(All),
                               .Nonzero = Count(May),
                               .IfZeroBefore = Count(Kept) > 0 || Count(Added) != Count(All)});
  }
  return std::move(Result);
}

} // namespace

ZeroPrediction predictZeros(const std::string &Program, const std::vector<ListedPattern> &Lists,
                            double MaxMs) {
  if (MaxMs <= 0)
    return {.Arrays = {}, .Why = "there was no time"};
  const std::optional<DenseProgram> Known = readProgram(Program);
  if (!Known)
    return {.Arrays = {}, .Why = "its loops are not one nest of plain loops"};
  if (!Known->Parameters.empty())
    return {.Arrays = {}, .Why = "its sizes differ from call to call"};
  const DenseProgram Delinearised = delinearise(*Known);
  Prediction Of(Delinearised, MaxMs);
  for (const ListedPattern &List : Lists)
    if (!Of.add(List))
      return std::move(Of.Result);
  return Of.run();
}

} // namespace specrt
