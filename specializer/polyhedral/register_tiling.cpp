//===- specializer/polyhedral/register_tiling.cpp - schedules for contraction-shaped bands
//------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "specializer/polyhedral/register_tiling.h"
#include "polly/DependenceInfo.h"
#include "polly/ScheduleTreeTransform.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "polly/Support/ISLTools.h"
#include "llvm/ADT/SmallVector.h"
#include "isl/options.h"
#include "isl/schedule.h"
#include <algorithm>
#include <optional>

using namespace llvm;

namespace specrt {
namespace {

/// isl operations granted to one Scop: about a second; a nest with constant sizes needs a tenth.
constexpr unsigned long MaxTilingOperations = 3'000'000;

/// How far the address of one access moves when one band member advances by one.
enum class Stride { Zero, One, Other };

/// The roles of a contraction band's members, as member numbers.
struct BandRoles {
  unsigned Vector;                  ///< consecutive in memory for the results
  unsigned Register;                ///< results differ, some operand does not
  SmallVector<unsigned, 2> Reduced; ///< the results do not depend on these
  SmallVector<unsigned, 2> Outer;   ///< the rest, kept as plain outer loops
  unsigned ElementBytes;
};

/// { [t] -> [t'] : t' = t, except t'[Dim] = t[Dim] + 1 }
isl::map advance(isl::space Space, unsigned Dim) {
  isl::map Step = isl::map::universe(Space.map_from_set());
  for (unsigned D : polly::rangeIslSize(0, Space.dim(isl::dim::set))) {
    isl::local_space LS = isl::local_space(Step.get_space());
    isl::constraint C = isl::constraint::alloc_equality(LS);
    C = C.set_coefficient_si(isl::dim::in, D, 1);
    C = C.set_coefficient_si(isl::dim::out, D, -1);
    C = C.set_constant_si(D == Dim ? 1 : 0);
    Step = Step.add_constraint(C);
  }
  return Step;
}

/// \p Access is { [t] -> A[a] } over the whole prefix schedule.
Stride strideAlong(const isl::map &Access, unsigned Dim) {
  isl::map Step = advance(Access.get_space().domain(), Dim);
  // { A[a] -> A[a'] } for neighbouring iterations; one difference vector means a constant stride.
  isl::set Deltas = Access.reverse().apply_range(Step).apply_range(Access).deltas();
  if (Deltas.is_null() || Deltas.is_empty() || !Deltas.is_singleton())
    return Stride::Other;
  isl::point Delta = Deltas.sample_point();
  unsigned NumDims = unsignedFromIslSize(Deltas.tuple_dim());
  bool LastIsOne = false;
  for (unsigned D = 0; D < NumDims; ++D) {
    isl::val V = Delta.get_coordinate_val(isl::dim::set, D);
    if (V.is_zero())
      continue;
    if (D + 1 != NumDims || !V.is_one())
      return Stride::Other;
    LastIsOne = true;
  }
  return LastIsOne ? Stride::One : Stride::Zero;
}

/// Largest number of iterations along a member, or nothing when it is not bounded by constants.
std::optional<long> extent(const isl::set &Range, unsigned Dim) {
  isl::val Low = Range.dim_min_val(Dim), High = Range.dim_max_val(Dim);
  if (Low.is_null() || High.is_null() || !Low.is_int() || !High.is_int())
    return std::nullopt;
  return High.get_num_si() - Low.get_num_si() + 1;
}

/// Looks at one permutable band that encloses a single statement and nothing else.
class ContractionBand {
public:
  ContractionBand(polly::Scop &S, isl::schedule_node_band Band) : Band(Band) {
    isl::union_set Domain = Band.get_domain();
    for (polly::ScopStmt &Candidate : S) {
      if (Domain.intersect(isl::union_set(Candidate.getDomain())).is_empty())
        continue;
      if (Stmt) { // several statements
        Stmt = nullptr;
        return;
      }
      Stmt = &Candidate;
    }
    NumPrefix =
        unsignedFromIslSize(Band.get_prefix_schedule_multi_union_pw_aff().dim(isl::dim::out));
    NumMembers = unsignedFromIslSize(Band.n_member());
    isl::union_map Prefix = Band.first_child().get_prefix_schedule_union_map();
    Schedule = isl::map::from_union_map(Prefix.intersect_domain(Domain));
  }

