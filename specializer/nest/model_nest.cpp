//===- specializer/nest/model_nest.cpp - the loops of a function in the model -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/nest/model_nest.h"
#include "analysis/memory/linear_form.h"
#include "polly/CodePreparation.h"
#include "polly/ScopInfo.h"
#include "specializer/feedback/loop_values.h"
#include "specializer/instrumentation/recorded_accesses.h"
#include "specializer/nest/model_dependences.h"
#include "specializer/polyhedral/model/detected_scops.h"
#include "specializer/polyhedral/model/iteration_scopes.h"
#include "specializer/polyhedral/model/polly_options.h"
#include "specializer/polyhedral/model/reload_scalars.h"
#include "specializer/polyhedral/model/row_marks.h"
#include "specializer/polyhedral/model/unordered_calls.h"
#include "specializer/polyhedral/ragged/ragged_arrays.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {
namespace {

/// Number of rows that are drawn.
constexpr int64_t MaxRows = 8;

class Describer {
public:
  Describer(Function &F, FunctionAnalysisManager &FAM) : F(F), FAM(FAM) {}

  ModelNest run();

private:
  bool describeCode();
  std::optional<int64_t> strideAlong(const Loop &L, const SCEV *Address);
  void describeStrides(const Instruction &Access, unsigned Index);
  void describeModels();
  void describe(polly::Scop &S);
  void describeRows(const polly::Scop &S);
  bool mayWrite(const Loop &L) const;
  unsigned indexOf(const Loop &L) const { return Tables.LoopIndex.lookup(L.getHeader()); }
  LoopInfo &loops() { return FAM.getResult<LoopAnalysis>(F); }

  Function &F;
  FunctionAnalysisManager &FAM;
  RecordedTables Tables;
  ModelNest Result;
};

/// Returns whether the loop may write memory.
bool Describer::mayWrite(const Loop &L) const {
  return any_of(L.blocks(), [](const BasicBlock *Block) {
    return any_of(*Block, [](const Instruction &I) { return I.mayWriteToMemory(); });
  });
}

/// Returns the distance in bytes that \p Address moves per iteration of \p L; nothing if it is not
/// a multiple of the counter plus an invariant. Row pointers are invariant while their addresses
/// are.
std::optional<int64_t> Describer::strideAlong(const Loop &L, const SCEV *Address) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  LinearForm Offset;
  SmallVector<const SCEV *, 2> Others;
  const auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(Address));
  if (!Base || !splitAffine(SE.removePointerBase(Address), Offset, Others) ||
      any_of(Others, [&](const SCEV *Other) { return !SE.isLoopInvariant(Other, &L); }))
    return std::nullopt;
  if (!SE.isLoopInvariant(Base, &L)) {
    auto *Row = dyn_cast<LoadInst>(Base->getValue());
    if (!Row || !rowMarkOf(*Row) || strideAlong(L, SE.getSCEV(Row->getPointerOperand())) != 0)
      return std::nullopt;
  }
  return Offset.factor(&L);
}

void Describer::describeStrides(const Instruction &Access, unsigned Index) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  specrt_nest_number *Strides = &Result.Strides[size_t{Index} * SPECRT_MAX_RECORDED_DEPTH];
  const SCEV *Address = SE.getSCEV(const_cast<Value *>(getLoadStorePointerOperand(&Access)));
  for (const Loop *L = loops().getLoopFor(Access.getParent()); L; L = L->getParentLoop())
    if (const std::optional<int64_t> Stride = strideAlong(*L, Address))
      Strides[L->getLoopDepth() - 1] = {.value = *Stride, .is_known = 1, .reserved = 0};
}

/// Returns false if there is nothing to report, or too much.
bool Describer::describeCode() {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  Expected<RecordedTables> Found = recordedTables(F, loops(), SE, WhichAccesses::All);
  if (!Found) {
    consumeError(Found.takeError());
    return false;
  }
  Tables = std::move(*Found);
  for (Loop *L : loops().getLoopsInPreorder())
    Result.Loops.push_back({.in_code = Tables.Loops[indexOf(*L)],
                            .trips = SE.getSmallConstantMaxTripCount(L),
                            .is_known = !mayWrite(*L),
                            .reserved = 0});
  Result.Accesses = Tables.Accesses;
  Result.Carried = carriedValues(loops(), SE, Tables.LoopIndex);
  Result.Strides.resize(Result.Accesses.size() * SPECRT_MAX_RECORDED_DEPTH);
  for (const auto &[Access, Index] : Tables.AccessIndex)
    describeStrides(*Access, Index);
  return !Result.Loops.empty();
}

