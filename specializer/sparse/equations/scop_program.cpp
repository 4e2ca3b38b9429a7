//===- specializer/sparse/equations/scop_program.cpp - a Scop as a program over dense arrays -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/equations/scop_program.h"
#include "polly/Support/ISLTools.h"
#include "specializer/sparse/equations/affine_values.h"
#include "isl/aff.h"
#include "isl/constraint.h"
#include "isl/schedule_node.h"

#include <algorithm>

using namespace llvm;

namespace specrt {
namespace {

class ProgramBuilder {
public:
  ProgramBuilder(const isl::space &Parameters, const std::vector<ScopWrite> &Writes,
                 std::string &Why)
      : Writes(Writes), Parameters(Parameters), Why(Why) {}

  std::optional<DenseProgram> run(const isl::schedule &Order);

private:
  bool fail(const std::string &Reason) {
    Why = Reason;
    return false;
  }
  unsigned arrayNumber(const polly::ScopArrayInfo &Array);
  bool addStatement(const ScopWrite &Write);
  bool setDomain(DenseStatement &To, const isl::set &Domain);
  bool setAccess(DenseAccess &To, const polly::MemoryAccess &Access);
  bool addItems(const isl::schedule_node &Node, unsigned Depth, std::vector<DenseItem> &To);
  bool addLeaf(const isl::schedule_node &Node, unsigned Depth, std::vector<DenseItem> &To);
  bool isCounter(const isl::schedule_node &Band, unsigned Depth) const;
  bool orderWrites(SmallVectorImpl<unsigned> &OfStatement);

