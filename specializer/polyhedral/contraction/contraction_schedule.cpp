//===- specializer/polyhedral/contraction/contraction_schedule.cpp - made of blocks -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/contraction/contraction_schedule.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "polly/Support/ISLTools.h"
#include "specializer/polyhedral/contraction/contraction_blocks.h"
#include "specializer/polyhedral/contraction/contraction_cut.h"
#include "specializer/polyhedral/contraction/contraction_grid.h"
#include "specializer/polyhedral/schedule/legality.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "isl/options.h"
#include "isl/schedule.h"
#include "isl/schedule_node.h"
#include <algorithm>
#include <optional>

using namespace llvm;

namespace specrt {
namespace {

/// Limit on coefficients; isl is asked for at most 2.
constexpr long MaxCoefficient = 8;
// Beyond the quota, isl operations return null, "error" or no size, and isl's conversions to bool
// and unsigned would end the process. Here every such result stops the search.

/// Returns isl's schedule for \p S with separate bands for all strongly connected components of the
/// dependences: the statement that scales C must not share a band with the contraction after it.
isl::schedule distributedSchedule(polly::Scop &S, const isl::union_map &Validity) {
  isl_ctx *Ctx = S.getIslCtx().get();
  struct Option {
    isl_stat (*Set)(isl_ctx *, int);
    int (*Get)(isl_ctx *);
    int Value, Before = 0;
  };
  // Large factors never help here, and an unlimited search for them may take minutes.
  Option Options[] = {
      {isl_options_set_schedule_serialize_sccs, isl_options_get_schedule_serialize_sccs, 1},
      {isl_options_set_schedule_maximize_band_depth, isl_options_get_schedule_maximize_band_depth,
       1},
      {isl_options_set_schedule_max_coefficient, isl_options_get_schedule_max_coefficient, 2},
      {isl_options_set_schedule_max_constant_term, isl_options_get_schedule_max_constant_term, 2},
      {isl_options_set_schedule_treat_coalescing, isl_options_get_schedule_treat_coalescing, 0},
  };
  for (Option &O : Options) {
    O.Before = O.Get(Ctx);
    O.Set(Ctx, O.Value);
  }
  // There are no proximity constraints: blocks create locality, and isl's search for it may take
  // minutes. The functions consume their arguments, because isl's copy of constraints requires all
  // kinds.
  isl_schedule_constraints *Constraints =
      isl_schedule_constraints_on_domain(S.getDomains().release());
  Constraints = isl_schedule_constraints_set_validity(Constraints, Validity.copy());
  Constraints = isl_schedule_constraints_set_coincidence(Constraints, Validity.copy());
  isl::schedule Schedule = isl::manage(isl_schedule_constraints_compute_schedule(Constraints));
  for (const Option &O : Options)
    O.Set(Ctx, O.Before);
  return Schedule;
}

/// Returns whether all coefficients of \p Function are those of an ordinary loop.
bool isSimple(const isl::aff &Function) {
  for (int D = 0, E = isl_aff_dim(Function.get(), isl_dim_in); D < E; ++D) {
    isl::val Factor = isl::manage(isl_aff_get_coefficient_val(Function.get(), isl_dim_in, D));
    if (!Factor.is_int().is_true() || !Factor.abs().le(MaxCoefficient).is_true())
      return false;
  }
  return true;
}

/// Returns whether \p Band is simple. If isl finds no other order, it carries many dependences at
/// once in spite of the options, by functions such as "13923i + 820j + 56k", whose loops would take
/// minutes to generate.
bool isSimple(const isl::schedule_node_band &Band) {
  bool Simple = true;
  static constexpr auto CheckPiece = [](isl_set *Domain, isl_aff *Function, void *User) {
    isl_set_free(Domain);
    *static_cast<bool *>(User) &= isSimple(isl::manage(Function));
    return isl_stat_ok;
  };
  auto Check = [](isl_pw_aff *Function, void *User) {
    *static_cast<bool *>(User) &=
        isl_pw_aff_foreach_piece(isl::manage(Function).get(), +CheckPiece, User) == isl_stat_ok;
    return isl_stat_ok;
  };
  isl::multi_union_pw_aff Members = Band.get_partial_schedule();
  for (unsigned M = 0, E = count(Band.n_member()); M < E; ++M)
    Simple &= isl_union_pw_aff_foreach_pw_aff(Members.get_at(int(M)).get(), Check, &Simple) ==
              isl_stat_ok;
  return Simple;
}

class Scheduler {
public:
  Scheduler(polly::Scop &S, const isl::union_map &Validity, const TilingTarget &Target)
      : S(S), Validity(Validity), Target(Target) {}

