//===- specializer/polyhedral/storage/expand_storage.cpp - expands scalars and arrays -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/storage/expand_storage.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "polly/Support/ISLTools.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "llvm/ADT/SetVector.h"
#include "isl/schedule.h"
#include <algorithm>
#include <limits>
#include <optional>

using namespace llvm;

namespace specrt {
namespace {

/// Limit for one scalar that is expanded by all loops. Only what remains after places are joined is
/// allocated, so this only keeps products of sizes from overflowing.
constexpr int64_t MaxWideBytes = int64_t{1} << 50;

/// Returns whether the place of \p Access depends on at most one loop. Linearised arrays have one
/// dimension, so the number of dimensions is not sufficient.
bool isRow(const polly::MemoryAccess &Access) {
  isl::set Domain = Access.getStatement()->getDomain();
  isl::map Relation = Access.getLatestAccessRelation().gist_domain(Domain);
  unsigned NumInvolved = 0;
  for (unsigned D = 0, E = count(Domain.tuple_dim()); D < E; ++D) {
    isl_bool Involved = isl_map_involves_dims(Relation.get(), isl_dim_in, D, 1);
    if (Involved == isl_bool_error)
      return false;
    NumInvolved += Involved == isl_bool_true;
  }
  return NumInvolved <= 1;
}

/// A scalar or an array with all of its accesses.
class Storage {
public:
  Storage(polly::Scop &S, polly::ScopArrayInfo &Array) : S(S), Array(Array), Of(S, Array) {}

  /// Plans the expansion with at most \p Budget bytes and \p MaxOperations of isl. Changes nothing;
  /// returns false if there is none.
  bool plan(int64_t Budget, unsigned long MaxOperations);
  /// Performs it. The new array's name ends with \p Suffix.
  ExpandedArray expand(StringRef Suffix);

private:
  bool accumulates() const;
  bool isPrivate();
  bool chooseDims(int64_t Budget);
  bool sharesLoop(unsigned Dim) const;
  bool computeRelations();
  isl::map newRelation(const polly::MemoryAccess &Access) const;
  isl::map lastValues() const;
  void copyBack(const polly::ScopArrayInfo &New);
  bool isScalar() const { return Array.getNumberOfDimensions() == 0; }
  unsigned depth() const;
  unsigned freeDims() const;