  std::optional<BandRoles> roles() {
    if (!Stmt || NumMembers < 3 || Schedule.is_null() || !collectStrides())
      return std::nullopt;
    BandRoles Roles;
    Roles.ElementBytes = ElementBytes;
    std::optional<unsigned> Vector, Register;
    for (unsigned M = 0; M < NumMembers; ++M)
      if (isCoincident(M) && writesMove(M, Stride::One) && !readsHave(M, Stride::Other) && !Vector)
        Vector = M;
    for (unsigned M = 0; M < NumMembers; ++M)
      if (isCoincident(M) && M != Vector && writesMove(M, Stride::Other) &&
          readsHave(M, Stride::Zero))
        Register = M;
    if (!Vector || !Register)
      return std::nullopt;
    for (unsigned M = 0; M < NumMembers; ++M)
      if (M != *Vector && M != *Register)
        (writesMove(M, Stride::Zero) ? Roles.Reduced : Roles.Outer).push_back(M);
    if (Roles.Reduced.empty())
      return std::nullopt;
    Roles.Vector = *Vector;
    Roles.Register = *Register;
    return Roles;
  }

  std::optional<long> memberExtent(unsigned Member) const {
    return extent(Schedule.range(), NumPrefix + Member);
  }

private:
  bool isCoincident(unsigned M) const { return bool(Band.member_get_coincident(M)); }

  bool collectStrides() {
    for (polly::MemoryAccess *Access : *Stmt) {
      if (isConstantInput(*Access))
        continue;
      if (!Access->isLatestArrayKind() || !Access->isAffine())
        return false; // a scalar dependence would need a register of its own
      isl::map Address = Access->getLatestAccessRelation().apply_domain(Schedule);
      SmallVector<Stride, 4> PerMember;
      for (unsigned M = 0; M < NumMembers; ++M)
        PerMember.push_back(strideAlong(Address, NumPrefix + M));
      (Access->isWrite() ? Writes : Reads).push_back(PerMember);
      ElementBytes =
          std::max<unsigned>(ElementBytes, Access->getLatestScopArrayInfo()->getElemSizeInBytes());
    }
    return Writes.size() == 1;
  }

  /// A scalar computed before the Scop, such as alpha in C += alpha * A * B.
  static bool isConstantInput(const polly::MemoryAccess &Access) {
    if (!Access.isRead() || !Access.isOriginalValueKind())
      return false;
    auto *Definition = dyn_cast_or_null<Instruction>(Access.getAccessValue());
    return !Definition || !Access.getStatement()->getParent()->contains(Definition);
  }

  bool writesMove(unsigned M, Stride Expected) const { return Writes[0][M] == Expected; }
  bool readsHave(unsigned M, Stride Expected) const {
    return llvm::any_of(Reads, [&](const auto &PerMember) { return PerMember[M] == Expected; });
  }

