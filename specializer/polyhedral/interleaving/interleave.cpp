//===- specializer/polyhedral/interleaving/interleave.cpp - several nests in turn ------===//
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

/// Does a loop begin below the filter \p Child of a sequence?
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
              ArrayNames Names)
      : S(S), Orders(Orders), Target(Target), Names(Names),
        Given(placesOfPipeline(S.getFunction())) {}

  /// Outermost sequences first: what was interleaved is not entered.
  isl::schedule_node visit(isl::schedule_node Node);

  std::string Made; ///< describes what was interleaved; "": nothing was
  std::string Why;  ///< or why not
  bool IsPossible = false;
  ContractionMarks Marks;

private:
  std::optional<Run> findRun(const isl::schedule_node &Sequence);
  bool place(Run &Of, unsigned Depth, const isl::union_map &Inside) const;
  bool refuseGiven(const Run &Of, const isl::union_map &Inside);
  bool plan(Run &Of, const isl::schedule_node &Sequence);
  isl::schedule_node useKernel(const isl::schedule_node &Node);
  isl::schedule_node interleave(isl::schedule_node Sequence, const Run &Of);
  void describe(const Run &Of);

  polly::Scop &S;
  const isl::union_map &Orders;
  const TilingTarget &Target;
  ArrayNames Names;
  SmallVector<GivenPositions> Given; ///< empty: nothing is given
};

/// Returns the nest below the filter \p Child of a sequence, with loops that contain all of it.
PlacedNest nestBelow(const isl::schedule_node &Child) {
  // A filter's own domain is that of the sequence.
  PlacedNest Nest{Child.child(0).get_domain(), {}};
  for (isl::schedule_node Node = belowMarks(Child.child(0)); isLoop(Node);
       Node = belowMarks(Node.child(0)))
    Nest.Loops.push_back(loopOf(Node));
  return Nest;
}

/// Places the loops at \p Depth, as the program says it or as close to each other as possible.
bool Interleaver::place(Run &Of, unsigned Depth, const isl::union_map &Inside) const {
  for (PlacedNest &Nest : Of.Nests)
    Nest.Positions.emplace_back();
  chooseGrains(Of.Nests, S, Depth);
  for (auto [Nest, Own] : zip(Of.Nests, ArrayRef(Given).drop_front(Given.empty() ? 0 : Of.First))) {
    LoopPosition &At = Nest.Positions[Depth];
    At.Grain = Own[Depth].Grain.value_or(At.Grain);
    At.Offset = Own[Depth].Offset.value_or(0);
    At.IsOffsetGiven = Own[Depth].Offset.has_value();
  }
  return placeNests(Of.Nests, Depth, Inside);
}

/// Are the offsets that the program gives too small? Then says for which pair of iterations.
bool Interleaver::refuseGiven(const Run &Of, const isl::union_map &Inside) {
  const auto IsGiven = [](const PlacedNest &Nest) {
    return any_of(Nest.Positions, [](const LoopPosition &At) { return At.IsOffsetGiven; });
  };
  if (none_of(Of.Nests, IsGiven))
    return false;
  const isl::union_map Backwards = violatedOrders(Of.Nests, Inside);
  if (Backwards.is_empty().is_true())
    return false;
  SmallVector<PlacedNest, 4> Legal = Of.Nests;
  for (PlacedNest &Nest : Legal)
    for (LoopPosition &At : Nest.Positions)
      At.IsOffsetGiven = false;
  Why = describeRefusal(Backwards, Of.Nests, Names);
  if (placeLexicographically(Legal, Inside))
    Why += "; the least legal offsets are " + textOfOffsets(Legal);
  return true;
}

/// Places the nests and chooses blocks. Returns false, with a note, if there are none that pay.
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
  const std::optional<TurnBlocks> Blocks = chooseBlocks(S, Of.Nests, Outer, Target, Why);
  if (Blocks)
    Of.Blocks = *Blocks;
  return Blocks.has_value();
}

/// Returns as many nests as can be interleaved, the first of those.
std::optional<Run> Interleaver::findRun(const isl::schedule_node &Sequence) {
  std::optional<Run> Best;
  const unsigned NumChildren = count(Sequence.n_children());
  if (Given.size() != NumChildren)
    Given.clear(); // LLVM has made other nests of those in the source
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

/// Makes a block of a contraction of the nest that begins at \p Node, if it is one.
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
    // What is before and after stays outside of the blocks.
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
  if (isSequence(Node))
    if (const std::optional<Run> Found = findRun(Node)) {
      describe(*Found);
      return interleave(Node, *Found);
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
                             const TilingTarget &Target, ArrayNames Names,
                             unsigned long MaxOperations) {
  isl_ctx *const Ctx = S.getIslCtx().get();
  isl_ctx_reset_error(Ctx);
  polly::IslMaxOperationsGuard Limit(Ctx, MaxOperations);
  Interleaver Own(S, Orders, Target, Names);
  const isl::schedule_node Root = Own.visit(S.getScheduleTree().get_root());
  Interleaving Result{{}, Own.Made, Own.IsPossible, std::move(Own.Marks)};
  if (Own.Made.empty() || Root.is_null()) {
    Result.Note = Own.Why.empty() ? "no nests follow each other" : Own.Why;
    return Result;
  }
  const isl::schedule New = Root.get_schedule();
  if (respects(New, Orders) && isl_ctx_last_error(Ctx) == isl_error_none)
    Result.Schedule = New;
  else
    Result.Note = "the blocks could not be checked against the dependences";
  return Result;
}

} // namespace specrt
