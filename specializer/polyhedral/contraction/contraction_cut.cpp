//===- specializer/polyhedral/contraction/contraction_cut.cpp - tiles with blocks -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/contraction/contraction_cut.h"
#include "polly/ScopInfo.h"
#include "specializer/polyhedral/contraction/regular_part.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include "isl/schedule_node.h"
#include <algorithm>
#include <optional>

using namespace llvm;

namespace specrt {
namespace {

/// Width of the tiles inside of outer ones: one or two vectors.
constexpr long InnerWidth = 8;
/// Outer and inner tiles.
constexpr unsigned MaxLevels = 2;
/// Rounds of moving dependent iterations out of a block.
constexpr unsigned MaxRounds = 4;
/// A cut needs at least one in MinShare iterations in its block.
constexpr long MinShare = 4;
/// Minimal number of columns of a piece for a worker.
constexpr int64_t MinPiece = 48;
/// Minimal iterations of a block per tile that justify a call.
constexpr long MinBlock = 512;

/// A set of iterations to cut, and the tiles around it that exist already.
struct Part {
  isl::union_set Set;
  isl::union_map Here; ///< pairs in the same tiles whose order is fixed
  /// { S[x] -> [t..., y] } for each contraction: its tiles and coordinates; null where a tile is no
  /// affine function.
  SmallVector<isl::map, 2> Lifts;
  unsigned NumTiles = 0;

  /// The iterations of one contraction.
  isl::set of(const Contraction &C) const {
    return Set.extract_set(C.Stmt->getDomain().get_space());
  }
};

/// One way to cut a part: tiles along one member of the band, and the block in each tile.
struct Cut {
  Part Tiles; ///< all iterations of the part, in the new tiles
  isl::union_set Block;
  bool BlockFirst;
  unsigned Member;
  long Size;
};

class Cutter {
public:
  Cutter(polly::Scop &S, const isl::union_map &Validity, const isl::schedule_node_band &Band,
         ArrayRef<Contraction> Contractions, unsigned Threads, ContractionMarks &Marks)
      : S(S), Validity(Validity), Band(Band), Members(Band.get_partial_schedule()),
        Contractions(Contractions),
        Column(memberFor(Members, Contractions.front(), int(Contractions.front().Column))),
        Threads(Threads), Marks(Marks) {
    Reduction = isl::union_map::empty(S.getIslCtx());
    for (const Contraction &C : Contractions)
      Reduction = Reduction.unite(isl::union_map(C.alongReduction()));
  }

  isl::schedule_node run();

private:
  unsigned numMembers() const { return count(Members.dim(isl::dim::out)); }
  isl::union_pw_aff member(unsigned M, const isl::union_set &Set) const {
    return Members.get_at(int(M)).intersect_domain(Set);
  }
  Part whole() const;
  Part inTiles(const Part &Of, unsigned M, long Size) const;
  isl::union_set regularParts(const Part &P) const;
  int64_t volumeOf(const Part &P, const isl::union_set &Set) const;
  std::optional<isl::union_set> separate(const Part &P, const isl::union_set &Regular,
                                         bool BlockFirst) const;
  int64_t extentOf(const isl::union_pw_aff &Member) const;
  std::optional<Cut> findCut(const Part &Of, ArrayRef<unsigned> Candidates) const;
  isl::union_pw_aff columnPieces() const;
  isl::schedule_node insert(isl::schedule_node Node, const Cut &Way);
  isl::schedule_node insertRest(isl::schedule_node Node, const Cut &Way,
                                const isl::union_set &Rest);
  isl::schedule_node insertLoops(isl::schedule_node Node, const isl::union_set &Set,
                                 unsigned First) const;