  const std::vector<ScopWrite> &Writes;
  const isl::space Parameters;
  std::string &Why;
  std::vector<const polly::ScopArrayInfo *> Arrays;
  DenseProgram Program;
};

unsigned ProgramBuilder::arrayNumber(const polly::ScopArrayInfo &Array) {
  const auto Known = std::find(Arrays.begin(), Arrays.end(), &Array);
  if (Known != Arrays.end())
    return static_cast<unsigned>(Known - Arrays.begin());
  DenseArray New;
  New.Name = arrayName(Array);
  New.Rank = Array.getNumberOfDimensions();
  New.IsTemporary = !Array.isArrayKind();
  for (unsigned D = 0; D < New.Rank; ++D) {
    AffineValue Extent{-1, {}, {}};
    if (const isl::pw_aff Size = D ? Array.getDimensionSizePw(D) : isl::pw_aff(); !Size.is_null())
      (void)toAffineValue(Size, Parameters, Extent);
    New.Extents.push_back(Extent);
  }
  Arrays.push_back(&Array);
  Program.Arrays.push_back(std::move(New));
  return static_cast<unsigned>(Arrays.size()) - 1;
}

bool ProgramBuilder::setDomain(DenseStatement &To, const isl::set &Domain) {
  for (isl::basic_set Part : Domain.coalesce().align_params(Parameters).get_basic_set_list()) {
    std::vector<AffineValue> Conjunction;
    if (!toConjunction(Part, Conjunction))
      return fail("the iterations of a statement are not those of plain loops");
    To.Domain.push_back(std::move(Conjunction));
  }
  return true;
}

bool ProgramBuilder::setAccess(DenseAccess &To, const polly::MemoryAccess &Access) {
  const polly::ScopArrayInfo &Array = *Access.getLatestScopArrayInfo();
  To.Array = arrayNumber(Array);
  const isl::map Relation =
      Access.getLatestAccessRelation().intersect_domain(Access.getStatement()->getDomain());
  return toSubscripts(Relation, Parameters, To.Subscripts) ||
         fail("an access to " + arrayName(Array) + " is not affine");
}

bool ProgramBuilder::addStatement(const ScopWrite &Write) {
  const polly::ScopStmt &Stmt = *Write.Access->getStatement();
  DenseStatement New;
  New.Name = Write.Name;
  New.Depth = unsignedFromIslSize(Stmt.getDomain().tuple_dim());
  New.MayWrite = !Write.Access->isMustWrite();
  New.Value = Write.Value.Value;
  const isl::set Executed =
      Write.Access->getLatestAccessRelation().domain().intersect(Stmt.getDomain());
  if (!setDomain(New, Executed) || !setAccess(New.Write, *Write.Access))
    return false;
  for (const polly::MemoryAccess *Read : Write.Value.Reads)
    if (!setAccess(New.Reads.emplace_back(), *Read))
      return false;
  Program.Statements.push_back(std::move(New));
  return true;
}

/// Returns whether the band equals dimension \p Depth of each of its statements.
bool ProgramBuilder::isCounter(const isl::schedule_node &Band, unsigned Depth) const {
  const isl::multi_union_pw_aff Partial =
      isl::manage(isl_schedule_node_band_get_partial_schedule(Band.get()));
  isl::union_map Schedule = isl::union_map::from(Partial).intersect_domain(Band.get_domain());
  for (isl::map Map : Schedule.get_map_list()) {
    std::vector<AffineValue> Time;
    AffineValue Counter;
    Counter.Loops.resize(Depth + 1);
    Counter.Loops[Depth] = 1;
    if (!toSubscripts(Map, Parameters, Time) || Time.size() != 1 || !Time[0].sameAs(Counter))
      return false;
  }
  return true;
}

/// Returns whether the value of \p First is computed from what \p Second overwrites.
static bool readsWhatIsReplaced(const ScopWrite &First, const ScopWrite &Second) {
  return any_of(First.Value.Reads, [&](const polly::MemoryAccess *Read) {
    return Read->getLatestScopArrayInfo() == Second.Access->getLatestScopArrayInfo() &&
           positionOf(*Read) < positionOf(*Second.Access);
  });
}

/// Orders the writes of one statement so that none reads what an earlier one has overwritten;
/// returns false if there is no such order.
bool ProgramBuilder::orderWrites(SmallVectorImpl<unsigned> &OfStatement) {
  SmallVector<unsigned> Rest(OfStatement.begin(), OfStatement.end());
  OfStatement.clear();
  while (!Rest.empty()) {
    const auto *const Next = find_if(Rest, [&](unsigned Replaces) {
      return none_of(Rest, [&](unsigned Reads) {
        return Reads != Replaces && readsWhatIsReplaced(Writes[Reads], Writes[Replaces]);
      });
    });
    if (Next == Rest.end())
      return fail("two values of a statement are each written to where the other was read from");
    OfStatement.push_back(*Next);
    Rest.erase(Next);
  }
  return true;
}

bool ProgramBuilder::addLeaf(const isl::schedule_node &Node, unsigned Depth,
                             std::vector<DenseItem> &To) {
  for (isl::set Domain : Node.get_domain().get_set_list()) {
    const std::string Name = Domain.get_tuple_id().name();
    SmallVector<unsigned> OfStatement;
    for (unsigned I = 0; I < Writes.size(); ++I) {
      const polly::ScopStmt &Stmt = *Writes[I].Access->getStatement();
      if (Stmt.getDomainId().name() != Name)
        continue;
      if (Program.Statements[I].Depth != Depth)
        return fail("a statement has other loops than its place in the program");
      OfStatement.push_back(I);
    }
    if (!orderWrites(OfStatement))
      return false;
    for (unsigned I : OfStatement)
      To.push_back({false, I, {}});
  }
  return true;
}

bool ProgramBuilder::addItems(const isl::schedule_node &Node, unsigned Depth,
                              std::vector<DenseItem> &To) {
  switch (isl_schedule_node_get_type(Node.get())) {
  case isl_schedule_node_leaf:
    return addLeaf(Node, Depth, To);
  case isl_schedule_node_domain:
  case isl_schedule_node_filter:
  case isl_schedule_node_mark:
    return addItems(Node.first_child(), Depth, To);
  case isl_schedule_node_sequence: {
    const auto NumParts = static_cast<int>(isl_schedule_node_n_children(Node.get()));
    for (int Part = 0; Part < NumParts; ++Part)
      if (!addItems(Node.child(Part), Depth, To))
        return false;
    return true;
  }
  case isl_schedule_node_band: {
    if (isl_schedule_node_band_n_member(Node.get()) != 1 || !isCounter(Node, Depth))
      return fail("a loop does not count in steps of one");
    To.push_back({true, 0, {}});
    return addItems(Node.first_child(), Depth + 1, To.back().Body);
  }
  default:
    return fail("the program's order is not one of loops");
  }
}

std::optional<DenseProgram> ProgramBuilder::run(const isl::schedule &Order) {
  for (unsigned P = 0; P < unsignedFromIslSize(Parameters.dim(isl::dim::param)); ++P)
    Program.Parameters.push_back(Parameters.get_dim_id(isl::dim::param, P).name());
  for (const ScopWrite &Write : Writes)
    if (!addStatement(Write))
      return std::nullopt;
  if (!addItems(Order.get_root(), 0, Program.Items))
    return std::nullopt;
  return std::move(Program);
}

} // namespace

std::optional<DenseProgram> denseProgram(const isl::space &Parameters, const isl::schedule &Order,
                                         const std::vector<ScopWrite> &Writes, std::string &Why) {
  return ProgramBuilder(Parameters, Writes, Why).run(Order);
}

} // namespace specrt