/// Describes the iterations of an innermost loop in those of the only loop around it, as far as
/// sizes are known.
void Describer::describeRows(const polly::Scop &S) {
  for (const polly::ScopStmt &Stmt : S) {
    const Loop *Inner = Stmt.getSurroundingLoop();
    if (Stmt.getNumIterators() != 2 || !Inner || Inner->getLoopDepth() != 2 ||
        !Inner->isInnermost())
      continue;
    std::vector<specrt_nest_row> Rows;
    const isl::set Domain = Stmt.getDomain();
    if (Domain.involves_dims(isl::dim::param, 0, unsigned(Domain.dim(isl::dim::param).release())))
      continue;
    for (int64_t Outer = 0; Outer < MaxRows; ++Outer) {
      const isl::set Row = Domain.fix_si(isl::dim::set, 0, int(Outer));
      const isl::val First = Row.dim_min_val(1), Last = Row.dim_max_val(1);
      if (!First.is_null() && !Last.is_null() && First.is_int() && Last.is_int())
        Rows.push_back({.outer = Outer, .first = First.get_num_si(), .last = Last.get_num_si()});
    }
    if (Rows.size() <= Result.Rows.size())
      continue;
    Result.Rows = std::move(Rows);
    Result.InnerLoop = indexOf(*Inner);
  }
}

/// Describes what the loops of a Scop carry, unless one of their accesses has no number.
void Describer::describe(polly::Scop &S) {
  SmallPtrSet<const Loop *, 8> Unknown;
  std::vector<NumberedAccess> Accesses;
  const Loop *Around = loops().getLoopFor(S.getRegion().getEntry());
  while (Around && S.contains(Around))
    Around = Around->getParentLoop();
  const unsigned Outside = Around ? Around->getLoopDepth() : 0;
  for (polly::ScopStmt &Stmt : S)
    for (const polly::MemoryAccess *Access : Stmt) {
      if (!Access->isOriginalArrayKind())
        continue;
      const auto Found = Tables.AccessIndex.find(Access->getAccessInstruction());
      if (Found != Tables.AccessIndex.end() &&
          Tables.Accesses[Found->second].depth == Outside + Stmt.getNumIterators()) {
        Accesses.push_back({Access, Found->second});
        continue;
      }
      const Instruction *At = Access->getAccessInstruction();
      for (const Loop *L = loops().getLoopFor(At ? At->getParent() : Stmt.getEntryBlock());
           L && S.contains(L); L = L->getParentLoop())
        Unknown.insert(L);
    }
  if (!ModelDependences(S, Outside, Tables.Accesses, Accesses).addTo(Result.Dependences))
    return;
  for (const Loop *L : loops().getLoopsInPreorder())
    if (S.contains(L) && !Unknown.contains(L))
      Result.Loops[indexOf(*L)].is_known = 1;
  describeRows(S);
}

void Describer::describeModels() {
  const UnorderedCalls Pure(F);
  PollyOptionScope Options;
  setPollyOptions(Options, /*Parallel=*/false, /*ForceParallel=*/false);
  polly::runCodePreparation(F, &FAM.getResult<DominatorTreeAnalysis>(F), &loops(), nullptr);
  DetectedScops Detected(F, FAM);
  polly::ScopInfo Scops = Detected.model();
  for (const Region *R : Detected.Detection)
    if (Detected.Detection.isMaxRegionInScop(*R, /*Verify=*/false))
      if (polly::Scop *S = Scops.getScop(const_cast<Region *>(R)))
        describe(*S);
}

ModelNest Describer::run() {
  if (!describeCode())
    return {};
  writeAsRagged(F, FAM);
  describeModels();
  return std::move(Result);
}

/// Removes redundant counters of loops.
void mergeCounters(Function &F, FunctionAnalysisManager &FAM) {
  SmallVector<WeakTrackingVH> Unused;
  SCEVExpander Expander(FAM.getResult<ScalarEvolutionAnalysis>(F), "nest");
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    Expander.replaceCongruentIVs(L, &FAM.getResult<DominatorTreeAnalysis>(F), Unused);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Unused);
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  FAM.invalidate(F, Kept);
}

} // namespace

specrt_nest ModelNest::plain() const {
  return {.loops = Loops.data(),
          .accesses = Accesses.data(),
          .strides = Strides.data(),
          .dependences = Dependences.data(),
          .carried = Carried.data(),
          .rows = Rows.data(),
          .num_loops = uint32_t(Loops.size()),
          .num_accesses = uint32_t(Accesses.size()),
          .num_dependences = uint32_t(Dependences.size()),
          .num_carried = uint32_t(Carried.size()),
          .num_rows = uint32_t(Rows.size()),
          .inner_loop = InnerLoop};
}

ModelNest describeNest(Function &F, FunctionAnalysisManager &FAM, function_ref<bool()> Expired) {
  forgetIterationScopes(F, FAM);
  reloadScalars(F, FAM, Expired);
  mergeCounters(F, FAM);
  ModelNest Told;
  if (!Expired())
    Told = Describer(F, FAM).run();
  FAM.invalidate(F, PreservedAnalyses::none());
  return Told;
}

} // namespace specrt