  polly::Scop &S;
  const isl::union_map &Validity;
  isl::schedule_node_band Band;
  isl::multi_union_pw_aff Members;
  ArrayRef<Contraction> Contractions;
  isl::union_map Reduction;       ///< pairs whose order the kernels keep
  std::optional<unsigned> Column; ///< the member along consecutive addresses
  unsigned Threads;
  ContractionMarks &Marks;
};

/// Returns the width of outer tiles for \p Extent iterations. In wider tiles a block does more work
/// per packed element and per result that it loads and stores, but leaves more to the inner tiles.
long outerWidth(int64_t Extent) {
  constexpr long NumWanted = 8, Multiple = 32, Most = 128;
  return std::clamp(long(divideCeilSigned(Extent, NumWanted * Multiple)) * Multiple, Multiple,
                    Most);
}

/// Returns { S[x] -> [t] }, or null if that is not one affine function.
isl::aff tileOn(const Contraction &C, const isl::union_pw_aff &Member, long Size) {
  isl::pw_aff Own = onStatement(Member, C.Stmt->getDomain());
  if (Own.is_null() || count(Own.n_piece()) != 1)
    return {};
  isl::val Divisor(Own.ctx(), Size);
  return isl::manage(
      isl_aff_floor(isl_aff_scale_down_val(Own.as_aff().release(), Divisor.release())));
}

Part Cutter::whole() const {
  Part All;
  All.Set = Band.get_domain();
  All.Here = atSame(Band.get_prefix_schedule_multi_union_pw_aff(),
                    Validity.intersect_domain(All.Set).intersect_range(All.Set));
  for (const Contraction &C : Contractions)
    All.Lifts.push_back(isl::map::from_multi_aff(C.coordinates()));
  return All;
}

/// Returns \p Of tiled along member \p M.
Part Cutter::inTiles(const Part &Of, unsigned M, long Size) const {
  Part Result = Of;
  Result.Here = atSame(isl::multi_union_pw_aff(tileOf(member(M, Of.Set), Size)), Of.Here);
  Result.NumTiles = Of.NumTiles + 1;
  for (auto [C, Lift] : zip(Contractions, Result.Lifts)) {
    isl::aff Own = Lift.is_null() ? isl::aff() : tileOn(C, Members.get_at(int(M)), Size);
    Lift = Own.is_null() ? isl::map() : isl::map::from_aff(Own).flat_range_product(Lift);
  }
  return Result;
}

/// Returns, for each contraction, the part in which all results of a tile have the same k.
isl::union_set Cutter::regularParts(const Part &P) const {
  isl::union_set Regular = isl::union_set::empty(S.getIslCtx());
  for (auto [C, Lift] : zip(Contractions, P.Lifts)) {
    if (Lift.is_null())
      continue;
    isl::set Own = P.of(C);
    if (isl::set Lifted = regularPart(C, Own.apply(Lift), P.NumTiles); !Lifted.is_null())
      Regular = Regular.unite(isl::union_set(Lifted.apply(Lift.reverse()).intersect(Own)));
  }
  return Regular.coalesce();
}

/// Returns the iterations per tile of all contractions in \p Set.
int64_t Cutter::volumeOf(const Part &P, const isl::union_set &Set) const {
  int64_t Volume = 0;
  for (auto [C, Lift] : zip(Contractions, P.Lifts))
    if (!Lift.is_null())
      Volume += volume(Set.extract_set(C.Stmt->getDomain().get_space()).apply(Lift), P.NumTiles);
  return Volume;
}

/// Moves iterations out of \p Regular until the rest can run as the last (first) part of its tile;
/// returns nothing if that does not terminate or leaves too little.
std::optional<isl::union_set> Cutter::separate(const Part &P, const isl::union_set &Regular,
                                               bool BlockFirst) const {
  isl::union_set Block = Regular;
  for (unsigned Round = 0; Round < MaxRounds; ++Round) {
    isl::union_set Rest = P.Set.subtract(Block);
    isl::union_map Inner =
        P.Here.intersect_domain(Block).intersect_range(Block).subtract(Reduction);
    isl::union_set Moved =
        BlockFirst
            ? P.Here.intersect_domain(Rest).intersect_range(Block).range().unite(Inner.range())
            : P.Here.intersect_domain(Block).intersect_range(Rest).domain().unite(Inner.domain());
    isl::boolean Stable = Moved.is_empty();
    if (Stable.is_true())
      return Block.coalesce();
    Block = Block.subtract(Moved).coalesce();
    if (Stable.is_error() || !Block.is_empty().is_false())
      return std::nullopt;
  }
  return std::nullopt;
}

/// Returns the number of values of \p Member, 0 if unknown.
int64_t Cutter::extentOf(const isl::union_pw_aff &Member) const {
  isl::union_map Values = Member.as_union_map();
  isl::union_set Image = Values.range();
  return Image.isa_set().is_true() ? extent(isl::set(Image), 0) : 0;
}

/// Returns the cut with the largest blocks along one of the members \p Candidates.
std::optional<Cut> Cutter::findCut(const Part &Of, ArrayRef<unsigned> Candidates) const {
  std::optional<Cut> Best;
  int64_t BestSize = 0;
  for (unsigned M : Candidates) {
    long Size = Of.NumTiles > 0 ? InnerWidth : outerWidth(extentOf(member(M, Of.Set)));
    Part Tiles = inTiles(Of, M, Size);
    isl::union_set Regular = regularParts(Tiles);
    if (!Regular.is_empty().is_false())
      continue;
    int64_t Total = volumeOf(Tiles, Of.Set);
    for (bool BlockFirst : {false, true}) {
      std::optional<isl::union_set> Block = separate(Tiles, Regular, BlockFirst);
      if (!Block)
        continue;
      // The larger the blocks are, the more of the work kernels execute.
      int64_t InBlock = volumeOf(Tiles, *Block);
      if (InBlock >= MinBlock && InBlock * MinShare >= Total && InBlock > BestSize) {
        Best = Cut{Tiles, *Block, BlockFirst, M, Size};
        BestSize = InBlock;
      }
    }
  }
  return Best;
}

/// Returns pieces of the band for all workers along its column if no dependence crosses columns:
/// then one parallel loop is around all tiles, and each worker packs only what it needs. Otherwise
/// null.
isl::union_pw_aff Cutter::columnPieces() const {
  if (Threads <= 1)
    return {};
  Part All = whole();
  isl::union_pw_aff Member = member(*Column, All.Set);
  if (!All.Here.subtract(atSame(isl::multi_union_pw_aff(Member), All.Here)).is_empty().is_true())
    return {};
  int64_t Extent = extentOf(Member);
  constexpr uint64_t Alignment = 8;
  uint64_t Share = divideCeil(uint64_t(std::max<int64_t>(Extent, 0)), Threads);
  int64_t Size = std::max<int64_t>(MinPiece, int64_t(alignTo(Share, Alignment)));
  return Extent > Size ? tileOf(Member, long(Size)) : isl::union_pw_aff();
}

/// Inserts loops over \p Set in the order of the band, with member \p First first and the one that
/// moves along memory last.
isl::schedule_node Cutter::insertLoops(isl::schedule_node Node, const isl::union_set &Set,
                                       unsigned First) const {
  SmallVector<unsigned, 4> Order = {First};
  for (bool IsColumn : {false, true})
    for (unsigned M = 0, E = numMembers(); M < E; ++M)
      if (M != First && (Column == M) == IsColumn)
        Order.push_back(M);
  for (unsigned M : reverse(Order))
    Node = Node.insert_partial_schedule(isl::multi_union_pw_aff(member(M, Set)));
  return insertMark(Node, SequentialMark, nullptr);
}

/// Inserts the rest of a tile, in narrower tiles if that gives blocks.
isl::schedule_node Cutter::insertRest(isl::schedule_node Node, const Cut &Way,
                                      const isl::union_set &Rest) {
  Part Left = Way.Tiles;
  Left.Set = Rest;
  Left.Here = Left.Here.intersect_domain(Rest).intersect_range(Rest);
  std::optional<Cut> Next;
  if (Left.NumTiles < MaxLevels)
    Next = findCut(Left, Way.Member);
  return Next ? insert(Node, *Next) : insertLoops(Node, Rest, Way.Member);
}

/// Inserts tiles according to \p Way above \p Node.
isl::schedule_node Cutter::insert(isl::schedule_node Node, const Cut &Way) {
  isl::union_set Rest = Way.Tiles.Set.subtract(Way.Block).coalesce();
  isl::union_pw_aff Tile = tileOf(member(Way.Member, Way.Tiles.Set), Way.Size);
  Node = Node.insert_partial_schedule(isl::multi_union_pw_aff(Tile)).first_child();
  SmallVector<std::pair<const Contraction *, isl::set>, 2> Blocks;
  isl::union_set_list Parts(Node.ctx(), 2);
  if (!Way.BlockFirst)
    Parts = Parts.add(Rest);
  for (const Contraction &C : Contractions) {
    isl::set Block = Way.Block.extract_set(C.Stmt->getDomain().get_space());
    if (!Block.is_empty().is_false())
      continue;
    Blocks.push_back({&C, Block});
    Parts = Parts.add(isl::union_set(Block));
  }
  if (Way.BlockFirst)
    Parts = Parts.add(Rest);
  Node = Node.insert_sequence(Parts);
  int RestAt = Way.BlockFirst ? int(Blocks.size()) : 0;
  Node = insertRest(Node.child(RestAt).first_child(), Way, Rest).ancestor(2);
  for (unsigned I = 0; I < Blocks.size(); ++I) {
    const Contraction &C = *Blocks[I].first;
    isl::schedule_node Leaf = Node.child(int(I) + (Way.BlockFirst ? 0 : 1)).first_child();
    // A single statement does not need the sequences below the band.
    Leaf = isl::manage(isl_schedule_node_cut(Leaf.release()));
    Node = insertBlock(Leaf, C, Blocks[I].second, Threads, Marks).ancestor(2);
    if (memberFor(Members, C, int(C.Column)) == Way.Member)
      Marks.back()->MaxColumns = std::min<int64_t>(Marks.back()->MaxColumns, Way.Size);
    if (memberFor(Members, C, C.Row) == Way.Member)
      Marks.back()->MaxRows = std::min<int64_t>(Marks.back()->MaxRows, Way.Size);
  }
  return Node.parent();
}

isl::schedule_node Cutter::run() {
  std::optional<Cut> Way = findCut(whole(), to_vector(seq(numMembers())));
  if (!Way)
    return {};
  isl::union_pw_aff Pieces;
  if (Column && *Column != Way->Member)
    Pieces = columnPieces();
  // The loop over pieces already occupies all workers.
  if (!Pieces.is_null())
    Threads = 1;
  isl::schedule_node Node = isl::manage(isl_schedule_node_delete(Band.copy()));
  Node = insert(Node, *Way);
  if (!Pieces.is_null())
    Node = Node.insert_partial_schedule(isl::multi_union_pw_aff(Pieces));
  return Node;
}

} // namespace

isl::schedule_node cutIntoTiles(polly::Scop &S, const isl::union_map &Validity,
                                const isl::schedule_node_band &Band,
                                ArrayRef<Contraction> Contractions, unsigned Threads,
                                ContractionMarks &Marks) {
  return Cutter(S, Validity, Band, Contractions, Threads, Marks).run();
}

} // namespace specrt
