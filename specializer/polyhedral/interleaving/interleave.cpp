//===- specializer/polyhedral/interleaving/interleave.cpp - interleaves nests in blocks -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/interleaving/interleave.h"
#include "analysis/pipeline_positions.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "polly/Support/ISLTools.h"
#include "specializer/polyhedral/interleaving/block_sizes.h"
#include "specializer/polyhedral/interleaving/nest_grains.h"
#include "specializer/polyhedral/interleaving/nest_positions.h"
#include "specializer/polyhedral/interleaving/position_text.h"
#include "specializer/polyhedral/schedule/legality.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include "isl/ctx.h"
#include "isl/schedule_node.h"
#include <algorithm>
#include <utility>

using namespace llvm;

namespace specrt {
namespace {

bool isSequence(const isl::schedule_node &Node) {
  return Node.isa<isl::schedule_node_sequence>().is_true();
}

/// Returns whether a loop begins below the filter \p Child of a sequence.
bool isNest(const isl::schedule_node &Child) { return isLoop(belowMarks(Child.child(0))); }

/// Nests that follow each other below a sequence.
struct Run {
  unsigned First = 0;
  SmallVector<PlacedNest, 4> Nests;
  TurnBlocks Blocks;
};

class Interleaver {
public:
  Interleaver(polly::Scop &S, const isl::union_map &Orders, const TilingTarget &Target,
              NameOfArray Names)
      : S(S), Orders(Orders), Target(Target), Names(Names),
        Given(placesOfPipeline(S.getFunction())) {}

  /// Interleaves nests below \p Node. Outermost sequences come first, and interleaved nests are not
  /// entered.
  isl::schedule_node visit(isl::schedule_node Node);

  std::string Made;   ///< describes the interleaved nests; "" if there are none
  std::string Why;    ///< the reason why no nests are interleaved
  std::string Unused; ///< describes given positions that are not used; "" if all are
  bool IsPossible = false;
  ContractionMarks Marks;

private:
  bool useGiven(const isl::schedule_node &Sequence);
  std::optional<Run> findRun(const isl::schedule_node &Sequence);
  std::optional<Run> runOfAll(const isl::schedule_node &Sequence);
  PlacedNest nestBelow(const isl::schedule_node &Child) const;
  bool place(Run &Of, unsigned Depth, const isl::union_map &Inside) const;
  bool refuseGiven(const Run &Of, const isl::union_map &Inside);
  bool plan(Run &Of, const isl::schedule_node &Sequence);
  isl::schedule_node useKernel(const isl::schedule_node &Node);
  isl::schedule_node interleave(isl::schedule_node Sequence, const Run &Of);
  void describe(const Run &Of);