  isl::schedule_node visit(isl::schedule_node Node);

  ContractionSchedule Result;
  bool Changed = false; ///< changed without a block

private:
  isl::schedule_node rewrite(isl::schedule_node_band Band);
  /// Moves the row or column dimension of \p Band into the parts of the sequence below, if that is
  /// legal.
  isl::schedule_node distribute(isl::schedule_node_band Band);
  bool isDistributable(isl::schedule_node_band Band, unsigned Member,
                       ArrayRef<isl::union_set> Parts) const;
  isl::schedule_node columnInside(isl::schedule_node_band Band);

  polly::Scop &S;
  isl::union_map Validity;
  const TilingTarget &Target;
};

isl::schedule_node Scheduler::rewrite(isl::schedule_node_band Band) {
  isl::union_set All = Band.get_domain();
  isl::multi_union_pw_aff Prefix = Band.get_prefix_schedule_multi_union_pw_aff();
  std::vector<Contraction> Contractions = contractionsIn(S, All, Prefix);
  if (Contractions.empty())
    return columnInside(Band);
  const Contraction &C = Contractions.front();
  if (isWholeBlock(C, All, Prefix, Validity))
    return insertBlock(isl::manage(isl_schedule_node_cut(Band.release())), C, C.Stmt->getDomain(),
                       Target.Threads, Result.Marks);
  if (!Band.permutable().is_true())
    return Band;
  isl::schedule_node Node =
      cutIntoTiles(S, Validity, Band, Contractions, Target.Threads, Result.Marks);
  return Node.is_null() ? Band : Node;
}

/// Makes the loop along consecutive memory the innermost one of the band.
isl::schedule_node Scheduler::columnInside(isl::schedule_node_band Band) {
  // Without k, this is no contraction, but accesses still have neighbours.
  std::vector<Contraction> Contractions = contractionsIn(
      S, Band.get_domain(),
      isl::multi_union_pw_aff::zero(Band.get_domain().get_space().set_from_params()));
  if (Contractions.size() != 1)
    return Band;
  const Contraction &C = Contractions.front();
  isl::multi_union_pw_aff Members = Band.get_partial_schedule();
  unsigned NumMembers = count(Band.n_member());
  std::optional<unsigned> Column = memberFor(Members, C, int(C.Column));
  if (!Column || *Column + 1 == NumMembers || !Band.permutable().is_true())
    return Band;
  isl::schedule_node Node = isl::manage(isl_schedule_node_delete(Band.release()));
  Node = Node.insert_partial_schedule(isl::multi_union_pw_aff(Members.get_at(int(*Column))));
  for (unsigned M = NumMembers; M-- > 0;)
    if (M != *Column)
      Node = Node.insert_partial_schedule(isl::multi_union_pw_aff(Members.get_at(int(M))));
  Changed = true;
  return Node;
}

/// Returns whether \p Member can be moved into the parts of the sequence below \p Band: no part
/// depends on a later one in the same iteration of the other loops.
bool Scheduler::isDistributable(isl::schedule_node_band Band, unsigned Member,
                                ArrayRef<isl::union_set> Parts) const {
  isl::multi_union_pw_aff Members = Band.get_partial_schedule();
  isl::union_map Here = atSame(Band.get_prefix_schedule_multi_union_pw_aff(), Validity);
  for (unsigned M = 0, E = count(Band.n_member()); M < E; ++M)
    if (M != Member)
      Here = atSame(isl::multi_union_pw_aff(Members.get_at(int(M))), Here);
  for (unsigned I = 0; I < Parts.size(); ++I)
    for (unsigned J = 0; J < I; ++J)
      if (!Here.intersect_domain(Parts[I]).intersect_range(Parts[J]).is_empty().is_true())
        return false;
  return true;
}

isl::schedule_node Scheduler::distribute(isl::schedule_node_band Band) {
  isl::schedule_node Below = Band.first_child();
  if (!Below.isa<isl::schedule_node_sequence>().is_true())
    return Band;
  SmallVector<isl::union_set, 4> Parts;
  for (unsigned I = 0, E = count(Below.n_children()); I < E; ++I)
    Parts.push_back(Below.child(int(I)).as<isl::schedule_node_filter>().filter());
  isl::multi_union_pw_aff Members = Band.get_partial_schedule();
  unsigned NumMembers = count(Band.n_member());
  std::optional<unsigned> Member;
  for (const Contraction &C :
       contractionsIn(S, Band.get_domain(), Band.get_prefix_schedule_multi_union_pw_aff()))
    for (int Dim : {C.Row, int(C.Column)})
      if (!Member)
        if (Member = memberFor(Members, C, Dim); Member && !isDistributable(Band, *Member, Parts))
          Member = std::nullopt;
  if (!Member)
    return Band;
  isl::schedule_node Node = isl::manage(isl_schedule_node_delete(Band.release()));
  for (unsigned I = 0; I < Parts.size(); ++I) {
    isl::schedule_node Leaf = Node.child(int(I)).first_child();
    isl::multi_union_pw_aff Own(Members.get_at(int(*Member)).intersect_domain(Parts[I]));
    // Forms one band with the one below, if there is one.
    if (Leaf.isa<isl::schedule_node_band>().is_true()) {
      auto Inner = Leaf.as<isl::schedule_node_band>();
      Own = Own.flat_range_product(Inner.get_partial_schedule());
      bool Permutable = Inner.permutable().is_true();
      Leaf = isl::manage(isl_schedule_node_delete(Leaf.release()));
      Leaf = Leaf.insert_partial_schedule(Own);
      Leaf = Leaf.as<isl::schedule_node_band>().set_permutable(Permutable);
    } else {
      Leaf = Leaf.insert_partial_schedule(Own);
    }
    Node = Leaf.parent().parent();
  }
  for (unsigned M = NumMembers; M-- > 0;)
    if (M != *Member)
      Node = Node.insert_partial_schedule(isl::multi_union_pw_aff(Members.get_at(int(M))));
  return Node;
}

/// Visits outermost bands first; does not enter rewritten bands. Returns null if a band should not
/// be generated.
isl::schedule_node Scheduler::visit(isl::schedule_node Node) {
  if (Node.isa<isl::schedule_node_band>().is_true()) {
    if (!isSimple(Node.as<isl::schedule_node_band>()))
      return {};
    size_t Before = Result.Marks.size();
    Node = rewrite(Node.as<isl::schedule_node_band>());
    if (Result.Marks.size() > Before)
      return Node;
    if (Node.isa<isl::schedule_node_band>().is_true())
      Node = distribute(Node.as<isl::schedule_node_band>());
  }
  for (unsigned I = 0, E = count(Node.n_children()); I < E; ++I)
    Node = visit(Node.child(int(I))).parent();
  return Node;
}

} // namespace

ContractionSchedule scheduleContractions(polly::Scop &S, const isl::union_map &Validity,
                                         bool HasFreeUpdates, const TilingTarget &Target,
                                         unsigned long MaxOperations) {
  isl_ctx *Ctx = S.getIslCtx().get();
  isl_ctx_reset_error(Ctx);
  polly::IslMaxOperationsGuard Limit(Ctx, MaxOperations);
  if (llvm::none_of(S,
                    [](polly::ScopStmt &Stmt) { return recognizeContraction(Stmt).has_value(); }))
    return {};
  Scheduler Own(S, Validity, Target);
  if (HasFreeUpdates)
    Own.Result.Schedule = scheduleGrid(S, Validity, Target, Own.Result.Marks);
  if (Own.Result.Schedule.is_null()) {
    isl::schedule_node Root = Own.visit(distributedSchedule(S, Validity).get_root());
    if ((!Own.Changed && Own.Result.Marks.empty()) || Root.is_null())
      return {};
    Own.Result.Schedule = Root.get_schedule();
  }
  if (!respects(Own.Result.Schedule, Validity) || isl_ctx_last_error(Ctx) != isl_error_none)
    return {};
  return std::move(Own.Result);
}

} // namespace specrt
