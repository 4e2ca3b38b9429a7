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
#include "isl/point.h"
#include <algorithm>
#include <numeric>
#include <utility>

using namespace llvm;

namespace specrt {
namespace {

/// Limit on isl operations to decide whether threads can share a loop.
constexpr unsigned long MaxLoopOperations = 200'000;

/// Applies \p Rows to \p Vector.
IterationVector product(ArrayRef<IterationVector> Rows, ArrayRef<int64_t> Vector) {
  IterationVector Result;
  for (const IterationVector &Row : Rows)
    Result.push_back(std::inner_product(Row.begin(), Row.end(), Vector.begin(), int64_t{0}));
  return Result;
}

/// Returns { [x] -> [Rows * x] } on \p Space.
isl::multi_aff linear(const isl::space &Space, ArrayRef<IterationVector> Rows) {
  const isl::local_space Local(Space);
  isl::aff_list All(Space.ctx(), int(Rows.size()));
  for (const IterationVector &Row : Rows) {
    isl::aff Sum(Local, isl::val(Space.ctx(), 0L));
    for (unsigned D = 0; D < Row.size(); ++D)
      Sum = isl::manage(isl_aff_set_coefficient_val(Sum.release(), isl_dim_in, int(D),
                                                    isl::val(Space.ctx(), long(Row[D])).release()));
    All = All.add(Sum);
  }
  return isl::multi_aff(
      Space.map_from_domain_and_range(Space.params().add_unnamed_tuple(unsigned(Rows.size()))),
      All);
}

/// Returns { [x] : Rows * x = 0 } in \p Space.
isl::set zeros(const isl::space &Space, ArrayRef<IterationVector> Rows) {
  const isl::multi_aff All = linear(Space, Rows);
  isl::set Zeros = isl::set::universe(Space);
  for (unsigned I = 0; I < Rows.size(); ++I)
    Zeros = Zeros.intersect(
        isl::manage(isl_set_from_basic_set(isl_aff_zero_basic_set(All.get_at(int(I)).release()))));
  return Zeros;
}

/// Returns \p Set without the name of its space.
isl::set anonymous(const isl::set &Set) { return isl::manage(isl_set_reset_tuple_id(Set.copy())); }

class Compaction {
public:
  Compaction(polly::Scop &S, polly::ScopArrayInfo &Array, const isl::union_map &Dependences)
      : S(S), Array(Array), Dependences(Dependences) {}

  bool plan(bool IsParallel, int64_t MaxBytes);
  std::optional<CompactArray> apply();

private:
  bool collect();
  bool isLoopOfAccess(unsigned Depth) const;
  bool carriesNothing(unsigned Depth) const;
  bool isInnermost(unsigned Depth) const;
  isl::map sameUntil(unsigned Depth) const;
  isl::map atDepth(unsigned Depth) const;
  bool isPrivateAt(unsigned Depth) const;
  isl::map times(unsigned Begin, unsigned End) const;
  isl::set usedAtATime() const;
  isl::set differences(bool IsParallel) const;
  SmallVector<IterationVector, 8> candidates() const;
  std::optional<IterationVector> predicted() const;
  bool joinAlong(const IterationVector &Vector, isl::set &Differences);
  bool findModuli(const isl::set &Differences);
  void findOrder();
  isl::multi_aff indices() const;
  isl::map joined() const;

