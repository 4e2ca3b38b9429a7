//===- specializer/sparse/equations/affine_values.cpp - converts isl's affine functions -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/equations/affine_values.h"
#include "isl/aff.h"
#include "isl/constraint.h"
#include "isl/val.h"

#include <limits>
#include <optional>

namespace specrt {
namespace {

bool toNumber(isl_val *Taken, int64_t &To) {
  const isl::val Value = isl::manage(Taken);
  if (Value.is_null() || !Value.is_int().is_true() ||
      isl_val_n_abs_num_chunks(Value.get(), sizeof(int32_t)) > 1)
    return false;
  To = isl_val_get_num_si(Value.get());
  // Products and sums of a few of these do not overflow.
  constexpr int64_t Most = std::numeric_limits<int32_t>::max();
  return -Most <= To && To <= Most;
}

bool toAffineValue(isl_aff *Of, AffineValue &To) {
  To = {};
  if (isl_aff_dim(Of, isl_dim_div) != 0)
    return false;
  auto Take = [&](isl_dim_type Type, std::vector<int64_t> &Into) {
    Into.resize(static_cast<size_t>(isl_aff_dim(Of, Type)));
    for (size_t I = 0; I < Into.size(); ++I)
      if (!toNumber(isl_aff_get_coefficient_val(Of, Type, static_cast<int>(I)), Into[I]))
        return false;
    return true;
  };
  return toNumber(isl_aff_get_constant_val(Of), To.Constant) && Take(isl_dim_in, To.Loops) &&
         Take(isl_dim_param, To.Parameters);
}

bool toAffineValue(isl_constraint *Of, AffineValue &To) {
  To = {};
  if (isl_constraint_dim(Of, isl_dim_div) != 0)
    return false;
  auto Take = [&](isl_dim_type Type, std::vector<int64_t> &Into) {
    Into.resize(static_cast<size_t>(isl_constraint_dim(Of, Type)));
    for (size_t I = 0; I < Into.size(); ++I)
      if (!toNumber(isl_constraint_get_coefficient_val(Of, Type, static_cast<int>(I)), Into[I]))
        return false;
    return true;
  };
  return toNumber(isl_constraint_get_constant_val(Of), To.Constant) &&
         Take(isl_dim_set, To.Loops) && Take(isl_dim_param, To.Parameters);
}

AffineValue negated(AffineValue Value) {
  Value.Constant = -Value.Constant;
  for (int64_t &Factor : Value.Loops)
    Factor = -Factor;
  for (int64_t &Factor : Value.Parameters)
    Factor = -Factor;
  return Value;
}

} // namespace

bool toAffineValue(const isl::pw_aff &Of, const isl::space &Parameters, AffineValue &To) {
  struct Answer {
    AffineValue &To;
    bool Good = true;
    unsigned Pieces = 0;
  } Result{To};
  const isl::pw_aff Aligned = isl::manage(isl_pw_aff_align_params(Of.copy(), Parameters.copy()));
  isl_pw_aff_foreach_piece(
      Aligned.get(),
      [](isl_set *Where, isl_aff *Value, void *User) {
        auto &To = *static_cast<Answer *>(User);
        To.Good &= toAffineValue(Value, To.To) && ++To.Pieces == 1;
        isl_set_free(Where);
        isl_aff_free(Value);
        return isl_stat_ok;
      },
      &Result);
  return Result.Good && Result.Pieces == 1;
}

bool toSubscripts(const isl::map &Of, const isl::space &Parameters, std::vector<AffineValue> &To) {
  To.clear();
  const isl::map Relation = Of.align_params(Parameters);
  if (!Relation.is_single_valued().is_true())
    return false;
  const isl::pw_multi_aff Function = isl::pw_multi_aff::from_map(Relation.coalesce()).coalesce();
  if (Function.is_null())
    return false;
  const auto Rank = static_cast<int>(isl_pw_multi_aff_dim(Function.get(), isl_dim_out));
  for (int D = 0; D < Rank; ++D) {
    AffineValue Subscript;
    const isl::pw_aff One = isl::manage(isl_pw_multi_aff_get_pw_aff(Function.get(), D));
    if (!toAffineValue(One, Parameters, Subscript))
      return false;
    To.push_back(std::move(Subscript));
  }
  return true;
}

bool toConjunction(const isl::basic_set &Of, std::vector<AffineValue> &To) {
  if (isl_basic_set_dim(Of.get(), isl_dim_div) != 0)
    return false;
  struct Answer {
    std::vector<AffineValue> &To;
    bool Good = true;
  } Result{To};
  isl_basic_set_foreach_constraint(
      Of.get(),
      [](isl_constraint *Constraint, void *User) {
        auto &Into = *static_cast<Answer *>(User);
        AffineValue Value;
        Into.Good &= toAffineValue(Constraint, Value);
        if (isl_constraint_is_equality(Constraint) == isl_bool_true)
          Into.To.push_back(negated(Value));
        Into.To.push_back(std::move(Value));
        isl_constraint_free(Constraint);
        return isl_stat_ok;
      },
      &Result);
  return Result.Good;
}

} // namespace specrt
