//===- specializer/loops/independence/conditional_arrays.cpp - arrays under conditions ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/independence/conditional_arrays.h"
#include "specializer/loops/loop_shape.h"
#include "specializer/polyhedral/dataflow/on_demand.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "specializer/polyhedral/storage/expand_storage.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "isl/ctx.h"
#include "isl/map.h"
#include "isl/options.h"
#include "isl/set.h"
#include <algorithm>
#include <climits>
#include <cstdlib>
#include <memory>

using namespace llvm;

namespace specrt {
namespace {

/// Limits the time of the proof to some tenths of a second.
constexpr size_t MaxAccesses = 40;
constexpr unsigned long MaxOperations = 2'000'000;

/// Describes the accesses of one iteration to one array as a program with filters. The number of
/// the iteration is the parameter i.
class IterationModel {
public:
  IterationModel(const Loop &L, int64_t Last, PathConditions &Paths, const LoopInfo &LI,
                 ScalarEvolution &SE)
      : L(L), Last(Last), Paths(Paths), LI(LI), SE(SE), Context(isl_ctx_alloc(), isl_ctx_free) {
    isl_options_set_on_error(Context.get(), ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(Context.get(), MaxOperations);
  }

  /// Returns false if some access cannot be described.
  bool build(const Value &Base, ArrayRef<ArrayAccess> Accesses);
  /// Adds the demands that make all values come from the same iteration, and those of the array
  /// that are read behind the loop from the last one. Returns false if there are none.
  bool demand(bool IsReadBehind, ConditionalArray &To, std::string &Note) const;
  /// Returns the first byte that any iteration writes, and the number of bytes up to the last one.
  std::optional<std::pair<uint64_t, uint64_t>> bytes() const;

private:
  struct Access {
    const ArrayAccess *Of;
    PathCondition Path;
    isl::map Elements; ///< { S[j] -> a[e] }
  };

  std::string nameOf(const Instruction &I, bool IsWrite);
  bool addFilter(const PathCondition &Path, const std::string &Name, ArrayRef<const Loop *> Around,
                 ConditionalStatement &To);
  bool add(const ArrayAccess &Each, const LinearForm &Offset, uint64_t ElementBytes);
  std::string affine(const LinearForm &Form, ArrayRef<const Loop *> Around) const;
  isl::map mapAt(const std::string &Text) const { return isl::map(isl::ctx(Context.get()), Text); }
  isl::set setAt(const std::string &Text) const { return isl::set(isl::ctx(Context.get()), Text); }
  std::optional<SmallVector<unsigned, 4>> neededWrites(const DataflowOfRead &Flow,
                                                       const isl::set &Reads) const;
  std::optional<BranchDirection> commonBranch(const DataflowOfRead &End) const;
  bool demandWrites(const DataflowOfRead &Flow, const isl::set &Reads, bool IsLastOnly,
                    SmallVectorImpl<BranchDemand> &Demands) const;

  const Loop &L;
  const int64_t Last;
  PathConditions &Paths;
  const LoopInfo &LI;
  ScalarEvolution &SE;
  std::unique_ptr<isl_ctx, decltype(&isl_ctx_free)> Context;
  DenseMap<const Instruction *, int> Order; ///< the position in the text of an iteration
  std::map<std::string, unsigned> NumNamed; ///< [name of an access] the number of such accesses
  uint64_t ElementBytes = 0;
  ConditionalProgram Program;
  std::vector<Access> Accesses; ///< [statement]
  isl::set Written;             ///< { a[e] } by any iteration
};

/// Returns \p Form with the names of dimensions; "" if a loop has none.
std::string IterationModel::affine(const LinearForm &Form, ArrayRef<const Loop *> Around) const {
  std::string Text = std::to_string(Form.Constant);
  for (const Loop *With : Form.loops()) {
    const auto *const At = find(Around, With);
    if (With != &L && At == Around.end())
      return "";
    Text += " + " + std::to_string(Form.factor(With)) + " * " +
            (With == &L ? "i" : "d" + std::to_string(At - Around.begin()));
  }
  return Text;
}

/// Returns a name for the statement of an access, with its place in the source for reports.
std::string IterationModel::nameOf(const Instruction &I, bool IsWrite) {
  std::string Name = IsWrite ? "write" : "read";
  if (const DebugLoc &At = I.getDebugLoc())
    Name += "_line" + std::to_string(At.getLine());
  const unsigned Number = NumNamed[Name]++;
  return Number > 0 || !I.getDebugLoc() ? Name + "_" + std::to_string(Number) : Name;
}

/// Adds the filter for \p Path to the statement \p Name in the loops \p Around. Returns false if it
/// cannot be described.
bool IterationModel::addFilter(const PathCondition &Path, const std::string &Name,
                               ArrayRef<const Loop *> Around, ConditionalStatement &To) {
  std::string Values;
  for (const auto &[R, Result] : enumerate(Path.Results)) {
    std::string At;
    for (const LinearForm &Each : Result.At) {
      const std::string Subscript = affine(Each, Around);
      if (Subscript.empty())
        return false;
      At += (At.empty() ? "" : ", ") + Subscript;
    }
    const std::string Array = "t" + std::to_string(Result.Array);
    Program.ValueBounds[Array] = {0, 1};
    std::string Access = "[i] -> { ";
    Access.append(Name).append(" -> ").append(Array).append("[").append(At).append("] }");
    To.Filter.Accesses.push_back(mapAt(Access));
    Values += (R > 0 ? ", v" : "v") + std::to_string(R);
  }
  std::string Any;
  for (const PathCondition::Conjunction &All : Path.Any) {
    Any += Any.empty() ? "(true" : " or (true";
    for (const auto &[Result, IsTrue] : All)
      Any += " and v" + std::to_string(Result) + " = " + (IsTrue ? "1" : "0");
    Any += ")";
  }
  To.Filter.Values = mapAt("{ " + Name + " -> [" + Values + "] : " + Any + " }");
  return true;
}

/// Adds the statement of an access at \p Offset, in bytes from the beginning of the array. Returns
/// false if it cannot be described.
bool IterationModel::add(const ArrayAccess &Each, const LinearForm &Offset, uint64_t ElementBytes) {
  SmallVector<const Loop *, 4> Around;
  for (const Loop *In = LI.getLoopFor(Each.I->getParent()); In != &L; In = In->getParentLoop())
    Around.push_back(In);
  std::reverse(Around.begin(), Around.end());
  std::optional<PathCondition> Path = Paths.of(*Each.I->getParent());
  if (!Path)
    return false;
  if (Path->Any.empty())
    return true; // never executed
  Type *const Word = Type::getInt64Ty(SE.getContext());
  std::string Dims, Bounds = "0 <= i <= " + std::to_string(Last);
  ConditionalStatement New;
  for (const auto &[D, In] : enumerate(Around)) {
    LinearForm Most;
    SmallVector<const SCEV *, 2> Others;
    // Narrow counters have no sign.
    const SCEV *Taken = backedgesOf(*In, SE);
    if (!Taken || !splitAffine(SE.getNoopOrZeroExtend(Taken, Word), Most, Others) ||
        !Others.empty())
      return false;
    const std::string Limit = affine(Most, ArrayRef(Around).take_front(D));
    if (Limit.empty())
      return false;
    Dims += (D > 0 ? ", d" : "d") + std::to_string(D);
    Bounds += " and 0 <= d" + std::to_string(D) + " <= " + Limit;
    New.Position.push_back(2 * Order.lookup(&In->getHeader()->front()));
  }
  New.Position.push_back(2 * Order.lookup(Each.I) + (Each.IsWrite ? 1 : 0));
  LinearForm Index = Offset;
  if (!Index.divideBy(int64_t(ElementBytes)) || Each.Bytes % ElementBytes != 0)
    return false;
  std::string Element = affine(Index, Around);
  if (Element.empty())
    return false;
  if (Each.Bytes > ElementBytes) {
    Dims += Dims.empty() ? "e" : ", e";
    Bounds += " and 0 <= e < " + std::to_string(Each.Bytes / ElementBytes);
    Element += " + e";
    New.Position.push_back(0);
  }
  const std::string Name = nameOf(*Each.I, Each.IsWrite) + "[" + Dims + "]";
  New.Domain = setAt("[i] -> { " + Name + " : " + Bounds + " }");
  if (!Path->isAlways() && !addFilter(*Path, Name, Around, New))
    return false;
  const isl::map Elements =
      mapAt("[i] -> { " + Name + " -> a[" + Element + "] }").intersect_domain(New.Domain);
  if (Each.IsWrite)
    New.Writes.push_back(Elements);
  Accesses.push_back({&Each, std::move(*Path), Elements});
  Program.Statements.push_back(std::move(New));
  return true;
}

bool IterationModel::build(const Value &Base, ArrayRef<ArrayAccess> Of) {
  if (Of.size() > MaxAccesses)
    return false;
  // Each block comes after its predecessors, except for the headers of loops.
  LoopBlocksRPO Blocks(const_cast<Loop *>(&L));
  Blocks.perform(&LI);
  for (const BasicBlock *BB : Blocks)
    for (const Instruction &I : *BB)
      Order[&I] = int(Order.size());
  SmallVector<LinearForm, 16> Offsets;
  const SCEV *Start = SE.getSCEV(const_cast<Value *>(&Base));
  for (const ArrayAccess &Each : Of) {
    LinearForm &Offset = Offsets.emplace_back();
    SmallVector<const SCEV *, 2> Others;
    const SCEV *Address = SE.getSCEV(const_cast<Value *>(Each.Pointer));
    if (!splitAffine(SE.getMinusSCEV(Address, Start), Offset, Others) || !Others.empty() ||
        Each.Bytes == 0)
      return false;
    ElementBytes = ElementBytes == 0 ? Each.Bytes : std::min(ElementBytes, Each.Bytes);
  }
  for (const auto &[Each, Offset] : zip_equal(Of, Offsets))
    if (!add(Each, Offset, ElementBytes))
      return false;
  Written = setAt("{ a[e] : false }");
  isl::set Read = Written;
  const auto InAny = [](const isl::map &Elements) {
    return Elements.range().project_out_all_params();
  };
  for (const Access &Each : Accesses)
    (Each.Of->IsWrite ? Written : Read) =
        (Each.Of->IsWrite ? Written : Read).unite(InAny(Each.Elements));
  if (isl_ctx_last_error(Context.get()) != isl_error_none)
    return false;
  // Numbers in this range do not wrap around.
  const isl::set InRange = setAt("{ a[e] : 0 <= e < " +
                                 std::to_string(uint64_t(MaxExpandedBytes) / ElementBytes) + " }");
  return Written.unite(Read).is_subset(InRange).is_true() && Written.is_empty().is_false();
}

/// Returns those statements among the parameters of \p Flow that must be executed so that each
/// iteration of \p Reads has a source. Returns nothing if that is not enough.
std::optional<SmallVector<unsigned, 4>> IterationModel::neededWrites(const DataflowOfRead &Flow,
                                                                     const isl::set &Reads) const {
  const isl::set Open = Flow.NoSource.intersect(Reads);
  if (Open.is_empty().is_true())
    return SmallVector<unsigned, 4>{};
  SmallVector<const SourceParameters *, 4> Needed;
  for (const SourceParameters &Each : Flow.Parameters)
    if (!Each.Executed.empty() && Accesses[Each.Statement].Path.Sufficient)
      Needed.push_back(&Each);
  // If a write is always executed, its parameter is 1 wherever the write exists.
  const auto IsEnough = [&](ArrayRef<const SourceParameters *> Executed) {
    isl::set Rest = Open;
    for (const SourceParameters *Each : Executed) {
      const isl::set Any = setAt("[" + Each->Executed + "] -> { : " + Each->Executed + " = 1 }");
      const isl::set None = setAt("[" + Each->Executed + "] -> { : " + Each->Executed + " = 0 }");
      const isl::set Where = Each->Candidates.domain();
      Rest = Rest.intersect(Where).intersect_params(Any).unite(
          Rest.subtract(Where).intersect_params(None));
    }
    return Rest.is_empty().is_true();
  };
  if (!IsEnough(Needed))
    return std::nullopt;
  for (size_t I = 0; I < Needed.size();) {
    SmallVector<const SourceParameters *, 4> Fewer(Needed);
    Fewer.erase(Fewer.begin() + I);
    if (IsEnough(Fewer))
      Needed = Fewer;
    else
      ++I;
  }
  SmallVector<unsigned, 4> Statements;
  for (const SourceParameters *Each : Needed)
    Statements.push_back(Each->Statement);
  return Statements;
}

bool IterationModel::demandWrites(const DataflowOfRead &Flow, const isl::set &Reads,
                                  bool IsLastOnly, SmallVectorImpl<BranchDemand> &Demands) const {
  const auto Needed = neededWrites(Flow, Reads);
  if (!Needed)
    return false;
  for (const unsigned Statement : *Needed)
    for (const BranchDirection &Each : *Accesses[Statement].Path.Sufficient) {
      const auto IsSame = [&](const BranchDemand &Known) { return Known.Branch == Each.Branch; };
      if (any_of(Demands, [&](const BranchDemand &Known) {
            return IsSame(Known) && Known.IsFirst != Each.IsFirst;
          }))
        return false; // it cannot go in both directions
      if (none_of(Demands, [&](const BranchDemand &Known) {
            return IsSame(Known) && (IsLastOnly || !Known.IsLastOnly);
          }))
        Demands.push_back({Each.Branch, Each.IsFirst, IsLastOnly, Last});
    }
  return true;
}

/// Returns the branch that decides whether an iteration writes all elements or none, if there is
/// one. \p End is the dataflow of a read of all elements at the end of an iteration.
std::optional<BranchDirection> IterationModel::commonBranch(const DataflowOfRead &End) const {
  const isl::set InAny = setAt("[i] -> { End[e] : 0 <= i <= " + std::to_string(Last) + " }");
  const auto Needed = neededWrites(End, InAny);
  if (!Needed || Needed->empty())
    return std::nullopt;
  const auto &Only = *Accesses[Needed->front()].Path.Sufficient;
  if (Only.size() != 1 || LI.getLoopFor(Only.front().Branch->getParent()) != &L)
    return std::nullopt;
  const bool AreAll = all_of(Accesses, [&](const Access &Each) {
    return !Each.Of->IsWrite ||
           (Each.Path.Sufficient && any_of(*Each.Path.Sufficient, [&](const BranchDirection &Of) {
              return Of.Branch == Only.front().Branch && Of.IsFirst == Only.front().IsFirst;
            }));
  });
  const bool IsEnough = all_of(*Needed, [&](unsigned Statement) {
    return Accesses[Statement].Path.Sufficient->size() == 1;
  });
  return AreAll && IsEnough ? std::optional(Only.front()) : std::nullopt;
}

bool IterationModel::demand(bool IsReadBehind, ConditionalArray &To, std::string &Note) const {
  SmallVectorImpl<BranchDemand> &Demands = To.Demands;
  const DataflowAnalysis Analysis(Program);
  for (const auto &[Statement, Each] : enumerate(Accesses)) {
    if (Each.Of->IsWrite)
      continue;
    const auto Flow = Analysis.of(unsigned(Statement), Each.Elements);
    if (!Flow)
      return false;
    if (!demandWrites(*Flow, Each.Elements.domain(), /*IsLastOnly=*/false, Demands)) {
      char *Text = isl_set_to_str(Flow->NoSource.get());
      Note = std::string("reads before writes: ") + (Text ? Text : "");
      free(Text);
      return false;
    }
  }
  if (!IsReadBehind)
    return true;
  // The additional statement reads all elements at the end of an iteration.
  ConditionalProgram WithEnd = Program;
  const isl::map Elements = mapAt("{ End[e] -> a[e] }").intersect_range(Written);
  if (Elements.is_null())
    return false;
  WithEnd.Statements.push_back({Elements.domain(), {INT_MAX, 0}, {}, {}});
  const auto Flow = DataflowAnalysis(WithEnd).of(unsigned(Program.Statements.size()), Elements);
  const isl::set InLast = setAt("[i] -> { End[e] : i = " + std::to_string(Last) + " }");
  if (Flow && Demands.empty())
    To.WrittenIf = commonBranch(*Flow);
  if (To.WrittenIf)
    return true;
  if (Flow && demandWrites(*Flow, InLast, /*IsLastOnly=*/true, Demands))
    return true;
  Note = "the last iteration need not write what others have written";
  return false;
}

std::optional<std::pair<uint64_t, uint64_t>> IterationModel::bytes() const {
  const std::optional<IntegerRange> Elements = rangeOf(Written, 0);
  if (!Elements)
    return std::nullopt;
  return std::pair{uint64_t(Elements->First) * ElementBytes,
                   uint64_t(Elements->size()) * ElementBytes};
}

} // namespace

std::optional<ConditionalArray> conditionalArrayAt(Value &Base, ArrayRef<ArrayAccess> Accesses,
                                                   const Loop &L, bool IsReadBehind,
                                                   function_ref<bool(const LoadInst &)> IsConstant,
                                                   FunctionAnalysisManager &FAM,
                                                   std::string &Note) {
  Function &F = *L.getHeader()->getParent();
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  const auto &LI = FAM.getResult<LoopAnalysis>(F);
  const SCEV *Count = backedgesOf(L, SE);
  const auto *Last = Count ? dyn_cast<SCEVConstant>(Count) : nullptr;
  if (!Last || !Last->getAPInt().isIntN(32) || !isOnlyAccessed(Base, L) || !isReducible(L, LI) ||
      !all_of(L.getLoopsInPreorder(), [](const Loop *In) { return isLeftBehindLatch(*In); }))
    return std::nullopt;
  PathConditions Paths(L, LI, SE, FAM.getResult<PostDominatorTreeAnalysis>(F), IsConstant);
  const auto LastIteration = int64_t(Last->getAPInt().getZExtValue());
  IterationModel Model(L, LastIteration, Paths, LI, SE);
  ConditionalArray Found;
  if (!Model.build(Base, Accesses) || !Model.demand(IsReadBehind, Found, Note))
    return std::nullopt;
  const auto Bytes = Model.bytes();
  if (!Bytes)
    return std::nullopt;
  Found.Array = {&Base, Bytes->first, Bytes->second, LastIteration};
  return Found;
}

} // namespace specrt
