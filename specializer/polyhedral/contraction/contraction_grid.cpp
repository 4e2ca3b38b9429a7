//===- specializer/polyhedral/contraction/contraction_grid.cpp - grids of contraction tiles -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/contraction/contraction_grid.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "specializer/polyhedral/contraction/regular_part.h"
#include "specializer/polyhedral/schedule/legality.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "isl/ctx.h"
#include "isl/schedule_node.h"
#include <algorithm>

using namespace llvm;

namespace specrt {
namespace {

/// Minimal number of rows and columns of a tile.
constexpr long MinTile = 48;

/// Returns the width of tiles for \p Extent rows. A larger width leaves more iterations outside of
/// blocks, but lets a block do more work per packed element.
long tileWidth(int64_t Extent) {
  constexpr long NumWanted = 20, Multiple = 16, Most = 96;
  return std::clamp(long(Extent) / NumWanted / Multiple * Multiple, MinTile, Most);
}

/// Returns whether no pair of \p Pairs goes backwards along \p Member.
bool isForward(const isl::union_map &Pairs, const isl::union_pw_aff &Member) {
  isl::union_map Back = isl::manage(isl_union_map_lex_gt_at_multi_union_pw_aff(
      Pairs.copy(), isl::multi_union_pw_aff(Member).release()));
  return Back.is_empty().is_true();
}

/// Returns the loop inside of \p Band after which nothing follows, or null. Statements before it
/// must not be loops.
isl::schedule_node loopInside(const isl::schedule_node &Band) {
  isl::schedule_node Node = belowMarks(Band.first_child());
  if (!Node.isa<isl::schedule_node_sequence>().is_true())
    return isLoop(Node) ? Node : isl::schedule_node();
  int Last = int(count(Node.n_children())) - 1;
  for (int I = 0; I < Last; ++I)
    if (!Node.child(I).first_child().isa<isl::schedule_node_leaf>().is_true())
      return {};
  Node = belowMarks(Node.child(Last).first_child());
  return isLoop(Node) ? Node : isl::schedule_node();
}

/// Cuts two nested loops of the source.
class Grid {
public:
  Grid(polly::Scop &S, const isl::union_map &Validity, const Contraction &C,
       const isl::schedule_node &Outer, const isl::schedule_node &Inner)
      : S(S), C(C), Outer(Outer), Inner(Inner), Own(C.Stmt->getDomain()), All(Inner.get_domain()),
        Here(atSame(Outer.get_prefix_schedule_multi_union_pw_aff(),
                    Validity.intersect_domain(All).intersect_range(All))) {}

  /// Finds the loops of rows and columns.
  bool findRows() {
    if (C.Row < 0)
      return false;
    Rows = loopAlong(unsigned(C.Row), Here);
    if (!Rows.is_null())
      Columns = loopAlong(C.Column, atSame(isl::multi_union_pw_aff(Rows), Here));
    return !Columns.is_null();
  }

  /// Chooses tiles and blocks if columns may be cut.
  bool findBlocks() {
    if (!isForward(Here, Columns))
      return false;
    int64_t NumRows = extent(Own.apply(isl::map::from_multi_aff(C.coordinates())), unsigned(C.Row));
    TileSize = tileWidth(NumRows);
    findBlock();
    return Block.is_empty().is_false();
  }

  /// Inserts tiles if there are blocks, otherwise orders everything by rows.
  isl::schedule_node insert(const TilingTarget &Target, ContractionMarks &Marks) const;

private:
  isl::union_pw_aff loopAlong(unsigned Dim, const isl::union_map &Pairs) const;
  void findBlock();
  isl::union_set_list beforeInner() const;
  isl::schedule_node insertRow(isl::schedule_node Node, const isl::union_set &Rest) const;
  isl::schedule_node insertTiles(isl::schedule_node Node, const TilingTarget &Target,
                                 ContractionMarks &Marks) const;

