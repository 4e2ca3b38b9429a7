//===- specializer/polyhedral/schedule/access_steps.cpp - strides of accesses -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/schedule/access_steps.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "polly/Support/ISLTools.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace llvm;

namespace specrt {

isl::multi_aff affineFunction(const polly::MemoryAccess &Access) {
  isl::map Relation = Access.getLatestAccessRelation().coalesce();
  Relation = Relation.gist_domain(Access.getStatement()->getDomain());
  if (!Relation.is_single_valued().is_true())
    return {};
  isl::pw_multi_aff Function = Relation.as_pw_multi_aff();
  bool IsOne =
      !Function.is_null() && unsignedFromIslSize(Function.n_piece()) == 1 &&
      Function.domain().is_equal(isl::set::universe(Function.domain().get_space())).is_true();
  // The domain may be the universe without isl noticing, which as_multi_aff() reports as an error.
  isl::multi_aff Piece;
  if (IsOne)
    Function.foreach_piece([&](const isl::set &, const isl::multi_aff &Only) {
      Piece = Only;
      return isl::stat::ok();
    });
  return Piece;
}

/// Returns the elements between neighbours in dimension \p Dim; nothing if that is not a constant
/// of 63 bits.
static std::optional<int64_t> elementsPerStep(const polly::ScopArrayInfo &Array, unsigned Dim) {
  int64_t Elements = 1;
  for (unsigned D = Dim + 1; D < Array.getNumberOfDimensions(); ++D) {
    const auto *const Size = dyn_cast_or_null<SCEVConstant>(Array.getDimensionSize(D));
    if (!Size || Size->getAPInt().getActiveBits() > 31 ||
        MulOverflow(Elements, Size->getAPInt().getSExtValue(), Elements))
      return std::nullopt;
  }
  return Elements;
}

std::optional<int64_t> stepOf(const isl::map &Relation, const polly::ScopArrayInfo &Array,
                              unsigned Dim) {
  const isl::pw_multi_aff Place = isl::pw_multi_aff::from_map(Relation);
  if (!Place.isa_multi_aff().is_true())
    return std::nullopt;
  const isl::multi_aff Index = Place.as_multi_aff();
  int64_t Sum = 0;
  for (unsigned D = 0; D < Array.getNumberOfDimensions(); ++D) {
    const std::optional<int64_t> Elements = elementsPerStep(Array, D);
    const std::optional<int64_t> Factor = integer(
        isl::manage(isl_aff_get_coefficient_val(Index.at(int(D)).get(), isl_dim_in, int(Dim))));
    int64_t Step = 0;
    if (!Elements || !Factor || MulOverflow(*Factor, *Elements, Step) ||
        AddOverflow(Sum, Step, Sum))
      return std::nullopt;
  }
  return Sum == std::numeric_limits<int64_t>::min() ? std::nullopt : std::optional(Sum);
}

std::optional<int64_t> boxBytes(const isl::set &Elements, const polly::ScopArrayInfo &Array) {
  constexpr int64_t Most = int64_t{1} << 50;
  if (Elements.is_empty().is_true())
    return 0;
  int64_t Bytes = Array.getElemSizeInBytes();
  for (unsigned D = 0; D < Array.getNumberOfDimensions(); ++D) {
    const int64_t Extent = extent(Elements, D);
    if (Extent == 0 || Bytes > Most / Extent)
      return std::nullopt;
    Bytes *= Extent;
  }
  return Bytes;
}

} // namespace specrt