  polly::Scop &S;
  const isl::union_map &Orders;
  const TilingTarget &Target;
  NameOfArray Names;
  SmallVector<GivenPositions> Given; ///< positions from the program; empty if there are none
  bool IsGivenUsed = false;          ///< the nests that are being placed are those of Given
};

/// Returns the nest below the filter \p Child of a sequence, with loops that contain all of it.
PlacedNest Interleaver::nestBelow(const isl::schedule_node &Child) const {
  // A filter's own domain is that of the sequence.
  PlacedNest Nest{Child.child(0).get_domain(), {}};
  for (const polly::ScopStmt &Stmt : S)
    if (isl::union_set(Stmt.getDomain()).is_subset(Nest.Domain).is_true())
      Nest.Statements.push_back(&Stmt);
  for (isl::schedule_node Node = belowMarks(Child.child(0)); isLoop(Node);
       Node = belowMarks(Node.child(0)))
    Nest.Loops.push_back(loopOf(Node));
  return Nest;
}

/// Places the loops at \p Depth at the positions that the program gives, otherwise as close to each
/// other as possible.
bool Interleaver::place(Run &Of, unsigned Depth, const isl::union_map &Inside) const {
  for (PlacedNest &Nest : Of.Nests)
    Nest.Positions.emplace_back();
  chooseGrains(Of.Nests, Depth);
  if (IsGivenUsed)
    for (auto [Nest, Own] : zip_equal(Of.Nests, Given)) {
      LoopPosition &At = Nest.Positions[Depth];
      At.Grain = Own[Depth].Grain.value_or(At.Grain);
      At.Offset = Own[Depth].Offset.value_or(0);
      At.IsOffsetGiven = Own[Depth].Offset.has_value();
    }
  return placeNests(Of.Nests, Depth, Inside);
}

/// Returns whether the offsets that the program gives are too small, or cannot be checked. Why then
/// names a pair of iterations.
bool Interleaver::refuseGiven(const Run &Of, const isl::union_map &Inside) {
  const auto IsGiven = [](const PlacedNest &Nest) {
    return any_of(Nest.Positions, [](const LoopPosition &At) { return At.IsOffsetGiven; });
  };
  if (none_of(Of.Nests, IsGiven))
    return false;
  const isl::union_map Backwards = violatedOrders(Of.Nests, Inside);
  if (Backwards.is_empty().is_true())
    return false;
  if (Backwards.is_null())
    return true;
  SmallVector<PlacedNest, 4> Legal = Of.Nests;
  for (PlacedNest &Nest : Legal)
    for (LoopPosition &At : Nest.Positions)
      At.IsOffsetGiven = false;
  Why = describeRefusal(Backwards, Of.Nests, Names);
  if (placeLexicographically(Legal, Inside))
    Why += "; the least legal offsets are " + textOfOffsets(Legal);
  return true;
}

/// Places the nests and chooses blocks. Returns false, with the reason in Why, if there are none
/// that pay.
bool Interleaver::plan(Run &Of, const isl::schedule_node &Sequence) {
  const isl::multi_union_pw_aff Outer = Sequence.get_prefix_schedule_multi_union_pw_aff();
  isl::union_set Domain = Of.Nests.front().Domain;
  size_t Depth = Of.Nests.front().Loops.size();
  for (const PlacedNest &Nest : Of.Nests) {
    Domain = Domain.unite(Nest.Domain);
    Depth = std::min(Depth, Nest.Loops.size());
  }
  const isl::union_map Inside =
      atSame(Outer, Orders.intersect_domain(Domain).intersect_range(Domain));
  for (PlacedNest &Nest : Of.Nests)
    Nest.Positions.clear();
  const bool HasRows = place(Of, 0, Inside), HasColumns = Depth > 1 && place(Of, 1, Inside);
  if (refuseGiven(Of, Inside))
    return false;
  Why = "the nests depend on each other over no fixed distance";
  if (!HasRows)
    return false;
  IsPossible = true;
  if (Depth > 1 && !HasColumns)
    for (PlacedNest &Nest : Of.Nests)
      Nest.Positions.pop_back();
  const auto HasSecond = [](const GivenPositions &Own) { return Own[1].Offset || Own[1].Grain; };
  if (IsGivenUsed && !HasColumns && any_of(Given, HasSecond))
    Unused = Depth > 1 ? "positions of second loops are not used, because the nests depend on each "
                         "other over no fixed distance along these"
                       : "positions of second loops are not used, because not all nests have one";
  const std::optional<TurnBlocks> Blocks = chooseBlocks(Of.Nests, Outer, Target, Why);
  if (Blocks)
    Of.Blocks = *Blocks;
  return Blocks.has_value();
}

/// Returns whether the positions of the program are for the nests of \p Sequence. If so, these are
/// all children of Sequence. Otherwise describes in Unused why the positions are for other nests.
bool Interleaver::useGiven(const isl::schedule_node &Sequence) {
  if (none_of(Given, isAnyGiven))
    return false;
  const unsigned NumChildren = count(Sequence.n_children());
  unsigned NumNests = 0;
  for (unsigned C = 0; C < NumChildren; ++C)
    NumNests += isNest(Sequence.child(int(C)));
  const bool IsOutermost =
      count(Sequence.get_prefix_schedule_multi_union_pw_aff().dim(isl::dim::out)) == 0;
  IsGivenUsed = IsOutermost && NumNests == NumChildren && NumNests == Given.size();
  if (IsGivenUsed)
    Unused.clear();
  else if (IsOutermost)
    Unused = "the offsets and grains that the program gives for " + std::to_string(Given.size()) +
             " nests are not used, because the model has " + std::to_string(NumNests) +
             " nests in a sequence of " + std::to_string(NumChildren);
  return IsGivenUsed;
}

/// Returns all nests of \p Sequence, which has nothing else, if they can be interleaved.
std::optional<Run> Interleaver::runOfAll(const isl::schedule_node &Sequence) {
  Run All;
  for (unsigned C = 0, E = count(Sequence.n_children()); C < E; ++C)
    All.Nests.push_back(nestBelow(Sequence.child(int(C))));
  return plan(All, Sequence) ? std::optional(std::move(All)) : std::nullopt;
}

/// Returns the first nests in \p Sequence that can be interleaved, as many as possible.
std::optional<Run> Interleaver::findRun(const isl::schedule_node &Sequence) {
  std::optional<Run> Best;
  const unsigned NumChildren = count(Sequence.n_children());
  for (unsigned First = 0; First + 1 < NumChildren && !Best; ++First) {
    if (!isNest(Sequence.child(int(First))))
      continue;
    Run Next{First, {nestBelow(Sequence.child(int(First)))}, {}};
    for (unsigned C = First + 1; C < NumChildren && isNest(Sequence.child(int(C))); ++C) {
      Next.Nests.push_back(nestBelow(Sequence.child(int(C))));
      if (!plan(Next, Sequence))
        break;
      Best = Next;
    }
  }
  return Best;
}

/// Makes the nest that begins at \p Node a block of a contraction kernel, if it is a contraction.
isl::schedule_node Interleaver::useKernel(const isl::schedule_node &Node) {
  const isl::multi_union_pw_aff Prefix = Node.get_prefix_schedule_multi_union_pw_aff();
  const std::vector<Contraction> Found = contractionsIn(S, Node.get_domain(), Prefix);
  if (Found.empty() || !isWholeBlock(Found.front(), Node.get_domain(), Prefix, Orders))
    return Node;
  return insertBlock(isl::manage(isl_schedule_node_cut(Node.copy())), Found.front(),
                     Found.front().Stmt->getDomain(), Target.Threads, Marks);
}

isl::schedule_node Interleaver::interleave(isl::schedule_node Sequence, const Run &Of) {
  const unsigned NumChildren = count(Sequence.n_children());
  const unsigned End = Of.First + unsigned(Of.Nests.size());
  if (Of.First > 0 || End < NumChildren) {
    // The parts before and after the run stay outside of the blocks.
    isl::union_set_list Parts(Sequence.ctx(), 3);
    isl::union_set Before, Within, After;
    const auto Add = [](isl::union_set &To, const isl::union_set &Part) {
      To = To.is_null() ? Part : To.unite(Part);
    };
    for (unsigned C = 0; C < NumChildren; ++C)
      Add(C < Of.First ? Before
          : C < End    ? Within
                       : After,
          Sequence.child(int(C)).child(0).get_domain());
    for (const isl::union_set &Part : {Before, Within, After})
      if (!Part.is_null())
        Parts = Parts.add(Part);
    Sequence = Sequence.insert_sequence(Parts).child(Of.First > 0 ? 1 : 0).child(0);
  }
  SmallVector<isl::union_pw_aff, 2> Blocks;
  for (unsigned D = 0; D < Of.Blocks.Sizes.size(); ++D) {
    isl::union_pw_aff All;
    for (const PlacedNest &Nest : Of.Nests) {
      const isl::union_pw_aff One = Nest.position(D);
      All = All.is_null() ? One : All.union_add(One);
    }
    Blocks.push_back(tileOf(All, long(Of.Blocks.Sizes[D])));
  }
  Sequence = insertBand(Sequence.ctx(), Sequence, Blocks).child(0);
  for (unsigned I = 0; I < Of.Nests.size(); ++I)
    Sequence = useKernel(Sequence.child(int(I)).child(0)).parent().parent();
  return Sequence.parent();
}

void Interleaver::describe(const Run &Of) {
  raw_string_ostream OS(Made);
  OS << (Made.empty() ? "" : "; ") << Of.Nests.size() << " nests in turn, in blocks of ";
  for (unsigned D = 0; D < Of.Blocks.Sizes.size(); ++D)
    OS << (D ? " x " : "") << Of.Blocks.Sizes[D];
  OS << (Of.Blocks.Sizes.size() > 1 ? " points" : " rows");
  OS << ", at " << textOfOffsets(Of.Nests);
}

isl::schedule_node Interleaver::visit(isl::schedule_node Node) {
  if (isSequence(Node)) {
    const bool IsPlaced = useGiven(Node);
    const std::optional<Run> Found = IsPlaced ? runOfAll(Node) : findRun(Node);
    if (Found) {
      describe(*Found);
      return interleave(Node, *Found);
    }
    // Nests whose positions the program gives are interleaved all together or not at all.
    if (IsPlaced)
      return Node;
  }
  for (unsigned I = 0, E = count(Node.n_children()); I < E; ++I)
    Node = visit(Node.child(int(I))).parent();
  return Node;
}

bool hasNests(const isl::schedule_node &Node) {
  const unsigned NumChildren = count(Node.n_children());
  for (unsigned I = 0; I < NumChildren; ++I) {
    const isl::schedule_node Child = Node.child(int(I));
    if (isSequence(Node) && I + 1 < NumChildren && isNest(Child) && isNest(Node.child(int(I + 1))))
      return true;
    if (hasNests(Child))
      return true;
  }
  return false;
}

} // namespace

bool hasNestsInSequence(polly::Scop &S) { return hasNests(S.getScheduleTree().get_root()); }

Interleaving interleaveNests(polly::Scop &S, const isl::union_map &Orders,
                             const TilingTarget &Target, NameOfArray Names,
                             unsigned long MaxOperations) {
  isl_ctx *const Ctx = S.getIslCtx().get();
  isl_ctx_reset_error(Ctx);
  polly::IslMaxOperationsGuard Limit(Ctx, MaxOperations);
  Interleaver Own(S, Orders, Target, Names);
  const isl::schedule_node Root = Own.visit(S.getScheduleTree().get_root());
  Interleaving Result{{}, Own.Made, Own.IsPossible, std::move(Own.Marks)};
  const isl::schedule New = Root.get_schedule();
  const bool IsRight = !Own.Made.empty() && respects(New, Orders);
  if (isl_ctx_last_error(Ctx) != isl_error_none)
    Result.Note = "the search for blocks exceeded its limit";
  else if (IsRight)
    Result.Schedule = New;
  else if (Own.Made.empty())
    Result.Note = Own.Why.empty() ? "no nests follow each other" : Own.Why;
  else
    Result.Note = "the blocks do not respect the dependences";
  if (!Own.Unused.empty())
    Result.Note += "; " + Own.Unused;
  return Result;
}

} // namespace specrt