  polly::Scop &S;
  polly::ScopArrayInfo &Array;
  const isl::union_map &Dependences;
  SmallVector<polly::MemoryAccess *, 16> Accesses;
  unsigned NumDims = 0;  ///< of places
  unsigned NumTimes = 0; ///< dimensions of the schedule
  isl::union_map Time;   ///< { Stmt[x] -> [t] }
  isl::union_map Places; ///< { Stmt[x] -> Array[p] } of all accesses
  isl::union_map Reads, Writes;
  isl::map Uses; ///< { Array[p] -> [t] }
  /// Linear functions of places that distinguish those that do not share memory, their values on
  /// all places, and the numbers of elements.
  SmallVector<IterationVector, 6> Indices;
  SmallVector<IntegerRange, 6> Ranges;
  SmallVector<int64_t, 6> Moduli;
  SmallVector<unsigned, 6> Order; ///< of Indices with more than one element, in the order of memory
  SmallVector<IterationVector, 4> Vectors;
  SmallVector<int64_t, 6> Sizes;
  int64_t Bytes = 0;
};

bool Compaction::collect() {
  Time = S.getSchedule();
  Places = Reads = Writes = isl::union_map::empty(S.getIslCtx());
  for (polly::ScopStmt &Stmt : S)
    for (polly::MemoryAccess *Access : Stmt) {
      if (Access->getLatestScopArrayInfo() != &Array)
        continue;
      Accesses.push_back(Access);
      const isl::union_map Own(
          Access->getLatestAccessRelation().intersect_domain(Stmt.getDomain()));
      Places = Places.unite(Own);
      (Access->isWrite() ? Writes : Reads) = (Access->isWrite() ? Writes : Reads).unite(Own);
    }
  NumDims = Array.getNumberOfDimensions();
  Uses = isl::map::from_union_map(Places.reverse().apply_range(Time));
  NumTimes = count(Uses.range_tuple_dim());
  for (unsigned D = 0; D < NumDims; ++D) {
    Indices.emplace_back(NumDims, 0);
    Indices.back()[D] = 1;
  }
  return NumTimes > 0;
}

/// { [t] -> [u] : t_i = u_i for i < Depth }
isl::map Compaction::sameUntil(unsigned Depth) const {
  isl::map Same = isl::map::universe(Uses.get_space().range().map_from_set());
  for (unsigned D = 0; D < Depth; ++D)
    Same = equate(Same, D, D);
  return Same;
}

/// { [t] -> [u] : t_i = u_i for i < Depth, t_Depth != u_Depth }
isl::map Compaction::atDepth(unsigned Depth) const {
  return sameUntil(Depth).subtract(sameUntil(Depth + 1));
}

/// Returns whether a statement with an access moves along dimension \p Depth of the schedule.
bool Compaction::isLoopOfAccess(unsigned Depth) const {
  const isl::union_map Own = Time.intersect_domain(Places.domain());
  bool Is = false;
  for (const isl::map Map : Own.get_map_list())
    Is |= extent(Map.range(), Depth) != 1;
  return Is;
}

/// Returns whether \p Depth is the last dimension of the schedule along which some statement moves.
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

/// Returns whether the iterations of the loops at \p Depth that access the array are independent,
/// in the same iteration of the loops around them.
bool Compaction::carriesNothing(unsigned Depth) const {
  const isl::set InLoops = Uses.range().apply(sameUntil(Depth));
  const isl::union_map Pairs = Dependences.apply_domain(Time).apply_range(Time);
  return Pairs.intersect(isl::union_map(atDepth(Depth).intersect_domain(InLoops)))
      .is_empty()
      .is_true();
}

/// Returns whether each place is used in one iteration of the loops from the outermost one to \p
/// Depth.
bool Compaction::isPrivateAt(unsigned Depth) const {
  return Uses.reverse().apply_range(Uses).is_subset(sameUntil(Depth + 1)).is_true();
}

/// Returns { Array[p] -> [t_Begin, ..., t_(End - 1)] }.
isl::map Compaction::times(unsigned Begin, unsigned End) const {
  return Uses.project_out(isl::dim::out, End, NumTimes - End).project_out(isl::dim::out, 0, Begin);
}

/// Returns { [p - q] } of places that are in use at a time if loops run one iteration after the
/// other. It may contain more: dimensions are treated as if they were independent.
isl::set Compaction::usedAtATime() const {
  // Places that are used under different values of leading dimensions of the schedule are never in
  // use at a time. These values depend on some dimensions of places only.
  unsigned NumApart = 0;
  while (NumApart < NumTimes && times(0, NumApart + 1).is_single_valued().is_true())
    ++NumApart;
  isl::map Outer = times(0, NumApart).coalesce(), Inner = times(NumApart, NumTimes);
  SmallVector<unsigned, 6> OuterDims, InnerDims;
  for (unsigned D = NumDims; D-- > 0;) {
    const isl::map Without = Outer.project_out(isl::dim::in, D, 1).coalesce();
    if (Without.is_single_valued().is_true()) {
      Outer = Without;
      InnerDims.insert(InnerDims.begin(), D);
    } else {
      Inner = Inner.project_out(isl::dim::in, D, 1);
      OuterDims.insert(OuterDims.begin(), D);
    }
  }
  Inner = Inner.coalesce();
  // { p -> q : First(p) <= Last(q) }
  const isl::map Begun = isl::manage(
      isl_map_lex_le_map(Inner.lexmin().coalesce().release(), Inner.lexmax().coalesce().release()));
  const isl::set Apart = anonymous(Outer.apply_range(Outer.reverse()).deltas()),
                 AtATime = anonymous(Begun.intersect(Begun.reverse()).deltas());
  const isl::set Product = isl::manage(isl_set_flat_product(Apart.copy(), AtATime.copy()));
  SmallVector<IterationVector, 6> Rows(NumDims, IterationVector(NumDims, 0));
  unsigned Column = 0;
  for (const unsigned D : concat<unsigned>(OuterDims, InnerDims))
    Rows[D][Column++] = 1;
  return Product.apply(isl::map::from_multi_aff(linear(Product.get_space(), Rows)));
}

/// Returns the differences of all places that cannot share memory.
isl::set Compaction::differences(bool IsParallel) const {
  isl::set All = usedAtATime();
  bool HasParallel = false;
  for (unsigned D = 0; D < NumTimes; ++D) {
    if (!isLoopOfAccess(D))
      continue;
    const bool IsShared = IsParallel && !HasParallel;
    if ((!IsShared && !isInnermost(D)) || !carriesNothing(D))
      continue;
    HasParallel = true;
    if (isInnermost(D) || !isPrivateAt(D))
      All = All.unite(anonymous(Uses.apply_range(atDepth(D)).apply_range(Uses.reverse()).deltas()));
  }
  return All;
}

/// Returns the occupancy vector that follows from the distances between a place that an iteration
/// reads and the one that it writes; nothing if these are not a few.
std::optional<IterationVector> Compaction::predicted() const {
  constexpr size_t MostUses = 50;
  const isl::union_set All = Reads.reverse().apply_range(Writes).deltas();
  if (!All.is_empty().is_false())
    return std::nullopt;
  SmallVector<ValueUse, 8> Uses;
  bool AreUniform = true;
  isl::set(All).coalesce().foreach_basic_set([&](const isl::basic_set &Part) {
    ValueUse Use{{}, /*IsAfterStore=*/true};
    for (unsigned D = 0; AreUniform && D < NumDims; ++D) {
      const std::optional<IntegerRange> Only = rangeOf(isl::set(Part), D);
      AreUniform = Only && Only->size() == 1;
      Use.Distance.push_back(AreUniform ? Only->First : 0);
    }
    Uses.push_back(std::move(Use));
    AreUniform &= Uses.size() <= MostUses;
    return AreUniform ? isl::stat::ok() : isl::stat::error();
  });
  if (!AreUniform)
    return std::nullopt;
  return occupancyVector(Uses, {{NumDims, /*IsTilable=*/false}});
}

SmallVector<IterationVector, 8> Compaction::candidates() const {
  SmallVector<IterationVector, 8> All(Indices.begin(), Indices.end());
  if (const auto Predicted = predicted())
    All.push_back(*Predicted);
  return All;
}

/// Joins places along \p Vector if no multiple of it is in \p Differences, which are in terms of
/// Indices.
bool Compaction::joinAlong(const IterationVector &Vector, isl::set &Differences) {
  const IterationVector Along = product(Indices, Vector);
  if (Indices.size() < 2 || all_of(Along, [](int64_t X) { return X == 0; }))
    return false;
  const OccupancyMapping Mapping(Along);
  if (Mapping.modulus() != 1)
    return false;
  // { [x] : x = l * Along, l != 0 }
  const isl::space Space = Differences.get_space();
  const IterationVector Position(Mapping.line().begin(), Mapping.line().end());
  const isl::set Line = zeros(Space, Mapping.projection()).subtract(zeros(Space, {Position}));
  if (!Differences.intersect(Line).is_empty().is_true())
    return false;
  Differences = Differences.apply(
      isl::map::from_multi_aff(linear(Differences.get_space(), Mapping.projection())));
  SmallVector<IterationVector, 6> Left;
  for (const IterationVector &Row : Mapping.projection()) {
    IterationVector Sum(NumDims, 0);
    for (size_t I = 0; I < Indices.size(); ++I)
      for (unsigned D = 0; D < NumDims; ++D)
        Sum[D] += Row[I] * Indices[I][D];
    Left.push_back(std::move(Sum));
  }
  Indices = std::move(Left);
  Vectors.push_back(Vector);
  return true;
}

bool Compaction::findModuli(const isl::set &Differences) {
  isl::set Rest = Differences;
  const isl::set Values = isl::set(Places.range()).apply(isl::map::from_multi_aff(indices()));
  for (unsigned I = 0; I < Indices.size(); ++I) {
    // Every place is inseparable from itself, so Differences contains 0.
    const std::optional<IntegerRange> Needed = rangeOf(Rest, I), Used = rangeOf(Values, I);
    if (!Needed || !Used)
      return false;
    // Division by powers of two is cheap.
    const auto Modulus = int64_t(PowerOf2Ceil(uint64_t(Needed->Last + 1)));
    Ranges.push_back(*Used);
    Moduli.push_back(std::min(Modulus, Used->size()));
    Rest = fixed(Rest, I, 0);
    if (Moduli.back() < Used->size() &&
        count_if(Indices[I], [](int64_t X) { return X != 0; }) == 1) {
      Vectors.push_back(Indices[I]);
      for (int64_t &X : Vectors.back())
        X *= Moduli.back();
    }
  }
  return true;
}

isl::multi_aff Compaction::indices() const { return linear(Uses.get_space().domain(), Indices); }

/// Sorts indices so that those along which innermost loops move come last.
void Compaction::findOrder() {
  SmallVector<unsigned, 6> Near(Indices.size(), 0);
  for (const polly::MemoryAccess *Access : Accesses) {
    const isl::map Schedule = isl::map::from_union_map(
        Time.intersect_domain(isl::union_set(Access->getStatement()->getDomain())));
    const isl::set Stride = Access->getStride(Schedule);
    if (!Stride.is_empty().is_false())
      continue;
    const isl::set Step = anonymous(Stride).apply(
        isl::map::from_multi_aff(linear(anonymous(Stride).get_space(), Indices)));
    for (unsigned I = 0; I < Indices.size(); ++I)
      Near[I] += !Step.is_subset(fixed(Step, I, 0)).is_true();
  }
  for (unsigned I = 0; I < Indices.size(); ++I)
    if (Moduli[I] > 1)
      Order.push_back(I);
  llvm::sort(Order,
             [&](unsigned A, unsigned B) { return std::pair(Near[A], A) < std::pair(Near[B], B); });
}

bool Compaction::plan(bool IsParallel, int64_t MaxBytes) {
  if (!collect())
    return false;
  isl::set Differences = differences(IsParallel);
  for (const IterationVector &Vector : candidates())
    joinAlong(Vector, Differences);
  if (!findModuli(Differences))
    return false;
  findOrder();
  Bytes = Array.getElemSizeInBytes();
  for (const unsigned I : Order) {
    if (Bytes > MaxBytes / Moduli[I])
      return false;
    Bytes *= Moduli[I];
    Sizes.push_back(Moduli[I]);
  }
  if (Order.empty())
    Sizes.push_back(1);
  return Bytes <= MaxBytes;
}

/// Returns { Array[p] -> [(i - first) mod m] } for each index i, in the order of memory.
isl::map Compaction::joined() const {
  const isl::multi_aff All = indices();
  const isl::ctx Ctx = All.ctx();
  isl::map Joined;
  for (const unsigned I : Order) {
    isl::aff Index = All.get_at(int(I)).add_constant(isl::val(Ctx, long(-Ranges[I].First)));
    if (Moduli[I] < Ranges[I].size())
      Index = Index.mod(isl::val(Ctx, long(Moduli[I])));
    const isl::map One = isl::map::from_aff(Index);
    Joined = Joined.is_null() ? One : Joined.flat_range_product(One);
  }
  if (!Joined.is_null())
    return Joined;
  const isl::local_space Local(Uses.get_space().domain());
  return isl::map::from_aff(isl::aff(Local, isl::val(Ctx, 0L)));
}

std::optional<CompactArray> Compaction::apply() {
  const isl::map Joined = joined().set_tuple_id(isl::dim::out, Array.getBasePtrId());
  ScalarEvolution &SE = *S.getSE();
  SmallVector<const SCEV *, 6> Counts;
  for (const int64_t Size : Sizes)
    Counts.push_back(SE.getConstant(Type::getInt64Ty(SE.getContext()), uint64_t(Size)));
  const isl::union_map Memory = Places.apply_range(isl::union_map(Joined));
  const isl::union_map Written = Writes.apply_range(isl::union_map(Joined));
  const isl::union_map Pairs = Written.apply_range(Memory.reverse());
  const isl::union_map SamePlace = Places.apply_range(Places.reverse());
  SmallVector<isl::map, 16> Relations;
  for (const polly::MemoryAccess *Access : Accesses)
    Relations.push_back(Access->getLatestAccessRelation().apply_range(Joined));
  if (isl_ctx_last_error(Joined.ctx().get()) != isl_error_none)
    return std::nullopt;
  // Polly compares the dimensions of new relations with those of the array.
  Array.updateSizes(Counts, /*CheckConsistency=*/false);
  for (auto [Access, Relation] : zip(Accesses, Relations))
    Access->setNewAccessRelation(Relation);
  return CompactArray{&Array, Bytes, Vectors, Pairs.unite(Pairs.reverse()), SamePlace};
}

} // namespace

bool CompactArray::isPrivateIn(const isl::union_map &Schedule) const {
  isl_ctx *const Ctx = SamePlace.ctx().get();
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
