//===- specializer/polyhedral/storage/transient_arrays.cpp - short-lived arrays ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/storage/transient_arrays.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "polly/Support/ISLTools.h"
#include "specializer/polyhedral/schedule/delinearisation.h"
#include "specializer/polyhedral/schedule/extended_tree.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "specializer/polyhedral/storage/occupancy.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

using namespace llvm;

namespace specrt {
namespace {

/// An array is expanded only if each element is written at least this often, and at most one
/// element in this many holds a value at a time. Otherwise copies cost more than the caches save.
constexpr int64_t LeastReuse = 4;

using Statement = const polly::ScopStmt *;

/// Accesses that pass values only to each other.
struct Web {
  SmallVector<polly::MemoryAccess *, 8> Accesses;
  unsigned NumPrivate = 0; ///< loops around whose iterations pass no values to each other
  SmallVector<IntegerRange, 4> Counters; ///< ranges of their counters
  /// Steps of the elements that an iteration uses, per iteration of each private loop, for each
  /// dimension of the array.
  SmallVector<SmallVector<int64_t, 4>, 2> Steps;
  SmallVector<IntegerRange, 2> Elements; ///< relative to Steps alone
};

Statement statementOf(const isl::map &Map, isl::dim Side) {
  return static_cast<Statement>(Map.get_tuple_id(Side).get_user());
}

/// The expansion of one array.
class Expansion {
public:
  /// \p Rows: null unless the order will be one in which few elements hold a value at a time.
  Expansion(polly::Scop &S, const polly::ScopArrayInfo &Array,
            function_ref<isl::map(const polly::MemoryAccess &)> Rows)
      : S(S), Array(Array), ShortensLives(bool(Rows)), Of(S, Array), Rows(Rows),
        NumElements(Array.getNumberOfDimensions()) {}

  /// Returns whether the array is a transient array of \p LeastBytes and more. Changes nothing.
  bool plan(int64_t LeastBytes);

  /// Returns { Stmt[x] -> [element] }, by rows and columns if an array without rows is used by
  /// rows.
  isl::map elementsOf(const polly::MemoryAccess &Access) const;
  /// Returns { Stmt[x] -> [place] }.
  isl::map placesOf(const polly::MemoryAccess &Access, const Web &Of) const;
  /// Returns { Stmt[x] } that write a value which the program uses at the end.
  isl::set finalWrites(const polly::MemoryAccess &Write) const;

  polly::Scop &S;
  const polly::ScopArrayInfo &Array;
  const bool ShortensLives; ///< the chosen order will keep few elements with values at a time
  StorageAccesses Of;
  std::vector<Web> Webs;
  SmallVector<unsigned, 6> Sizes;
  int64_t UsedBytes = 0;
  isl::union_map LastWrites; ///< { Array[e] -> Stmt[x] }
  /// Values are used a few iterations after they are written, so final values are copied at once
  /// and not at the end of the private loops.
  bool AreShort = false;

private:
  void findWebs(const isl::union_map &Values);
  bool findLoops(Web &Of, const isl::union_map &Values) const;
  bool findElements(Web &Of) const;
  std::optional<int64_t> atATime() const;
  bool pays(int64_t LeastBytes);
  void delineariseAccesses();
  unsigned numPrivate() const { return unsigned(Sizes.size()) - NumElements - 1; }