  polly::Scop &S;
  const Contraction &C;
  isl::schedule_node Outer, Inner;
  isl::set Own;                    ///< iterations of the contraction
  isl::union_set All;              ///< iterations of all statements in both loops
  isl::union_map Here;             ///< pairs in the same iteration of the loops around
  isl::union_pw_aff Rows, Columns; ///< of all statements
  long TileSize = MinTile;
  isl::set Block; ///< block of the contraction; null: none
};

/// Returns one of the two loops, or their sum or difference, that equals dimension \p Dim of the
/// contraction or its negative, and along which no pair of \p Pairs goes backwards; null if there
/// is none.
isl::union_pw_aff Grid::loopAlong(unsigned Dim, const isl::union_map &Pairs) const {
  isl::pw_aff Wanted = isl::pw_aff(C.coordinate(Dim)).intersect_domain(Own);
  isl::union_pw_aff First = loopOf(Outer), Second = loopOf(Inner);
  isl::union_pw_aff Sums[] = {First, Second, Second.sub(First), Second.add(First)};
  for (isl::union_pw_aff Candidate : Sums) {
    isl::pw_aff Found = onStatement(Candidate, Own).intersect_domain(Own);
    if (!Found.is_equal(Wanted).is_true() && !Found.is_equal(Wanted.neg()).is_true())
      continue;
    if (isForward(Pairs, Candidate))
      return Candidate;
    Candidate = isl::manage(isl_union_pw_aff_neg(Candidate.release()));
    if (isForward(Pairs, Candidate))
      return Candidate;
  }
  return {};
}

/// Finds the block: the iterations that depend on nothing in their tile.
void Grid::findBlock() {
  // { S[x] -> [row of tiles, column of tiles] }, and for the contraction with y behind it: what
  // separates tiles are planes there.
  isl::union_map Tile = tileOf(Rows, TileSize)
                            .as_union_map()
                            .flat_range_product(tileOf(Columns, TileSize).as_union_map());
  isl::map Lift = isl::map::from_union_map(Tile.intersect_domain(isl::union_set(Own)))
                      .flat_range_product(isl::map::from_multi_aff(C.coordinates()));
  isl::union_map Pairs =
      Here.intersect_range(isl::union_set(Own)).subtract(isl::union_map(C.alongReduction()));
  isl::union_map Lifted = Pairs.apply_domain(Tile).apply_range(isl::union_map(Lift));
  if (!Lifted.is_empty().is_false())
    return;
  isl::map SameTile = isl::map::from_union_map(Lifted);
  for (unsigned T : {0, 1})
    SameTile = equate(SameTile, unsigned(T), unsigned(T));
  isl::set Independent = reducedPartWithout(C, Own.apply(Lift), SameTile.range(), 2);
  if (isl::set Regular = regularPart(C, Independent, 2); !Regular.is_null())
    Block = Regular.apply(Lift.reverse()).intersect(Own).coalesce();
}

/// Inserts one row of a tile: once a column is complete, all columns to the right use its value.
isl::schedule_node Grid::insertRow(isl::schedule_node Node, const isl::union_set &Rest) const {
  isl::union_set Updates = Rest.intersect(isl::union_set(Own));
  isl::union_set_list Parts(Node.ctx(), 4);
  for (polly::ScopStmt &Stmt : S)
    if (&Stmt != C.Stmt)
      if (isl::union_set Other = Rest.intersect(isl::union_set(Stmt.getDomain()));
          Other.is_empty().is_false())
        Parts = Parts.add(Other);
  // Goes in the direction of the columns.
  isl::aff Reduced = C.coordinate(C.Reduced);
  isl::pw_aff Column = isl::pw_aff(C.coordinate(C.Column)).intersect_domain(Own);
  bool IsForward = onStatement(Columns, Own).intersect_domain(Own).is_equal(Column).is_true();
  isl::union_pw_aff Step = onBlock(IsForward ? Reduced : Reduced.neg(), Own)
                               .union_add(Columns.intersect_domain(Rest.subtract(Updates)));
  int NumOthers = int(count(Parts.size()));
  Node = Node.insert_sequence(Parts.add(Updates)).child(NumOthers).first_child();
  Node = Node.insert_partial_schedule(isl::multi_union_pw_aff(Columns.intersect_domain(Updates)));
  Node = Node.parent().parent();
  return Node.insert_partial_schedule(isl::multi_union_pw_aff(Step.intersect_domain(Rest)));
}

isl::schedule_node Grid::insertTiles(isl::schedule_node Node, const TilingTarget &Target,
                                     ContractionMarks &Marks) const {
  isl::union_set Rest = All.subtract(isl::union_set(Block)).coalesce();
  isl::union_set_list Parts(Node.ctx(), 2);
  Node = Node.insert_sequence(Parts.add(isl::union_set(Block)).add(Rest));
  Node = insertBlock(Node.child(0).first_child(), C, Block, /*Threads=*/1, Marks).ancestor(2);
  Node = insertRow(Node.child(1).first_child(), Rest);
  Node = Node.insert_partial_schedule(isl::multi_union_pw_aff(Rows.intersect_domain(Rest)));
  Node = insertMark(Node, SequentialMark, nullptr).ancestor(2);
  isl::union_pw_aff RowTile = tileOf(Rows, TileSize), ColumnTile = tileOf(Columns, TileSize);
  Node = Node.insert_partial_schedule(isl::multi_union_pw_aff(ColumnTile));
  // Tiles on a diagonal are independent.
  return Node.insert_partial_schedule(
      isl::multi_union_pw_aff(Target.Threads > 1 ? RowTile.add(ColumnTile) : RowTile));
}

/// Returns the statements that are only in the outer loop, such as values common to a row.
isl::union_set_list Grid::beforeInner() const {
  isl::union_set Before = Outer.get_domain().subtract(All);
  isl::union_set_list Parts(Outer.ctx(), 4);
  for (polly::ScopStmt &Stmt : S)
    if (isl::union_set Own = Before.intersect(isl::union_set(Stmt.getDomain()));
        Own.is_empty().is_false())
      Parts = Parts.add(Own);
  return Parts;
}

isl::schedule_node Grid::insert(const TilingTarget &Target, ContractionMarks &Marks) const {
  isl::schedule_node Node = isl::manage(isl_schedule_node_cut(Outer.copy()));
  isl::union_set_list Parts = beforeInner();
  int NumBefore = int(count(Parts.size()));
  if (NumBefore > 0)
    Node = Node.insert_sequence(Parts.add(All)).child(NumBefore).first_child();
  Node = Block.is_null() ? insertRow(Node, All) : insertTiles(Node, Target, Marks);
  if (NumBefore > 0)
    Node = Node.ancestor(2);
  isl::union_pw_aff OwnRows = loopOf(Outer);
  if (Block.is_null())
    return Node.insert_partial_schedule(isl::multi_union_pw_aff(
        OwnRows.subtract_domain(All).union_add(Rows.intersect_domain(All))));
  // Before the tiles, for all rows.
  for (int I = 0; I < NumBefore; ++I) {
    Node = Node.child(I).first_child();
    Node = Node.insert_partial_schedule(
        isl::multi_union_pw_aff(OwnRows.intersect_domain(Node.get_domain())));
    Node = Node.ancestor(2);
  }
  return Node;
}

/// The form of the outermost suitable loops.
enum class Form { Tiles, Rows };

isl::schedule_node visit(polly::Scop &S, isl::schedule_node Node, const isl::union_map &Validity,
                         Form Wanted, const TilingTarget &Target, ContractionMarks &Marks,
                         bool &Changed) {
  if (isLoop(Node))
    if (isl::schedule_node Inner = loopInside(Node); !Inner.is_null()) {
      std::vector<Contraction> Contractions =
          contractionsIn(S, Node.get_domain(), Node.get_prefix_schedule_multi_union_pw_aff());
      if (Contractions.size() == 1)
        if (Grid Own(S, Validity, Contractions.front(), Node, Inner);
            Own.findRows() && (Wanted == Form::Rows || Own.findBlocks())) {
          Changed = true;
          return Own.insert(Target, Marks);
        }
    }
  for (unsigned I = 0, E = count(Node.n_children()); I < E; ++I)
    Node = visit(S, Node.child(int(I)), Validity, Wanted, Target, Marks, Changed).parent();
  return Node;
}

isl::schedule schedule(polly::Scop &S, const isl::union_map &Validity, Form Wanted,
                       const TilingTarget &Target, ContractionMarks &Marks) {
  bool Changed = false;
  isl::schedule_node Root =
      visit(S, S.getScheduleTree().get_root(), Validity, Wanted, Target, Marks, Changed);
  return !Changed || Root.is_null() ? isl::schedule() : Root.get_schedule();
}

} // namespace

isl::schedule scheduleGrid(polly::Scop &S, const isl::union_map &Validity,
                           const TilingTarget &Target, ContractionMarks &Marks) {
  return schedule(S, Validity, Form::Tiles, Target, Marks);
}

isl::schedule scheduleRows(polly::Scop &S, const isl::union_map &Validity,
                           unsigned long MaxOperations) {
  isl_ctx *Ctx = S.getIslCtx().get();
  isl_ctx_reset_error(Ctx);
  polly::IslMaxOperationsGuard Limit(Ctx, MaxOperations);
  ContractionMarks None;
  isl::schedule Rows = schedule(S, Validity, Form::Rows, {}, None);
  return respects(Rows, Validity) && isl_ctx_last_error(Ctx) == isl_error_none ? Rows
                                                                               : isl::schedule();
}

} // namespace specrt
