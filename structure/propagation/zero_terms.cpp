//===- structure/propagation/zero_terms.cpp - when a value may be nonzero ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/propagation/zero_terms.h"
#include "structure/program/zero_rules.h"

#include <algorithm>
#include <optional>

namespace specrt {
namespace {

using Kind = ZeroTerm::Kind;

ZeroTerm leaf(Kind K) { return {K, 0, {}, {}}; }

/// Joins two terms; \p Neutral is the identity of the operation, \p Absorbing its zero.
ZeroTerm join(Kind Wanted, Kind Neutral, Kind Absorbing, const ZeroTerm &A, const ZeroTerm &B) {
  if (A.K == Absorbing || B.K == Absorbing)
    return leaf(Absorbing);
  if (A.K == Neutral)
    return B;
  if (B.K == Neutral)
    return A;
  ZeroTerm Both = leaf(Wanted);
  for (const ZeroTerm *Side : {&A, &B})
    if (Side->K == Wanted)
      Both.Parts.insert(Both.Parts.end(), Side->Parts.begin(), Side->Parts.end());
    else
      Both.Parts.push_back(*Side);
  return Both;
}

/// Reads of one array with subscripts that differ by constants.
struct Neighbours {
  unsigned First;                            ///< an access, to which offsets are relative
  std::vector<std::vector<int64_t>> Offsets; ///< ascending, without duplicates
};

/// Returns the offset of \p Other from \p From; nothing if it is not constant.
std::optional<std::vector<int64_t>> offsetOf(const DenseAccess &Other, const DenseAccess &From) {
  if (Other.Array != From.Array)
    return std::nullopt;
  std::vector<int64_t> Offset;
  for (size_t D = 0; D < From.Subscripts.size(); ++D) {
    AffineValue Moved = Other.Subscripts[D];
    Offset.push_back(Moved.Constant - From.Subscripts[D].Constant);
    Moved.Constant = From.Subscripts[D].Constant;
    if (!Moved.sameAs(From.Subscripts[D]))
      return std::nullopt;
  }
  return Offset;
}

std::vector<Neighbours> neighboursIn(const ZeroTerm &Term, const DenseStatement &In) {
  std::vector<Neighbours> Groups;
  for (const ZeroTerm &Part : Term.Parts) {
    if (Part.K != Kind::Read)
      continue;
    const auto Known = std::find_if(Groups.begin(), Groups.end(), [&](Neighbours &Group) {
      const auto Offset = offsetOf(In.Reads[Part.Access], In.Reads[Group.First]);
      if (Offset)
        Group.Offsets.push_back(*Offset);
      return Offset.has_value();
    });
    if (Known == Groups.end())
      Groups.push_back(
          {Part.Access, {std::vector<int64_t>(In.Reads[Part.Access].Subscripts.size())}});
  }
  for (Neighbours &Group : Groups) {
    std::sort(Group.Offsets.begin(), Group.Offsets.end());
    Group.Offsets.erase(std::unique(Group.Offsets.begin(), Group.Offsets.end()),
                        Group.Offsets.end());
  }
  return Groups;
}

/// Appends the reads of \p Group: from the begin of each run, the longest run in each direction.
void addReads(const Neighbours &Group, std::vector<ZeroTerm> &To) {
  auto IsThere = [&](const std::vector<int64_t> &Offset) {
    return std::binary_search(Group.Offsets.begin(), Group.Offsets.end(), Offset);
  };
  for (const std::vector<int64_t> &Offset : Group.Offsets) {
    bool IsInRun = false;
    for (size_t D = 0; D < Offset.size(); ++D) {
      std::vector<int64_t> Last = Offset;
      auto Has = [&](int64_t Step) {
        Last[D] += Step;
        const bool Found = IsThere(Last);
        Last[D] -= Found ? 0 : Step;
        return Found;
      };
      if (Has(-1)) { // the run began before
        IsInRun = true;
        continue;
      }
      while (Has(1)) {
      }
      if (Last[D] == Offset[D])
        continue;
      IsInRun = true;
      ZeroTerm &Read = To.emplace_back(ZeroTerm{Kind::Read, Group.First, {}, {}});
      for (size_t Each = 0; Each < Offset.size(); ++Each)
        Read.Reach.push_back(
            {static_cast<int32_t>(Offset[Each]), static_cast<int32_t>(Last[Each])});
    }
    if (IsInRun)
      continue;
    ZeroTerm &Read = To.emplace_back(ZeroTerm{Kind::Read, Group.First, {}, {}});
    for (const int64_t Each : Offset)
      Read.Reach.push_back({static_cast<int32_t>(Each), static_cast<int32_t>(Each)});
  }
}

} // namespace

ZeroTerm withReach(const ZeroTerm &Of, const DenseStatement &In) {
  if (Of.K != Kind::Any)
    return Of;
  ZeroTerm Result = leaf(Kind::Any);
  for (const ZeroTerm &Part : Of.Parts)
    if (Part.K != Kind::Read)
      Result.Parts.push_back(Part);
  for (const Neighbours &Group : neighboursIn(Of, In))
    addReads(Group, Result.Parts);
  return Result;
}

bool ZeroTerm::isOldValue(const DenseStatement &Of) const {
  return K == Kind::Read && Of.Reads[Access].sameAs(Of.Write);
}

bool ZeroTerm::includesOldValue(const DenseStatement &Of) const {
  return K == Kind::Any && std::any_of(Parts.begin(), Parts.end(),
                                       [&](const ZeroTerm &Part) { return Part.isOldValue(Of); });
}

ZeroTerm ZeroTerm::withoutOldValue(const DenseStatement &Of) const {
  if (K != Kind::Any)
    return *this;
  ZeroTerm Rest = leaf(Kind::Any);
  for (const ZeroTerm &Part : Parts)
    if (!Part.isOldValue(Of))
      Rest.Parts.push_back(Part);
  return Rest;
}

ZeroTerm zeroTerm(const DenseStatement &Of, const std::vector<bool> &IsEverywhere) {
  struct {
    const DenseStatement &Of;
    const std::vector<bool> &IsEverywhere;

    ZeroTerm never() const { return leaf(Kind::Never); }
    ZeroTerm always() const { return leaf(Kind::Always); }
    ZeroTerm read(unsigned Access) const {
      return IsEverywhere[Of.Reads[Access].Array] ? always() : ZeroTerm{Kind::Read, Access, {}, {}};
    }
    ZeroTerm anyOf(const ZeroTerm &A, const ZeroTerm &B) const {
      return join(Kind::Any, Kind::Never, Kind::Always, A, B);
    }
    ZeroTerm allOf(const ZeroTerm &A, const ZeroTerm &B) const {
      return join(Kind::All, Kind::Always, Kind::Never, A, B);
    }
  } Rules{Of, IsEverywhere};
  return nonzeroWhere(Of.Value, Rules);
}

} // namespace specrt
