//===- specializer/polyhedral/storage/private_arrays.cpp - work arrays of iterations ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/storage/private_arrays.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "polly/Support/ISLTools.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "specializer/polyhedral/storage/expand_storage.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include <algorithm>

using namespace llvm;

namespace specrt {
namespace {

/// The iterations of loops that use an array, as its statements count.
using Uses = MapVector<const Loop *, IntegerRange>;

/// Returns the outermost loops that use the array; nothing if some access is in none, or isl cannot
/// tell the number of iterations.
std::optional<Uses> usesOf(const StorageAccesses &Of) {
  Uses All;
  for (polly::MemoryAccess *Access : Of.all()) {
    const Loop *const L = loopAt(*Access->getStatement(), 0);
    const std::optional<IntegerRange> Range =
        L ? rangeOf(Access->getStatement()->getDomain(), 0) : std::nullopt;
    if (!Range)
      return std::nullopt;
    IntegerRange &Here = All.insert({L, *Range}).first->second;
    Here = {std::min(Here.First, Range->First), std::max(Here.Last, Range->Last)};
  }
  return All;
}

/// Returns the loop that the first dimension of a statement counts; null if there is none. The
/// statement is on the side \p Side of \p Map.
const Loop *outermostLoop(const isl::map &Map, isl::dim Side) {
  const auto *Stmt = static_cast<const polly::ScopStmt *>(Map.get_tuple_id(Side).get_user());
  return loopAt(*Stmt, 0);
}

/// Returns { Stmt[x] -> [x_0, e] } for { Stmt[x] -> Array[e] }.
isl::map perIteration(const isl::map &Relation) {
  const isl::space Domain = Relation.get_space().domain();
  const isl::aff Counter = isl::aff::var_on_domain(isl::local_space(Domain), isl::dim::set, 0);
  const isl::map Element = isl::manage(isl_map_reset_tuple_id(Relation.copy(), isl_dim_out));
  return isl::map::from_aff(Counter).flat_range_product(Element);
}

/// Returns whether each value that the loop \p L reads was written in the same iteration of it.
bool writesFirst(const Loop *L, const StorageAccesses &Of, const isl::union_map &Schedule) {
  isl::union_map Reads, Writes;
  Reads = Writes = isl::union_map::empty(Schedule.ctx());
  for (const polly::MemoryAccess *Access : Of.all()) {
    if (loopAt(*Access->getStatement(), 0) != L)
      continue;
    isl::union_map &Some = Access->isRead() ? Reads : Writes;
    Some = Some.unite(isl::union_map(perIteration(
        Access->getLatestAccessRelation().intersect_domain(Access->getStatement()->getDomain()))));
  }
  const isl::union_flow Flow = isl::union_access_info(Reads)
                                   .set_must_source(Writes)
                                   .set_schedule_map(Schedule)
                                   .compute_flow();
  return Flow.get_must_no_source().is_empty().is_true();
}

/// Returns whether each write of a loop writes in the last iteration what it writes in all of them,
/// and each loop has more than one iteration.
bool isAllWrittenLast(const StorageAccesses &Of, const Uses &Loops) {
  return all_of(Of.all(), [&](const polly::MemoryAccess *Access) {
    const IntegerRange &Iterations = Loops.find(loopAt(*Access->getStatement(), 0))->second;
    const isl::set Domain = Access->getStatement()->getDomain();
    const isl::map Elements = Access->getLatestAccessRelation().intersect_domain(Domain);
    return Access->isRead() ||
           (Iterations.size() > 1 &&
            Elements.range()
                .is_subset(Elements.intersect_domain(fixed(Domain, 0, Iterations.Last)).range())
                .is_true());
  });
}

/// Returns the values of dimension \p Dim that some access uses; nothing if they have no bounds.
std::optional<IntegerRange> indices(const StorageAccesses &Of, unsigned Dim) {
  std::optional<IntegerRange> All;
  for (const polly::MemoryAccess *Access : Of.all()) {
    const std::optional<IntegerRange> Some =
        rangeOf(Access->getLatestAccessRelation()
                    .intersect_domain(Access->getStatement()->getDomain())
                    .range(),
                Dim);
    if (!Some)
      return std::nullopt;
    All = All ? IntegerRange{std::min(All->First, Some->First), std::max(All->Last, Some->Last)}
              : *Some;
  }
  return All;
}

/// The part of an array between the first and the last accessed byte.
struct Part {
  uint64_t FirstByte, NumBytes;
};

std::optional<Part> partOf(const polly::ScopArrayInfo &Array, const StorageAccesses &Of) {
  int64_t First = 0, Last = 0;
  for (unsigned D = 0, E = Array.getNumberOfDimensions(); D < E; ++D) {
    const std::optional<IntegerRange> Range = indices(Of, D);
    int64_t Size = 1;
    if (D > 0) {
      const auto *const Known = dyn_cast_or_null<SCEVConstant>(Array.getDimensionSize(D));
      if (!Known)
        return std::nullopt;
      Size = Known->getAPInt().getSExtValue();
    }
    if (!Range || Range->First < 0 || Range->Last > MaxExpandedBytes || Size <= 0 ||
        Last > MaxExpandedBytes / Size)
      return std::nullopt;
    First = First * Size + Range->First;
    Last = Last * Size + Range->Last;
  }
  const auto Bytes = uint64_t(Array.getElemSizeInBytes());
  return Part{uint64_t(First) * Bytes, uint64_t(Last - First + 1) * Bytes};
}

} // namespace

bool PrivateArrays::add(const polly::ScopArrayInfo &Array, long &Budget) {
  StorageAccesses Of(S, Array);
  if (!Of.collect(StorageAccesses::When::Sometimes))
    return false;
  const std::optional<Uses> Loops = usesOf(Of);
  if (!Loops || !isAllWrittenLast(Of, *Loops))
    return false;
  const std::optional<Part> Used = partOf(Array, Of);
  const isl::union_map Schedule = S.getSchedule();
  if (!Used || Used->NumBytes > uint64_t(Budget) ||
      !all_of(*Loops, [&](const auto &Each) { return writesFirst(Each.first, Of, Schedule); }) ||
      isl_ctx_last_error(S.getIslCtx().get()) != isl_error_none)
    return false;
  Budget -= long(Used->NumBytes);
  for (const auto &[L, Iterations] : *Loops)
    All.push_back({&Array, L, Iterations.Last, Used->FirstByte, Used->NumBytes});
  std::vector<unsigned> Sizes(Array.getNumberOfDimensions() + 1, 1);
  Sizes.front() = 0; // the outermost dimension has no size
  polly::ScopArrayInfo *const New =
      S.createScopArrayInfo(Array.getElementType(), Array.getName() + "_private", Sizes);
  New->setBasePtr(Array.getBasePtr());
  for (polly::MemoryAccess *Access : Of.all()) {
    const isl::map Places = perIteration(Access->getLatestAccessRelation());
    Accesses.redirect(*Access, Places.set_tuple_id(isl::dim::out, New->getBasePtrId()));
  }
  return true;
}

void PrivateArrays::find(unsigned long MaxOperations) {
  long Budget = MaxExpandedBytes;
  forEachArray(S, MaxOperations, [&](const polly::ScopArrayInfo &Array) { add(Array, Budget); });
}

bool PrivateArrays::freeSomeLoop(const isl::union_map &Dependences) const {
  SmallPtrSet<const Loop *, 4> Ordered;
  for (isl::map Map : Dependences.get_map_list()) {
    const Loop *const L = outermostLoop(Map, isl::dim::in);
    if (L && L == outermostLoop(Map, isl::dim::out) && !areEqual(Map, 0, 0))
      Ordered.insert(L);
  }
  return any_of(All, [&](const PrivateArray &Array) { return !Ordered.contains(Array.Of); });
}

bool PrivateArrays::fit(const isl::union_map &Schedule) const {
  // Constant dimensions order a loop before or after others.
  DenseMap<const Loop *, SmallVector<int64_t, 4>> Places;
  for (isl::map Map : Schedule.get_map_list()) {
    const Loop *const L = outermostLoop(Map, isl::dim::in);
    if (none_of(All, [&](const PrivateArray &Array) { return Array.Of == L; }))
      continue;
    SmallVector<int64_t, 4> Place;
    const unsigned Depth = count(Map.range_tuple_dim());
    const isl::set Times = Map.range();
    while (Place.size() < Depth) {
      const std::optional<IntegerRange> Values = rangeOf(Times, unsigned(Place.size()));
      if (!Values || Values->size() != 1)
        break;
      Place.push_back(Values->First);
    }
    if (Place.size() == Depth || !areEqual(Map, 0, unsigned(Place.size())) ||
        Places.insert({L, Place}).first->second != Place)
      return false;
  }
  return true;
}

std::optional<SmallVector<const PrivateArray *, 4>>
PrivateArrays::neededFor(const isl::union_map &Schedule) const {
  SmallVector<const PrivateArray *, 4> Needed;
  for (isl::map Map : Schedule.get_map_list()) {
    const auto *Stmt =
        static_cast<const polly::ScopStmt *>(Map.get_tuple_id(isl::dim::in).get_user());
    const unsigned Depth = count(Map.range_tuple_dim());
    for (const PrivateArray &Array : All) {
      const bool IsUsed = any_of(*Stmt, [&](const polly::MemoryAccess *Access) {
        return Access->getLatestScopArrayInfo() == Array.Array && loopAt(*Stmt, 0) == Array.Of;
      });
      if (!IsUsed)
        continue;
      if (Depth == 0 || !areEqual(Map, 0, 0))
        return std::nullopt;
      // Inside of an iteration of the arrays' loop, no copies are needed.
      if (Depth == 1 && !is_contained(Needed, &Array))
        Needed.push_back(&Array);
    }
  }
  return Needed;
}

} // namespace specrt
