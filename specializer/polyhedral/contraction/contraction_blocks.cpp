//===- specializer/polyhedral/contraction/contraction_blocks.cpp - parts of schedules -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/contraction/contraction_blocks.h"
#include "polly/ScopInfo.h"
#include "specializer/polyhedral/contraction/regular_part.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "llvm/Support/MathExtras.h"
#include "isl/schedule_node.h"
#include <algorithm>
#include <optional>

using namespace llvm;

namespace specrt {
namespace {

/// Returns the extents of all coordinates of \p Block.
SmallVector<int64_t, 4> extents(const Contraction &C, const isl::set &Block) {
  isl::set Image = Block.apply(isl::map::from_multi_aff(C.coordinates()));
  SmallVector<int64_t, 4> Result;
  for (unsigned D = 0; D < C.numDims(); ++D)
    Result.push_back(extent(Image, D));
  return Result;
}

/// Returns whether \p Coordinate is a function of \p Prefix.
bool isFixed(const isl::aff &Coordinate, const isl::set &Domain,
             const isl::multi_union_pw_aff &Prefix) {
  if (count(Prefix.dim(isl::dim::out)) == 0)
    return false;
  isl::union_map Before = isl::manage(isl_union_map_from_multi_union_pw_aff(Prefix.copy()));
  Before = Before.intersect_domain(isl::union_set(Domain));
  isl::union_map Value(isl::map::from_aff(Coordinate));
  return Before.reverse().apply_range(Value).is_single_valued().is_true();
}

/// Returns the most values that \p Coordinate has for one value of \p Outside; nothing if isl
/// cannot tell.
std::optional<int64_t> valuesInside(const isl::aff &Coordinate, const isl::set &Block,
                                    const isl::multi_union_pw_aff &Outside) {
  isl::union_map Before = isl::manage(isl_union_map_from_multi_union_pw_aff(Outside.copy()));
  Before = Before.intersect_domain(isl::union_set(Block));
  const isl::union_map Values =
      Before.reverse().apply_range(onBlock(Coordinate, Block).as_union_map());
  const isl::union_set Distances = Values.reverse().apply_range(Values).deltas();
  if (!Distances.is_empty().is_false())
    return std::nullopt;
  const std::optional<int64_t> Most = integer(isl::set(Distances).dim_max_val(0));
  return Most ? std::optional(*Most + 1) : std::nullopt;
}

/// Returns pieces for all workers of what \p Block has for one value of \p Outside. Where they
/// differ in size there are two for each, the largest first: of a triangle every worker gets a
/// large one and a small one, and the fewer pieces there are, the fewer times an operand is packed.
isl::union_pw_aff pieceOf(const Contraction &C, const isl::set &Block,
                          const isl::multi_union_pw_aff &Outside, unsigned Threads) {
  unsigned Dim = C.Row >= 0 ? unsigned(C.Row) : C.Column;
  isl::set Image = Block.apply(isl::map::from_multi_aff(C.coordinates()));
  std::optional<IntegerRange> Range = rangeOf(Image, Dim);
  if (!Range)
    return {};
  bool IsBox = isl::manage(isl_set_is_box(Image.get())).is_true();
  long Pieces = long(Threads) * (IsBox ? 1 : 2);
  int64_t NumValues = Range->size();
  if (count(Outside.dim(isl::dim::out)) > 0)
    NumValues = valuesInside(C.coordinate(Dim), Block, Outside).value_or(NumValues);
  long Size = std::max<long>(8, long(divideCeil(uint64_t(NumValues), uint64_t(Pieces))));
  isl::union_pw_aff Piece = tileOf(onBlock(C.coordinate(Dim), Block), Size);
  auto NumColumns = [&](int64_t Row) { return extent(fixed(Image, Dim, Row), C.Column); };
  bool Grows = !IsBox && NumColumns(Range->First) < NumColumns(Range->Last);
  return Grows ? isl::manage(isl_union_pw_aff_neg(Piece.release())) : Piece;
}

} // namespace

std::vector<Contraction> contractionsIn(polly::Scop &S, const isl::union_set &Domain,
                                        const isl::multi_union_pw_aff &Prefix) {
  std::vector<Contraction> Found;
  for (polly::ScopStmt &Stmt : S) {
    if (!Domain.intersect(isl::union_set(Stmt.getDomain())).is_empty().is_false())
      continue;
    std::optional<Contraction> C = recognizeContraction(Stmt, [&](const isl::aff &Coordinate) {
      return isFixed(Coordinate, Stmt.getDomain(), Prefix);
    });
    if (!C)
      continue;
    auto Rank = [](const Contraction &X) { return std::pair(X.Row >= 0, X.numDims()); };
    if (!Found.empty() && Rank(*C) != Rank(Found.front())) {
      if (Rank(*C) < Rank(Found.front()))
        continue;
      Found.clear();
    }
    Found.push_back(std::move(*C));
  }
  return Found;
}

bool isWholeBlock(const Contraction &C, const isl::union_set &Domain,
                  const isl::multi_union_pw_aff &Prefix, const isl::union_map &Validity) {
  const isl::set Own = C.Stmt->getDomain();
  const isl::union_set All(Own);
  if (!Domain.is_equal(All).is_true())
    return false;
  const isl::union_map Inside = atSame(Prefix, Validity.intersect_domain(All).intersect_range(All));
  if (!Inside.subtract(isl::union_map(C.alongReduction())).is_empty().is_true())
    return false;
  const isl::set Lifted = Own.apply(isl::map::from_multi_aff(C.coordinates()));
  const isl::set Regular = regularPart(C, Lifted, /*NumTiles=*/0);
  return !Regular.is_null() && Regular.is_equal(Lifted).is_true();
}

isl::pw_aff onStatement(const isl::union_pw_aff &Member, const isl::set &Domain) {
  isl_space *Space = isl_space_from_domain(Domain.get_space().release());
  return isl::manage(
      isl_union_pw_aff_extract_pw_aff(Member.get(), isl_space_add_dims(Space, isl_dim_out, 1)));
}

std::optional<unsigned> memberFor(const isl::multi_union_pw_aff &Members, const Contraction &C,
                                  int Dim) {
  if (Dim < 0)
    return std::nullopt;
  isl::pw_aff Wanted(C.coordinate(unsigned(Dim)));
  for (unsigned M = 0, E = count(Members.dim(isl::dim::out)); M < E; ++M) {
    isl::pw_aff Own = onStatement(Members.get_at(int(M)), C.Stmt->getDomain());
    if (!Own.is_null() && Own.is_equal(Wanted).is_true())
      return M;
  }
  return std::nullopt;
}

isl::union_pw_aff onBlock(const isl::aff &Coordinate, const isl::set &Block) {
  return isl::union_pw_aff(isl::pw_aff(Coordinate).intersect_domain(Block));
}

isl::schedule_node insertBlock(isl::schedule_node Node, const Contraction &C, const isl::set &Block,
                               unsigned Threads, ContractionMarks &Marks) {
  auto Marked = std::make_unique<MarkedContraction>();
  Marked->Statement = C;
  SmallVector<int64_t, 4> Extents = extents(C, Block);
  isl::multi_union_pw_aff Outside = Node.get_prefix_schedule_multi_union_pw_aff();
  Marked->MaxColumns = Extents[C.Column];
  Marked->MaxReduced = Extents[C.Reduced];
  Marked->MaxRows = C.Row < 0 ? 1 : Extents[unsigned(C.Row)];

  auto Insert = [&](const isl::union_pw_aff &Member) {
    Node = Node.insert_partial_schedule(isl::multi_union_pw_aff(Member));
  };
  auto InsertDim = [&](unsigned Dim) { Insert(onBlock(C.coordinate(Dim), Block)); };
  // From the inside out: every insertion becomes the parent of the previous one.
  InsertDim(C.Reduced);
  InsertDim(C.Column);
  if (C.Row >= 0)
    InsertDim(unsigned(C.Row));
  Node = insertMark(Node, ContractionMark, Marked.get());
  bool HasFree = false;
  // Further reduced dimensions are inside of further free ones.
  for (bool Free : {false, true})
    for (unsigned D = C.numDims(); D-- > 0;)
      if (D != C.Column && D != C.Reduced && int(D) != C.Row && (C.Result.PerDim[D] != 0) == Free) {
        InsertDim(D);
        HasFree |= Free && !isFixed(C.coordinate(D), Block, Outside);
      }
  // Adds a loop over pieces if there is no parallel loop.
  if (Threads > 1 && !HasFree)
    if (isl::union_pw_aff Piece = pieceOf(C, Block, Outside, Threads); !Piece.is_null())
      Insert(Piece);
  Marks.push_back(std::move(Marked));
  return Node;
}

} // namespace specrt
