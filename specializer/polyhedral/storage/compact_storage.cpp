//===- specializer/polyhedral/storage/compact_storage.cpp - places that share memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/storage/compact_storage.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "polly/Support/ISLTools.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Support/MathExtras.h"
#include "isl/map.h"
#include <algorithm>

using namespace llvm;

namespace specrt {
namespace {

/// isl operations granted to the question whether threads can share a loop.
constexpr unsigned long MaxLoopOperations = 200'000;

class Compaction {
public:
  Compaction(polly::Scop &S, polly::ScopArrayInfo &Array, const isl::union_map &Dependences)
      : S(S), Array(Array), Dependences(Dependences) {}

  bool plan(bool IsParallel, int64_t MaxBytes);
  CompactArray apply();

private:
  bool collect();
  bool isLoopOfAccess(unsigned Depth) const;
  bool carriesNothing(unsigned Depth) const;
  bool isInnermost(unsigned Depth) const;
  isl::map atDepth(unsigned Depth) const;
  bool isPrivateAt(unsigned Depth) const;
  void findInseparable(bool IsParallel);
  bool findModuli();
  void findOrder();
  isl::map joined() const;

  polly::Scop &S;
  polly::ScopArrayInfo &Array;
  const isl::union_map &Dependences;
  SmallVector<polly::MemoryAccess *, 16> Accesses;
  unsigned NumDims = 0;  ///< of places
  unsigned NumTimes = 0; ///< dimensions of the schedule
  isl::union_map Time;   ///< { Stmt[x] -> [t] }
  isl::union_map Places; ///< { Stmt[x] -> Array[p] } of all accesses
  isl::union_map Writes; ///< of them
  isl::map Uses;         ///< { Array[p] -> [t] }
  isl::map Inseparable;  ///< { Array[p] -> Array[q] }
  SmallVector<int64_t, 6> Extents, Moduli, Sizes;
  SmallVector<unsigned, 6> Order; ///< of dimensions with more than one element, in memory
  int64_t Bytes = 0;
};

bool Compaction::collect() {
  Time = S.getSchedule();
  Places = Writes = isl::union_map::empty(S.getIslCtx());
  for (polly::ScopStmt &Stmt : S)
    for (polly::MemoryAccess *Access : Stmt) {
      if (Access->getLatestScopArrayInfo() != &Array)
        continue;
      Accesses.push_back(Access);
      const isl::union_map Own(
          Access->getLatestAccessRelation().intersect_domain(Stmt.getDomain()));
      Places = Places.unite(Own);
      if (Access->isWrite())
        Writes = Writes.unite(Own);
    }
  NumDims = Array.getNumberOfDimensions();
  Uses = isl::map::from_union_map(Places.reverse().apply_range(Time));
  NumTimes = count(Uses.range_tuple_dim());
  for (unsigned D = 0; D < NumDims; ++D)
    Extents.push_back(extent(isl::set(Places.range()), D));
  return NumTimes > 0 && !is_contained(Extents, 0);
}

/// { [t] -> [u] : t_i = u_i for i < Depth, t_Depth != u_Depth }
isl::map Compaction::atDepth(unsigned Depth) const {
  const isl::space Space = Uses.get_space().range().map_from_set();
  isl::map Same = isl::map::universe(Space);
  for (unsigned D = 0; D < Depth; ++D)
    Same = isl::manage(isl_map_equate(Same.release(), isl_dim_in, int(D), isl_dim_out, int(D)));
  const isl::map Equal = isl::manage(isl_map_equate(isl::map::universe(Space).release(), isl_dim_in,
                                                    int(Depth), isl_dim_out, int(Depth)));
  return Same.subtract(Equal);
}

/// Does some statement with an access move along dimension \p Depth of the schedule?
bool Compaction::isLoopOfAccess(unsigned Depth) const {
  const isl::union_map Own = Time.intersect_domain(Places.domain());
  bool Is = false;
  for (const isl::map Map : Own.get_map_list())
    Is |= extent(Map.range(), Depth) != 1;
  return Is;
}

/// Is \p Depth the last dimension of the schedule along which some statement moves?
bool Compaction::isInnermost(unsigned Depth) const {
  const isl::union_map Own = Time.intersect_domain(Places.domain());
  bool Is = false;
  for (const isl::map Map : Own.get_map_list()) {
    bool IsLast = extent(Map.range(), Depth) != 1;
    for (unsigned D = Depth + 1; D < NumTimes; ++D)
      IsLast &= extent(Map.range(), D) == 1;
    Is |= IsLast;
  }
  return Is;
}

/// Are the iterations of the loops at \p Depth that access the array independent, for fixed
/// iterations of those around them?
bool Compaction::carriesNothing(unsigned Depth) const {
  const isl::map Prefix = isl::map::universe(Uses.get_space().range().map_from_set());
  isl::map Same = Prefix;
  for (unsigned D = 0; D < Depth; ++D)
    Same = isl::manage(isl_map_equate(Same.release(), isl_dim_in, int(D), isl_dim_out, int(D)));
  const isl::set InLoops = Uses.range().apply(Same);
  const isl::union_map Pairs = Dependences.apply_domain(Time).apply_range(Time);
  return Pairs.intersect(isl::union_map(atDepth(Depth).intersect_domain(InLoops)))
      .is_empty()
      .is_true();
}

/// Is each place used in one iteration of the loops from the outermost one to \p Depth?
bool Compaction::isPrivateAt(unsigned Depth) const {
  isl::map Same = isl::map::universe(Uses.get_space().range().map_from_set());
  for (unsigned D = 0; D <= Depth; ++D)
    Same = isl::manage(isl_map_equate(Same.release(), isl_dim_in, int(D), isl_dim_out, int(D)));
  return Uses.reverse().apply_range(Uses).is_subset(Same).is_true();
}

void Compaction::findInseparable(bool IsParallel) {
  const isl::map First = Uses.lexmin(), Last = Uses.lexmax();
  // { p -> q : First(p) <= Last(q) }
  const isl::map Begun = isl::manage(isl_map_lex_le_map(First.copy(), Last.copy()));
  Inseparable = Begun.intersect(Begun.reverse());
  bool HasParallel = false;
  for (unsigned D = 0; D < NumTimes; ++D) {
    if (!isLoopOfAccess(D))
      continue;
    const bool IsShared = IsParallel && !HasParallel;
    if ((!IsShared && !isInnermost(D)) || !carriesNothing(D))
      continue;
    HasParallel = true;
    if (isInnermost(D) || !isPrivateAt(D))
      Inseparable = Inseparable.unite(Uses.apply_range(atDepth(D)).apply_range(Uses.reverse()));
  }
}

bool Compaction::findModuli() {
  isl::set Differences = Inseparable.deltas();
  for (unsigned D = 0; D < NumDims; ++D) {
    int64_t Modulus = 1;
    if (!Differences.is_empty().is_false())
      return false; // every place is inseparable from itself
    const std::optional<IntegerRange> Range = rangeOf(Differences, D);
    if (!Range)
      return false;
    // Powers of two are cheap to divide by.
    Modulus = Range->Last + 1;
    if (Modulus > 1)
      Modulus = std::min<int64_t>(int64_t(PowerOf2Ceil(uint64_t(Modulus))), Extents[D]);
    Moduli.push_back(Modulus);
    Differences = fixed(Differences, D, 0);
  }
  return true;
}

/// Dimensions along which innermost loops move come last.
void Compaction::findOrder() {
  SmallVector<unsigned, 6> Near(NumDims, 0);
  for (const polly::MemoryAccess *Access : Accesses) {
    const isl::map Schedule = isl::map::from_union_map(
        Time.intersect_domain(isl::union_set(Access->getStatement()->getDomain())));
    const isl::set Stride = Access->getStride(Schedule);
    for (unsigned D = 0; D < NumDims; ++D)
      Near[D] += Moduli[D] > 1 && Stride.is_empty().is_false() &&
                 !Stride.is_subset(fixed(Stride, D, 0)).is_true();
  }
  for (unsigned D = 0; D < NumDims; ++D)
    if (Moduli[D] > 1)
      Order.push_back(D);
  stable_sort(Order, [&](unsigned A, unsigned B) { return Near[A] < Near[B]; });
}

bool Compaction::plan(bool IsParallel, int64_t MaxBytes) {
  if (!collect())
    return false;
  findInseparable(IsParallel);
  if (!findModuli())
    return false;
  findOrder();
  Bytes = Array.getElemSizeInBytes();
  for (const unsigned D : Order) {
    if (Bytes > MaxBytes / Moduli[D])
      return false;
    Bytes *= Moduli[D];
    Sizes.push_back(Moduli[D]);
  }
  if (Order.empty())
    Sizes.push_back(1);
  return Bytes <= MaxBytes;
}

/// { Array[p] -> [p_d mod m_d] } in the order of memory
isl::map Compaction::joined() const {
  const isl::space Space = Uses.get_space().domain();
  const isl::local_space Local(Space);
  isl::map All;
  for (const unsigned D : Order) {
    isl::aff Index = isl::aff::var_on_domain(Local, isl::dim::set, D);
    if (Moduli[D] < Extents[D])
      Index = Index.mod(isl::val(Space.ctx(), long(Moduli[D])));
    const isl::map One = isl::map::from_aff(Index);
    All = All.is_null() ? One : All.flat_range_product(One);
  }
  return All.is_null() ? isl::map::from_aff(isl::aff(Local, isl::val(Space.ctx(), 0L))) : All;
}

CompactArray Compaction::apply() {
  const isl::map Joined = joined().set_tuple_id(isl::dim::out, Array.getBasePtrId());
  ScalarEvolution &SE = *S.getSE();
  SmallVector<const SCEV *, 6> Counts;
  for (const int64_t Size : Sizes)
    Counts.push_back(SE.getConstant(Type::getInt64Ty(SE.getContext()), uint64_t(Size)));
  const isl::union_map Memory = Places.apply_range(isl::union_map(Joined));
  const isl::union_map Written = Writes.apply_range(isl::union_map(Joined));
  const isl::union_map Pairs = Written.apply_range(Memory.reverse());
  for (polly::MemoryAccess *Access : Accesses)
    Access->setNewAccessRelation(Access->getLatestAccessRelation().apply_range(Joined));
  Array.updateSizes(Counts, /*CheckConsistency=*/false);
  return {&Array, Bytes, Moduli, Pairs.unite(Pairs.reverse()),
          Places.apply_range(Places.reverse())};
}

} // namespace

bool CompactArray::isPrivateIn(const isl::union_map &Schedule) const {
  isl_ctx *const Ctx = Schedule.ctx().get();
  bool All = false;
  {
    polly::IslMaxOperationsGuard Limit(Ctx, MaxLoopOperations);
    const isl::union_set Inside = Schedule.domain();
    const isl::union_map Pairs = SamePlace.intersect_domain(Inside);
    All = Pairs.range().is_subset(Inside).is_true();
    for (const isl::map Map : Pairs.apply_domain(Schedule).apply_range(Schedule).get_map_list())
      All &= Map.is_subset(Map.domain().identity()).is_true();
    All &= isl_ctx_last_error(Ctx) == isl_error_none;
  }
  isl_ctx_reset_error(Ctx);
  return All;
}

std::optional<CompactArray> compactArray(polly::Scop &S, polly::ScopArrayInfo &Array,
                                         const isl::union_map &Dependences, bool IsParallel,
                                         int64_t MaxBytes, unsigned long MaxOperations) {
  isl_ctx *const Ctx = S.getIslCtx().get();
  isl_ctx_reset_error(Ctx);
  polly::IslMaxOperationsGuard Limit(Ctx, MaxOperations);
  Compaction Plan(S, Array, Dependences);
  if (!Plan.plan(IsParallel, MaxBytes) || isl_ctx_last_error(Ctx) != isl_error_none)
    return std::nullopt;
  return Plan.apply();
}

} // namespace specrt