  polly::Scop &S;
  polly::ScopArrayInfo &Array;
  StorageAccesses Of;
  unsigned NumPrivate = 0;       ///< outermost dimensions that no value leaves
  SmallVector<unsigned, 4> Dims; ///< dimensions to expand by, ascending
  SmallVector<IntegerRange, 4> NewRanges, OwnRanges;
  SmallVector<isl::map, 8> NewRelations; ///< of all accesses; their range has no name yet
  isl::map Final; ///< { Array[e] -> [place] } of the values that the program uses afterwards
  int64_t Bytes = 0;
  bool IsLimited = false; ///< limited by the budget
};

/// Returns whether a statement adds to the array along a loop that does not move the access, while
/// its other accesses have no rows.
bool Storage::accumulates() const {
  if (Array.getNumberOfDimensions() != 1)
    return false;
  for (polly::ScopStmt &Stmt : S) {
    bool IsRead = false, IsWritten = false;
    for (polly::MemoryAccess *Access : Stmt)
      if (Access->getLatestScopArrayInfo() == &Array && isRow(*Access))
        (Access->isRead() ? IsRead : IsWritten) = true;
    if (IsRead && IsWritten && count(Stmt.getDomain().tuple_dim()) >= 3)
      return true;
  }
  return false;
}

unsigned Storage::depth() const {
  unsigned Depth = ~0u;
  for (polly::MemoryAccess *Access : Of.all())
    Depth = std::min(Depth, count(Access->getStatement()->getDomain().tuple_dim()));
  return Depth;
}

bool Storage::sharesLoop(unsigned Dim) const {
  const Loop *L = loopAt(*Of.all().front()->getStatement(), Dim);
  return L && all_of(Of.all(), [&](polly::MemoryAccess *Access) {
           return loopAt(*Access->getStatement(), Dim) == L;
         });
}

/// Finds the loops that no value leaves; returns false if there are none.
bool Storage::isPrivate() {
  const std::optional<isl::union_map> Values = Of.values();
  if (!Values)
    return false;
  unsigned Depth = depth();
  for (NumPrivate = 0; NumPrivate < Depth && sharesLoop(NumPrivate); ++NumPrivate)
    for (isl::map Map : Values->get_map_list())
      if (!areEqual(Map, NumPrivate, NumPrivate))
        return NumPrivate > 0;
  return NumPrivate > 0;
}

/// Returns the dimensions of the places of an access.
unsigned Storage::freeDims() const { return isScalar() ? 0 : Array.getNumberOfDimensions(); }

bool Storage::chooseDims(int64_t Budget) {
  for (unsigned D = 0; D < freeDims(); ++D) {
    isl::set Image =
        isl::set::empty(Of.all().front()->getLatestAccessRelation().range().get_space());
    for (polly::MemoryAccess *Access : Of.all())
      Image = Image.unite(Access->getLatestAccessRelation()
                              .intersect_domain(Access->getStatement()->getDomain())
                              .range());
    std::optional<IntegerRange> R = rangeOf(Image, D);
    if (!R)
      return false;
    OwnRanges.push_back(*R);
  }
  Bytes = Array.getElemSizeInBytes();
  for (const IntegerRange &R : OwnRanges) {
    if (Bytes > Budget / R.size())
      return false;
    Bytes *= R.size();
  }
  for (unsigned D = NumPrivate; D-- > 0;) {
    // Rows and columns are sufficient for arrays; a scalar is expanded by all of its loops.
    if (!isScalar() && freeDims() + Dims.size() >= 2)
      break;
    IntegerRange R{std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()};
    for (polly::MemoryAccess *Access : Of.all()) {
      std::optional<IntegerRange> One = rangeOf(Access->getStatement()->getDomain(), D);
      if (!One)
        return false;
      R.First = std::min(R.First, One->First);
      R.Last = std::max(R.Last, One->Last);
    }
    IsLimited = Bytes > Budget / R.size() || R.size() > std::numeric_limits<int>::max();
    if (IsLimited)
      break;
    Bytes *= R.size();
    Dims.insert(Dims.begin(), D);
    NewRanges.insert(NewRanges.begin(), R);
  }
  return !Dims.empty();
}

/// Returns { Stmt[x] -> [x_Dims - first, old index - first] }.
isl::map Storage::newRelation(const polly::MemoryAccess &Access) const {
  isl::map Old = Access.getLatestAccessRelation();
  isl::space Domain = Old.get_space().domain();
  isl::local_space Local(Domain);
  isl::aff_list Own(Domain.ctx(), int(Dims.size()));
  for (auto [Dim, R] : zip(Dims, NewRanges))
    Own = Own.add(isl::aff::var_on_domain(Local, isl::dim::set, Dim)
                      .add(isl::aff(Local, isl::val(Domain.ctx(), -R.First))));
  isl::multi_aff Prefix(
      Domain.map_from_domain_and_range(Domain.params().add_unnamed_tuple(unsigned(Dims.size()))),
      Own);
  isl::map Relation = isl::map::from_multi_aff(Prefix);
  if (!isScalar()) {
    isl::map Shifted = isl::manage(isl_map_reset_tuple_id(Old.release(), isl_dim_out));
    for (unsigned D = 0; D < OwnRanges.size(); ++D) {
      isl::space Range = Shifted.get_space().range();
      isl::local_space Index(Range);
      isl::multi_aff Move = isl::multi_aff::identity_on_domain(Range);
      Move = Move.set_at(int(D),
                         isl::aff::var_on_domain(Index, isl::dim::set, D)
                             .add(isl::aff(Index, isl::val(Range.ctx(), -OwnRanges[D].First))));
      Shifted = Shifted.apply_range(isl::map::from_multi_aff(Move));
    }
    Relation = Relation.flat_range_product(Shifted);
  }
  return Relation;
}

/// Returns { Array[e] -> [place] } of the last value of every element; null if unknown.
isl::map Storage::lastValues() const {
  isl::union_map ToNew = isl::union_map::empty(S.getIslCtx());
  for (unsigned A = 0; A < Of.all().size(); ++A)
    if (Of.all()[A]->isWrite())
      ToNew = ToNew.unite(isl::union_map(
          NewRelations[A].intersect_domain(Of.all()[A]->getStatement()->getDomain())));
  isl::map Places = isl::map::from_union_map(Of.lastWrites().apply_range(ToNew));
  return Places.is_single_valued().is_true() ? Places : isl::map();
}

bool Storage::computeRelations() {
  for (polly::MemoryAccess *Access : Of.all())
    NewRelations.push_back(newRelation(*Access));
  if (!isScalar())
    Final = lastValues();
  return none_of(NewRelations, [](const isl::map &Relation) { return Relation.is_null(); }) &&
         (isScalar() || !Final.is_null());
}

/// Adds a statement that copies the final values to the program's storage.
void Storage::copyBack(const polly::ScopArrayInfo &New) {
  isl::map Source = Final.set_tuple_id(isl::dim::out, New.getBasePtrId());
  isl::set Elements = Source.domain();
  isl::map Target = Elements.identity();
  isl::set CopyDomain = addCopyStatement(S, Source, Target)->getDomain();
  isl::schedule Order =
      isl::schedule::from_domain(CopyDomain)
          .insert_partial_schedule(isl::multi_union_pw_aff(
              isl::union_pw_multi_aff(isl::multi_aff::identity_on_domain(CopyDomain.get_space())
                                          .reset_tuple_id(isl::dim::set))));
  S.setScheduleTree(S.getScheduleTree().sequence(Order));
}

bool Storage::plan(int64_t Budget, unsigned long MaxOperations) {
  isl_ctx *Ctx = S.getIslCtx().get();
  isl_ctx_reset_error(Ctx);
  polly::IslMaxOperationsGuard Limit(Ctx, MaxOperations);
  return (isScalar() || accumulates()) && Of.collect(StorageAccesses::When::Always) &&
         isPrivate() && chooseDims(Budget) && computeRelations() &&
         isl_ctx_last_error(Ctx) == isl_error_none;
}

ExpandedArray Storage::expand(StringRef Suffix) {
  std::vector<unsigned> Sizes;
  for (const IntegerRange &R : concat<const IntegerRange>(NewRanges, OwnRanges))
    Sizes.push_back(unsigned(R.size()));
  polly::ScopArrayInfo *New =
      S.createScopArrayInfo(Array.getElementType(), Array.getName() + Suffix.str(), Sizes);
  New->setIsOnHeap(true);
  if (!isScalar())
    copyBack(*New);
  ExpandedArray Made{&Array, New, Bytes, isScalar(), IsLimited, {}};
  for (auto [Access, Relation] : zip(Of.all(), NewRelations))
    Made.Accesses.redirect(*Access, Relation.set_tuple_id(isl::dim::out, New->getBasePtrId()));
  return Made;
}

} // namespace

void ExpandedStorage::add(polly::ScopArrayInfo &Array, int64_t &Budget,
                          unsigned long MaxOperations) {
  Storage Own(S, Array);
  if (!Own.plan(Budget, MaxOperations))
    return;
  // Polly identifies arrays by name.
  All.push_back(Own.expand("_expanded" + (NumMade ? std::to_string(NumMade) : "")));
  ++NumMade;
  Budget -= All.back().Bytes;
}

void ExpandedStorage::expand(unsigned long MaxOperations) {
  int64_t Budget = MaxExpandedBytes;
  const SmallVector<polly::ScopArrayInfo *, 8> Arrays(S.array_begin(), S.array_end());
  for (polly::ScopArrayInfo *Array : Arrays)
    add(*Array, Budget, MaxOperations);
}

void ExpandedStorage::restore(const polly::ScopArrayInfo &Array) {
  auto *const At = find_if(All, [&](const ExpandedArray &Each) { return Each.Of == &Array; });
  if (At == All.end())
    return;
  At->Accesses.restore();
  // An array with a base pointer is not allocated.
  At->Array->setBasePtr(PoisonValue::get(PointerType::getUnqual(S.getFunction().getContext())));
  All.erase(At);
}

bool ExpandedStorage::widen(unsigned long MaxOperations) {
  SmallVector<polly::ScopArrayInfo *, 8> Limited;
  for (const ExpandedArray &Each : All)
    if (Each.IsScalar && Each.IsLimited)
      Limited.push_back(Each.Of);
  for (polly::ScopArrayInfo *Array : Limited) {
    restore(*Array);
    int64_t Budget = MaxWideBytes;
    add(*Array, Budget, MaxOperations);
  }
  return !Limited.empty();
}

void ExpandedStorage::narrow(unsigned long MaxOperations) {
  SmallVector<polly::ScopArrayInfo *, 8> Scalars;
  int64_t Budget = MaxExpandedBytes;
  for (const ExpandedArray &Each : All)
    if (Each.IsScalar)
      Scalars.push_back(Each.Of);
    else
      Budget -= Each.Bytes;
  for (const polly::ScopArrayInfo *Array : Scalars)
    restore(*Array);
  for (polly::ScopArrayInfo *Array : Scalars)
    add(*Array, Budget, MaxOperations);
}

} // namespace specrt