  isl::schedule_node_band Band;
  polly::ScopStmt *Stmt = nullptr;
  unsigned NumPrefix = 0, NumMembers = 0, ElementBytes = 1;
  isl::map Schedule; ///< { Stmt[i] -> [prefix, members] }
  SmallVector<SmallVector<Stride, 4>, 4> Reads, Writes;
};

struct TileSizes {
  long RegisterBlock, VectorBlock; ///< Mr, Mv
  long Register, Vector, Reduced;  ///< Tr, Tv, Tk
};

long roundUp(long Value, long Multiple) { return (Value + Multiple - 1) / Multiple * Multiple; }

/// Mr x Mv accumulators plus Mv/lanes operands and a broadcast fit the register file; a Tk x Mv
/// panel fits three quarters of L1, a Tk x Tv panel half of L2.
TileSizes chooseSizes(const BandRoles &Roles, const TilingTarget &Target,
                      std::optional<long> RegisterExtent) {
  long Lanes = std::max<long>(1, Target.VectorBytes / Roles.ElementBytes);
  TileSizes T;
  T.VectorBlock = 3 * Lanes;
  T.RegisterBlock = Target.NumVectorRegisters >= 32 ? 8 : 4;
  long PanelRow = T.VectorBlock * Roles.ElementBytes;
  T.Reduced = std::clamp<long>(Target.L1Bytes * 3 / 4 / PanelRow, 16, 512);
  T.Vector = roundUp(
      std::clamp<long>(Target.L2Bytes / 2 / (T.Reduced * Roles.ElementBytes), T.VectorBlock, 4096),
      T.VectorBlock);
  T.Register = 512;
  if (Target.Threads > 1 && RegisterExtent)
    T.Register = std::min<long>(T.Register, *RegisterExtent / (2 * Target.Threads) + 1);
  T.Register = roundUp(T.Register, T.RegisterBlock);
  return T;
}

/// floor(\p Member / \p Size)
isl::union_pw_aff tileOf(const isl::union_pw_aff &Member, long Size) {
  isl::val Divisor(Member.ctx(), Size);
  return isl::manage(
      isl_union_pw_aff_floor(isl_union_pw_aff_scale_down_val(Member.copy(), Divisor.release())));
}

/// Inserts a band with the given members above \p Node and returns it.
isl::schedule_node_band insertBand(isl::schedule_node Node, ArrayRef<isl::union_pw_aff> Members,
                                   ArrayRef<bool> Coincident) {
  isl::union_pw_aff_list List = isl::union_pw_aff_list(Node.ctx(), Members.size());
  for (const isl::union_pw_aff &Member : Members)
    List = List.add(Member);
  isl::space Space =
      Node.get_domain().get_space().set_from_params().add_dims(isl::dim::set, Members.size());
  isl::multi_union_pw_aff Schedule =
      isl::manage(isl_multi_union_pw_aff_from_union_pw_aff_list(Space.release(), List.release()));
  auto Band = Node.insert_partial_schedule(Schedule).as<isl::schedule_node_band>();
  Band = Band.set_permutable(1);
  for (unsigned I = 0; I < Members.size(); ++I)
    Band = Band.member_set_coincident(I, Coincident[I]);
  return Band;
}

/// The prefixes of \p Range (all dims but the last two) under which the last two dims, as blocks of
/// Mv and Mr points, are complete. \p Range is { [prefix, v/Mv, r/Mr, k.., r, v] }.
isl::set fullBlocks(isl::set Range, unsigned NumPrefix, const TileSizes &T) {
  unsigned NumDims = unsignedFromIslSize(Range.tuple_dim());
  unsigned RDim = NumDims - 2, VDim = NumDims - 1;
  isl::set Prefixes = Range.project_out(isl::dim::set, RDim, 2);
  isl::set All = Prefixes.add_dims(isl::dim::set, 2);
  auto bound = [&](unsigned PointDim, unsigned BlockDim, long Size) {
    // Size*block <= point <= Size*block + Size - 1
    isl::local_space LS(All.get_space());
    isl::constraint Low = isl::constraint::alloc_inequality(LS)
                              .set_coefficient_si(isl::dim::set, PointDim, 1)
                              .set_coefficient_si(isl::dim::set, BlockDim, -Size);
    isl::constraint High = isl::constraint::alloc_inequality(LS)
                               .set_coefficient_si(isl::dim::set, PointDim, -1)
                               .set_coefficient_si(isl::dim::set, BlockDim, Size)
                               .set_constant_si(Size - 1);
    All = All.add_constraint(Low).add_constraint(High);
  };
  bound(VDim, NumPrefix, T.VectorBlock);
  bound(RDim, NumPrefix + 1, T.RegisterBlock);
  isl::set Partial = All.subtract(Range).project_out(isl::dim::set, RDim, 2);
  isl::set Full = Prefixes.subtract(Partial);
  // A block is full only when it is so for every k: the choice is made above the k loop.
  unsigned NumReduced = RDim - NumPrefix - 2;
  isl::set Blocks = Prefixes.project_out(isl::dim::set, NumPrefix + 2, NumReduced);
  isl::set Ragged = Prefixes.subtract(Full).project_out(isl::dim::set, NumPrefix + 2, NumReduced);
  return Blocks.subtract(Ragged);
}

isl::union_set unrollOption(isl::ctx Ctx, const char *Kind, unsigned Position) {
  // { unroll[Position] } and the same for the isolated part
  std::string Inner = std::string(Kind) + "[" + std::to_string(Position) + "]";
  return isl::union_set(Ctx, "{ " + Inner + "; [isolate[] -> " + Inner + "] }");
}

/// Replaces \p Band by the structure of the file comment. Returns the outermost new node.
isl::schedule_node rewriteBand(isl::schedule_node_band Band, const BandRoles &Roles,
                               const TileSizes &T) {
  isl::multi_union_pw_aff Partial = Band.get_partial_schedule();
  auto member = [&](unsigned M) { return Partial.get_at(M); };
  isl::union_pw_aff V = member(Roles.Vector), R = member(Roles.Register);
  isl::schedule_node Node = isl::manage(isl_schedule_node_delete(Band.copy()));

  // From the inside out: every insertion becomes the parent of the last.
  auto Points = insertBand(Node, {R, V}, {true, true});
  Points = Points.set_ast_build_options(unrollOption(Points.ctx(), "unroll", 0));
  SmallVector<isl::union_pw_aff, 2> Reduced;
  SmallVector<bool, 2> ReducedCoincident;
  for (unsigned M : Roles.Reduced) {
    Reduced.push_back(member(M));
    ReducedCoincident.push_back(false);
  }
  auto Contraction = insertBand(Points, Reduced, ReducedCoincident);
  auto Blocks =
      insertBand(Contraction, {tileOf(V, T.VectorBlock), tileOf(R, T.RegisterBlock)}, {true, true});
  SmallVector<isl::union_pw_aff, 4> Cache = {tileOf(R, T.Register)};
  SmallVector<bool, 4> CacheCoincident = {true};
  for (unsigned M : Roles.Reduced) {
    Cache.push_back(tileOf(member(M), T.Reduced));
    CacheCoincident.push_back(false);
  }
  Cache.push_back(tileOf(V, T.Vector));
  CacheCoincident.push_back(true);
  auto Tiles = insertBand(Blocks, Cache, CacheCoincident);
  isl::schedule_node Top = Tiles;
  if (!Roles.Outer.empty()) {
    SmallVector<isl::union_pw_aff, 2> Outer;
    SmallVector<bool, 2> OuterCoincident;
    for (unsigned M : Roles.Outer) {
      Outer.push_back(member(M));
      OuterCoincident.push_back(bool(Band.member_get_coincident(M)));
    }
    Top = insertBand(Tiles, Outer, OuterCoincident);
    Tiles = Top.first_child().as<isl::schedule_node_band>();
  }

  // Separate the full register blocks, now that the whole prefix is known.
  Blocks = Tiles.first_child().as<isl::schedule_node_band>();
  unsigned NumPrefix =
      unsignedFromIslSize(Blocks.get_prefix_schedule_multi_union_pw_aff().dim(isl::dim::out));
  isl::schedule_node Leaf = Blocks.first_child().first_child().first_child();
  isl::set Range =
      isl::set(Leaf.get_prefix_schedule_union_map().intersect_domain(Leaf.get_domain()).range());
  isl::set Full = fullBlocks(Range, NumPrefix, T);
  Blocks = Blocks.set_ast_build_options(polly::getIsolateOptions(Full, 2));
  isl::schedule_node Result = Blocks;
  unsigned Up = Roles.Outer.empty() ? 1 : 2;
  for (unsigned I = 0; I < Up; ++I)
    Result = Result.parent();
  return Result;
}

/// isl's schedule for \p S with every strongly connected part of the dependences in bands of its
/// own: the statement that scales C must not share a band with the contraction that follows it.
isl::schedule distributedSchedule(polly::Scop &S, const polly::Dependences &D) {
  constexpr int Orders =
      polly::Dependences::TYPE_RAW | polly::Dependences::TYPE_WAR | polly::Dependences::TYPE_WAW;
  isl_ctx *Ctx = S.getIslCtx().get();
  isl::union_map Validity = D.getDependences(Orders);
  int Serialize = isl_options_get_schedule_serialize_sccs(Ctx);
  int MaximizeDepth = isl_options_get_schedule_maximize_band_depth(Ctx);
  isl_options_set_schedule_serialize_sccs(Ctx, 1);
  isl_options_set_schedule_maximize_band_depth(Ctx, 1);
  isl::schedule Schedule = isl::schedule_constraints::on_domain(S.getDomains())
                               .set_validity(Validity)
                               .set_coincidence(Validity)
                               .set_proximity(D.getDependences(polly::Dependences::TYPE_RAW))
                               .compute_schedule();
  isl_options_set_schedule_serialize_sccs(Ctx, Serialize);
  isl_options_set_schedule_maximize_band_depth(Ctx, MaximizeDepth);
  return Schedule;
}

} // namespace

isl::schedule tileContractions(polly::Scop &S, const polly::Dependences &D,
                               const TilingTarget &Target) {
  isl_ctx *Ctx = S.getIslCtx().get();
  isl_ctx_reset_error(Ctx);
  polly::IslMaxOperationsGuard Limit(Ctx, MaxTilingOperations);
  isl::schedule Schedule = distributedSchedule(S, D);
  if (Schedule.is_null())
    return {};
  struct Rewriter : polly::ScheduleNodeRewriter<Rewriter> {
    polly::Scop &S;
    const TilingTarget &Target;
    bool Changed = false;

    Rewriter(polly::Scop &S, const TilingTarget &Target) : S(S), Target(Target) {}

    isl::schedule_node visitBand(isl::schedule_node_band Band) {
      isl::schedule_node Child = Band.first_child();
      if (!Child.isa<isl::schedule_node_leaf>())
        return visitChildren(Band);
      if (!bool(Band.permutable()))
        return Band;
      ContractionBand Contraction(S, Band);
      std::optional<BandRoles> Roles = Contraction.roles();
      if (!Roles)
        return Band;
      Changed = true;
      return rewriteBand(Band, *Roles,
                         chooseSizes(*Roles, Target, Contraction.memberExtent(Roles->Register)));
    }
  };
  Rewriter R(S, Target);
  isl::schedule_node Root = R.visit(Schedule.get_root());
  if (!R.Changed || Root.is_null())
    return {};
  isl::schedule Tiled = Root.get_schedule();
  bool Valid = D.isValidSchedule(S, Tiled);
  // After a failed operation isl answers "unknown", which reads as true: ask for the error as well.
  return Valid && isl_ctx_last_error(Ctx) == isl_error_none ? Tiled : isl::schedule();
}

} // namespace specrt