  const function_ref<isl::map(const polly::MemoryAccess &)> Rows;
  unsigned NumElements; ///< dimensions of elements
  /// Delinearised element relations, where possible. Places are counted modulo some number in each
  /// dimension; modulo a number of rows, neighbours in a row stay neighbours.
  DenseMap<const polly::MemoryAccess *, isl::map> Delinearised;
};

void Expansion::delineariseAccesses() {
  for (const polly::MemoryAccess *Access : Of.all())
    Delinearised[Access] =
        isl::manage(isl_map_reset_tuple_id(Rows(*Access).release(), isl_dim_out));
  NumElements = count(elementsOf(*Of.all().front()).range_tuple_dim());
}

isl::map Expansion::elementsOf(const polly::MemoryAccess &Access) const {
  const auto At = Delinearised.find(&Access);
  return At != Delinearised.end() ? At->second
                                  : Access.getLatestAccessRelation().intersect_domain(
                                        Access.getStatement()->getDomain());
}

void Expansion::findWebs(const isl::union_map &Values) {
  EquivalenceClasses<Statement> Connected;
  for (const polly::MemoryAccess *Access : Of.all())
    Connected.insert(Access->getStatement());
  for (const isl::map Map : Values.get_map_list())
    Connected.unionSets(statementOf(Map, isl::dim::in), statementOf(Map, isl::dim::out));
  SmallVector<Statement, 4> Leaders;
  for (polly::MemoryAccess *Access : Of.all()) {
    const Statement Leader = Connected.getLeaderValue(Access->getStatement());
    const auto *const At = find(Leaders, Leader);
    const size_t Index = size_t(At - Leaders.begin());
    if (At == Leaders.end()) {
      Leaders.push_back(Leader);
      Webs.emplace_back();
    }
    Webs[Index].Accesses.push_back(Access);
  }
}

bool Expansion::findLoops(Web &Web, const isl::union_map &Values) const {
  const auto SharesLoop = [&](unsigned Dim) {
    const Loop *L = loopAt(*Web.Accesses.front()->getStatement(), Dim);
    return L && all_of(Web.Accesses, [&](const polly::MemoryAccess *Access) {
             return loopAt(*Access->getStatement(), Dim) == L;
           });
  };
  const auto KeepsValues = [&](unsigned Dim) {
    bool All = true;
    for (const isl::map Map : Values.get_map_list())
      All &= none_of(Web.Accesses,
                     [&](const polly::MemoryAccess *Access) {
                       return Access->getStatement() == statementOf(Map, isl::dim::in);
                     }) ||
             areEqual(Map, Dim, Dim);
    return All;
  };
  while (SharesLoop(Web.NumPrivate) && KeepsValues(Web.NumPrivate)) {
    IntegerRange All{std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()};
    for (const polly::MemoryAccess *Access : Web.Accesses) {
      const auto One = rangeOf(Access->getStatement()->getDomain(), Web.NumPrivate);
      if (!One)
        return false;
      All = {std::min(All.First, One->First), std::max(All.Last, One->Last)};
    }
    Web.Counters.push_back(All);
    ++Web.NumPrivate;
  }
  return Web.NumPrivate > 0;
}

/// Returns by how much the access \p Relation moves along dimension \p Of of the array per
/// iteration of the loops around; nothing if it is not affine in one piece.
std::optional<SmallVector<int64_t, 4>> stepsOf(const isl::map &Relation, unsigned Of,
                                               unsigned NumLoops) {
  const isl::pw_multi_aff Places = isl::pw_multi_aff::from_map(Relation);
  const isl::pw_aff Place = Places.at(int(Of));
  if (Place.is_null() || isl_pw_aff_n_piece(Place.get()) != 1)
    return std::nullopt;
  isl::aff Only;
  Place.foreach_piece([&](const isl::set &, const isl::aff &Piece) {
    Only = Piece;
    return isl::stat::ok();
  });
  SmallVector<int64_t, 4> Steps;
  for (unsigned D = 0; D < NumLoops; ++D) {
    const isl::val Step = isl::manage(isl_aff_get_coefficient_val(Only.get(), isl_dim_in, int(D)));
    const auto Number = integer(Step);
    if (!Number)
      return std::nullopt;
    Steps.push_back(*Number);
  }
  return Steps;
}

/// Finds coordinates in which all iterations of the private loops use nearly the same elements:
/// subtracts the steps that all accesses have in common.
bool Expansion::findElements(Web &Web) const {
  for (unsigned E = 0; E < NumElements; ++E) {
    auto Common = stepsOf(elementsOf(*Web.Accesses.front()), E, Web.NumPrivate);
    for (const polly::MemoryAccess *Access : Web.Accesses) {
      const auto Own = stepsOf(elementsOf(*Access), E, Web.NumPrivate);
      if (!Common || !Own)
        return false;
      for (unsigned D = 0; D < Web.NumPrivate; ++D)
        if ((*Own)[D] != (*Common)[D])
          (*Common)[D] = 0;
    }
    Web.Steps.push_back(*Common);
  }
  for (unsigned E = 0; E < NumElements; ++E) {
    IntegerRange All{std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()};
    for (const polly::MemoryAccess *Access : Web.Accesses) {
      const isl::map Places =
          placesOf(*Access, Web).intersect_domain(Access->getStatement()->getDomain());
      const auto One = rangeOf(Places.range(), 1 + numPrivate() + E);
      if (!One)
        return false;
      All = {std::min(All.First, One->First), std::max(All.Last, One->Last)};
    }
    Web.Elements.push_back(All);
  }
  return true;
}

/// Returns { Stmt[x] -> [web, counters of private loops - first, element - steps - first] }.
isl::map Expansion::placesOf(const polly::MemoryAccess &Access, const Web &Web) const {
  const isl::map Old = elementsOf(Access);
  const isl::pw_multi_aff Elements = isl::pw_multi_aff::from_map(Old);
  const isl::space Domain = Old.get_space().domain();
  const isl::local_space Local(Domain);
  const unsigned NumLoops = numPrivate();
  const auto Number = [&](int64_t N) {
    return isl::pw_aff(isl::aff(Local, isl::val(Domain.ctx(), long(N))));
  };
  const auto Counter = [&](unsigned D) {
    return isl::pw_aff(isl::aff::var_on_domain(Local, isl::dim::set, D));
  };
  isl::map Places = isl::map::from_pw_aff(Number(&Web - Webs.data()));
  for (unsigned D = 0; D < NumLoops; ++D)
    Places = Places.flat_range_product(isl::map::from_pw_aff(
        D < Web.NumPrivate ? Counter(D).sub(Number(Web.Counters[D].First)) : Number(0)));
  for (unsigned E = 0; E < NumElements; ++E) {
    isl::pw_aff Place = Elements.at(int(E));
    for (unsigned D = 0; D < Web.NumPrivate; ++D)
      Place = Place.sub(Number(Web.Steps[E][D]).mul(Counter(D)));
    if (E < Web.Elements.size())
      Place = Place.sub(Number(Web.Elements[E].First));
    Places = Places.flat_range_product(isl::map::from_pw_aff(Place));
  }
  return Places.coalesce();
}

isl::set Expansion::finalWrites(const polly::MemoryAccess &Write) const {
  const isl::set Domain = Write.getStatement()->getDomain();
  const isl::union_map Own(Write.getLatestAccessRelation().intersect_domain(Domain).reverse());
  const isl::union_set Final = LastWrites.intersect(Own).range();
  return Final.is_empty().is_true() ? isl::set::empty(Domain.get_space())
                                    : isl::set(Final).coalesce();
}

/// Returns how many elements hold a value at a time if the loops run in the order of the source,
/// judged by the distances between what an iteration reads and what it writes; nothing if these are
/// not the same for all iterations, or most reads are in statements that do not write.
std::optional<int64_t> Expansion::atATime() const {
  unsigned Depth = 0;
  SmallPtrSet<Statement, 8> Writers;
  for (const polly::MemoryAccess *Access : Of.all())
    if (Access->isWrite()) {
      Writers.insert(Access->getStatement());
      Depth = std::max(Depth, count(Access->getStatement()->getDomain().tuple_dim()));
    }
  SmallVector<ValueUse, 8> Uses;
  for (const polly::MemoryAccess *Read : Of.all()) {
    const Statement Stmt = Read->getStatement();
    if (Read->isWrite())
      continue;
    if (!Writers.contains(Stmt) && count(Stmt->getDomain().tuple_dim()) >= Depth)
      return std::nullopt;
    for (const polly::MemoryAccess *Write : Of.all()) {
      if (!Write->isWrite() || Write->getStatement() != Stmt)
        continue;
      const isl::set Distances = Read->getLatestAccessRelation()
                                     .intersect_domain(Stmt->getDomain())
                                     .reverse()
                                     .apply_range(Write->getLatestAccessRelation())
                                     .deltas();
      ValueUse Use{{}, /*IsAfterStore=*/true};
      for (unsigned E = 0; E < NumElements; ++E) {
        const auto Only = rangeOf(Distances, E);
        if (!Only || Only->size() != 1)
          return std::nullopt;
        Use.Distance.push_back(Only->First);
      }
      Uses.push_back(std::move(Use));
    }
  }
  const auto Vector = occupancyVector(Uses, {{NumElements, /*IsTilable=*/false}});
  if (!Vector)
    return std::nullopt;
  const auto *const First = find_if(*Vector, [](int64_t X) { return X != 0; });
  int64_t Number = *First + 1;
  for (auto E = unsigned(First - Vector->begin()) + 1; E < NumElements; ++E)
    Number *= Sizes[1 + numPrivate() + E];
  return Number;
}

/// Returns whether the array is large, often written, and mostly empty if the loops around are
/// sequential.
bool Expansion::pays(int64_t LeastBytes) {
  isl::set Used = isl::set::empty(elementsOf(*Of.all().front()).range().get_space());
  for (const polly::MemoryAccess *Access : Of.all())
    Used = Used.unite(elementsOf(*Access).range());
  constexpr int64_t Most = int64_t{1} << 50;
  int64_t UsedElements = 1, AtATime = 1;
  for (unsigned E = 0; E < NumElements; ++E) {
    const auto Range = rangeOf(Used, E);
    if (!Range || UsedElements > Most / Range->size())
      return false;
    UsedElements *= Range->size();
    int64_t Size = 0;
    for (const Web &Web : Webs)
      Size = std::max(Size, Web.Elements[E].size());
    if (Size > std::numeric_limits<int>::max() || AtATime > Most / Size)
      return false;
    AtATime *= Size;
    Sizes.push_back(unsigned(Size));
  }
  int64_t Places = 0;
  for (const Web &Web : Webs) {
    int64_t Own = AtATime;
    for (const IntegerRange &Counter : Web.Counters)
      Own = Own > Most / Counter.size() ? Most : Own * Counter.size();
    Places += Own;
  }
  UsedBytes = UsedElements * int64_t(Array.getElemSizeInBytes());
  const int64_t MostAtATime = UsedElements / LeastReuse / int64_t(Webs.size());
  if (UsedBytes < LeastBytes || Places / UsedElements < LeastReuse)
    return false;
  if (AtATime > MostAtATime) {
    AreShort = true;
    if (ShortensLives)
      return true;
    AtATime = atATime().value_or(AtATime);
  }
  return AtATime <= MostAtATime;
}

bool Expansion::plan(int64_t LeastBytes) {
  if (!Of.collect(StorageAccesses::When::Always))
    return false;
  const std::optional<isl::union_map> Values = Of.values();
  if (!Values)
    return false;
  if (ShortensLives)
    delineariseAccesses();
  findWebs(*Values);
  unsigned NumLoops = 0;
  for (Web &Web : Webs) {
    if (!findLoops(Web, *Values))
      return false;
    NumLoops = std::max(NumLoops, Web.NumPrivate);
  }
  // Places have one coordinate for the web and one for each loop.
  Sizes.push_back(unsigned(Webs.size()));
  for (unsigned D = 0; D < NumLoops; ++D) {
    int64_t Size = 1;
    for (const Web &Web : Webs)
      if (D < Web.NumPrivate)
        Size = std::max(Size, Web.Counters[D].size());
    if (Size > std::numeric_limits<int>::max())
      return false;
    Sizes.push_back(unsigned(Size));
  }
  Sizes.append(NumElements, 0);
  for (Web &Web : Webs)
    if (!findElements(Web))
      return false;
  Sizes.truncate(1 + NumLoops);
  if (!pays(LeastBytes))
    return false;
  LastWrites = Of.lastWrites();
  return LastWrites.is_single_valued().is_true();
}

/// Adds statements that copy final values to the program's array, and their places in the schedule.
/// Returns false, with all statements in \p Copies, if a loop has no such place.
bool addCopies(polly::Scop &S, const Expansion &Plan, const isl::id &Id,
               SmallVectorImpl<const polly::ScopStmt *> &Copies) {
  isl::schedule Schedule = S.getScheduleTree();
  for (const Web &Web : Plan.Webs)
    for (const polly::MemoryAccess *Access : Web.Accesses) {
      if (!Access->isWrite())
        continue;
      const isl::set Writes = Plan.finalWrites(*Access);
      if (Writes.is_null())
        return false;
      if (Writes.is_empty().is_true())
        continue;
      const isl::map Places = Plan.placesOf(*Access, Web).intersect_domain(Writes);
      const isl::map Elements = Access->getLatestAccessRelation().intersect_domain(Writes);
      polly::ScopStmt *const Copy =
          addCopyStatement(S, Places.set_tuple_id(isl::dim::out, Id), Elements);
      Copies.push_back(Copy);
      LoopEnd End{isl::union_set(Access->getStatement()->getDomain()), 0, Copy->getDomain()};
      if (Plan.AreShort) {
        // Copies whole rows if rows are in use.
        const unsigned Depth = count(Writes.tuple_dim());
        End.Depth = Plan.ShortensLives && Depth > Web.NumPrivate + 1 ? Depth - 1 : Depth;
      } else {
        End.Depth = Web.NumPrivate;
        for (const polly::MemoryAccess *Other : Web.Accesses)
          End.Inside = End.Inside.unite(isl::union_set(Other->getStatement()->getDomain()));
      }
      Schedule = addAtLoopEnd(Schedule, End);
      if (Schedule.is_null())
        return false;
    }
  S.setScheduleTree(Schedule);
  return true;
}

} // namespace

bool TransientArrays::add(const polly::ScopArrayInfo &Array, int64_t LeastBytes,
                          DelinearisedAccess Delinearised) {
  Expansion Plan(S, Array, Delinearised);
  isl_ctx *const Ctx = S.getIslCtx().get();
  if (!Plan.plan(LeastBytes) || isl_ctx_last_error(Ctx) != isl_error_none)
    return false;
  SmallVector<isl::map, 8> Places;
  for (const Web &Web : Plan.Webs)
    for (const polly::MemoryAccess *Access : Web.Accesses)
      Places.push_back(Plan.placesOf(*Access, Web));
  if (any_of(Places, [](const isl::map &Map) { return Map.is_null(); }) ||
      isl_ctx_last_error(Ctx) != isl_error_none)
    return false;

  polly::ScopArrayInfo *const New = S.createScopArrayInfo(
      Array.getElementType(), Array.getName() + "_transient" + std::to_string(NumMade++),
      std::vector<unsigned>(Plan.Sizes.begin(), Plan.Sizes.end()));
  New->setIsOnHeap(true);
  const isl::id Id = New->getBasePtrId();
  SmallVector<const polly::ScopStmt *, 4> Own;
  if (!addCopies(S, Plan, Id, Own) || isl_ctx_last_error(Ctx) != isl_error_none) {
    removeCopies(Own);
    New->setBasePtr(Array.getBasePtr());
    return false;
  }
  Copies.append(Own.begin(), Own.end());
  const isl::map *Place = Places.begin();
  for (const Web &Web : Plan.Webs)
    for (polly::MemoryAccess *Access : Web.Accesses) {
      Accesses.redirect(*Access, (Place++)->set_tuple_id(isl::dim::out, Id));
    }
  All.push_back({&Array, New, Plan.UsedBytes});
  return true;
}

void TransientArrays::removeCopies(ArrayRef<const polly::ScopStmt *> Some) {
  S.removeStmts([&](polly::ScopStmt &Stmt) { return is_contained(Some, &Stmt); });
}

void TransientArrays::expand(int64_t LeastBytes, bool ShortensLives, unsigned long MaxOperations) {
  Source = S.getScheduleTree();
  // The relations of an array's accesses do not change before the array is expanded.
  std::optional<DenseMap<const polly::MemoryAccess *, isl::map>> All;
  const auto Delinearised = [&](const polly::MemoryAccess &Access) -> isl::map {
    if (!All) {
      auto Relations = delinearisedAccesses(S);
      // The limit is one for each array, so that the next array may succeed.
      if (isl_ctx_last_error(S.getIslCtx().get()) != isl_error_none)
        return {};
      All = std::move(Relations);
    }
    return All->lookup(&Access);
  };
  forEachArray(S, MaxOperations, [&](const polly::ScopArrayInfo &Array) {
    add(Array, LeastBytes, ShortensLives ? DelinearisedAccess(Delinearised) : DelinearisedAccess());
  });
}

void TransientArrays::restore() {
  Accesses.restore();
  removeCopies(Copies);
  // Arrays with a base pointer are not allocated.
  for (const TransientArray &Each : All)
    Each.Expanded->setBasePtr(Each.Array->getBasePtr());
  S.setScheduleTree(Source);
  Copies.clear();
  All.clear();
}

} // namespace specrt
