//===- specializer/polyhedral/schedule/delinearisation.cpp - rows of flat arrays ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/schedule/delinearisation.h"
#include "polly/ScopInfo.h"
#include "specializer/polyhedral/schedule/access_steps.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "isl/aff.h"
#include "isl/map.h"
#include <optional>

using namespace llvm;

namespace specrt {
namespace {

/// Minimal length of rows: equations between short sums have few pieces.
constexpr int64_t MinRow = 8;
/// Number of row lengths that are tried.
constexpr unsigned MaxLengths = 8;

int64_t floorDiv(int64_t A, int64_t B) { return A / B - (A % B < 0); }

/// One subscript: Constant + sum of Factors[d] * x_d.
struct Subscript {
  polly::MemoryAccess *Access;
  isl::set Domain;
  SmallVector<int64_t, 4> Factors;
  int64_t Constant = 0;
};

std::optional<Subscript> subscriptOf(polly::MemoryAccess &Access) {
  isl::multi_aff Function = affineFunction(Access);
  if (Function.is_null())
    return std::nullopt;
  isl::aff Index = Function.at(0);
  Subscript Result{&Access, Access.getStatement()->getDomain(), {}, 0};
  if (isl_aff_dim(Index.get(), isl_dim_div) != 0)
    return std::nullopt;
  for (int P = 0, E = isl_aff_dim(Index.get(), isl_dim_param); P < E; ++P)
    if (!isl::manage(isl_aff_get_coefficient_val(Index.get(), isl_dim_param, P))
             .is_zero()
             .is_true())
      return std::nullopt;
  for (int D = 0, E = isl_aff_dim(Index.get(), isl_dim_in); D < E; ++D) {
    auto Factor = integer(isl::manage(isl_aff_get_coefficient_val(Index.get(), isl_dim_in, D)));
    if (!Factor || std::abs(*Factor) > INT32_MAX)
      return std::nullopt;
    Result.Factors.push_back(*Factor);
  }
  auto Constant = integer(Index.constant_val());
  if (!Constant || std::abs(*Constant) > (int64_t{1} << 40))
    return std::nullopt;
  Result.Constant = *Constant;
  return Result;
}

isl::aff sum(const isl::local_space &Space, ArrayRef<int64_t> Factors, int64_t Constant) {
  isl::aff Sum(Space, isl::val(Space.ctx(), long(Constant)));
  for (unsigned D = 0; D < Factors.size(); ++D)
    if (Factors[D] != 0)
      Sum = Sum.add(isl::aff::var_on_domain(Space, isl::dim::set, D)
                        .scale(isl::val(Space.ctx(), long(Factors[D]))));
  return Sum;
}

/// Returns { S[x] -> [row, column] } for rows of \p Length; null if columns leave their rows.
isl::map split(const Subscript &Index, int64_t Length) {
  SmallVector<int64_t, 4> RowFactors, ColumnFactors;
  for (int64_t Factor : Index.Factors) {
    RowFactors.push_back(floorDiv(Factor + Length / 2, Length));
    ColumnFactors.push_back(Factor - RowFactors.back() * Length);
  }
  isl::local_space Space(Index.Domain.get_space());
  isl::set Columns =
      Index.Domain.apply(isl::map::from_aff(sum(Space, ColumnFactors, Index.Constant)));
  auto Low = integer(Columns.dim_min_val(0)), High = integer(Columns.dim_max_val(0));
  if (!Low || !High || floorDiv(*Low, Length) != floorDiv(*High, Length))
    return {};
  int64_t Row = floorDiv(*Low, Length);
  isl::map Rows = isl::map::from_aff(sum(Space, RowFactors, Row));
  return Rows
      .flat_range_product(
          isl::map::from_aff(sum(Space, ColumnFactors, Index.Constant - Row * Length)))
      .intersect_domain(Index.Domain);
}

/// Returns the lengths that the subscripts suggest: their factors, and the numbers next to these
/// for diagonals.
SmallSetVector<int64_t, MaxLengths> lengthsOf(ArrayRef<Subscript> Subscripts) {
  SmallSetVector<int64_t, MaxLengths> Lengths;
  for (int64_t Offset : {0, -1, 1})
    for (const Subscript &Index : Subscripts)
      for (int64_t Factor : Index.Factors)
        if (int64_t Length = std::abs(Factor) + Offset;
            std::abs(Factor) >= MinRow && Lengths.size() < MaxLengths)
          Lengths.insert(Length);
  return Lengths;
}

/// Returns all subscripts of an array by rows of the same length; nothing if there is no such
/// length.
SmallVector<isl::map, 8> splitAll(ArrayRef<Subscript> Subscripts) {
  SmallVector<isl::map, 8> Maps;
  for (int64_t Length : lengthsOf(Subscripts)) {
    for (const Subscript &Index : Subscripts)
      if (isl::map Map = split(Index, Length); !Map.is_null())
        Maps.push_back(Map);
      else
        break;
    if (Maps.size() == Subscripts.size())
      return Maps;
    Maps.clear();
  }
  return Maps;
}

} // namespace

DenseMap<const polly::MemoryAccess *, isl::map> delinearisedAccesses(polly::Scop &S) {
  DenseMap<const polly::MemoryAccess *, isl::map> Relations;
  MapVector<const polly::ScopArrayInfo *, SmallVector<polly::MemoryAccess *, 8>> Flat;
  for (polly::ScopStmt &Stmt : S)
    for (polly::MemoryAccess *Access : Stmt) {
      Relations[Access] = Access->getLatestAccessRelation().intersect_domain(Stmt.getDomain());
      const polly::ScopArrayInfo *Array = Access->getLatestScopArrayInfo();
      if (Access->isLatestArrayKind() && Array->getNumberOfDimensions() == 1)
        Flat[Array].push_back(Access);
    }
  for (const auto &[Array, Accesses] : Flat) {
    SmallVector<Subscript, 8> Subscripts;
    for (polly::MemoryAccess *Access : Accesses)
      if (std::optional<Subscript> Index = subscriptOf(*Access))
        Subscripts.push_back(std::move(*Index));
    if (Subscripts.size() != Accesses.size())
      continue;
    for (auto [Index, Map] : zip(Subscripts, splitAll(Subscripts)))
      Relations[Index.Access] = Map.set_tuple_id(isl::dim::out, Array->getBasePtrId());
  }
  return Relations;
}

} // namespace specrt
