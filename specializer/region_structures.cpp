//===- specializer/region_structures.cpp - propagates zeros through a function -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/region_structures.h"
#include "polly/Support/GICHelper.h"
#include "specializer/module/host_target.h"
#include "specializer/module/region_module.h"
#include "specializer/module/user_module.h"
#include "specializer/polyhedral/model/polly_options.h"
#include "specializer/sparse/equations/equations_text.h"
#include "structure/propagation/iteration_boxes.h"
#include "structure/propagation/propagation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "isl/set.h"
#include "isl/val.h"

#include <chrono>

using namespace llvm;

namespace specrt {

void RegionStructures::fail(std::string Why) {
  Error = std::move(Why);
  static_cast<specrt_structures &>(*this) = {};
  error = Error.c_str();
}

namespace {

/// Limit on isl's work for the text of equations and the check of assumptions: some seconds.
constexpr unsigned long MaxOperations = 20'000'000;
static_assert(MaxDimensions == SPECRT_STRUCTURE_MAX_DIMENSIONS);

/// Returns the argument that a source variable at \p Location holds; unoptimised code stores it
/// first.
Argument *argumentIn(Value *Location) {
  if (auto *Room = dyn_cast_or_null<AllocaInst>(Location))
    for (User *U : Room->users())
      if (auto *Store = dyn_cast<StoreInst>(U); Store && isa<Argument>(Store->getValueOperand()))
        return cast<Argument>(Store->getValueOperand());
  return dyn_cast_or_null<Argument>(Location);
}

/// Gives arguments their names in the source.
void nameArguments(Function &F) {
  for (Argument &A : F.args())
    if (!A.hasName())
      A.setName("arg" + Twine(A.getArgNo() + 1));
  for (Instruction &I : instructions(F))
    for (const DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange())) {
      const DILocalVariable *Variable = Record.getVariable();
      if (Record.hasArgList() || !Variable || Variable->getName().empty() ||
          Record.getExpression()->getNumElements() != 0)
        continue;
      if (Argument *A = argumentIn(Record.getVariableLocationOp(0)))
        A->setName(Variable->getName());
    }
}

bool isCalled(const Function &F, StringRef Name) {
  if (F.getName() == Name || (F.getSubprogram() && F.getSubprogram()->getName() == Name))
    return true;
  const std::string Demangled = demangle(F.getName());
  return Demangled == Name || StringRef(Demangled).starts_with((Name + "(").str());
}

Expected<Function *> findFunction(Module &M, StringRef Name) {
  SmallVector<Function *> Found;
  std::string All;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    if (F.getName() == Name)
      return &F;
    if (isCalled(F, Name))
      Found.push_back(&F);
    All += (All.empty() ? "" : ", ") + demangle(F.getName());
  }
  if (Found.size() == 1)
    return Found.front();
  return createStringError(Found.empty() ? "it has no function " + Name + ", but " +
                                               (All.empty() ? "none at all" : All)
                                         : Twine(Name) + " is more than one of its functions");
}

/// Prepares \p F: keeps its loops as they are, and marks its arrays noalias.
void prepareFunction(Function &F) {
  nameArguments(F);
  for (Argument &A : F.args())
    if (A.getType()->isPointerTy())
      A.addAttr(Attribute::NoAlias);
  // errno does not matter here.
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Call = dyn_cast<CallInst>(&I);
        Call && Call->getCalledFunction() &&
        is_contained({"sqrt", "sqrtf"}, Call->getCalledFunction()->getName()) &&
        Call->arg_size() == 1 && Call->getType()->isFloatingPointTy()) {
      IRBuilder<> B(Call);
      Call->replaceAllUsesWith(B.CreateUnaryIntrinsic(Intrinsic::sqrt, Call->getArgOperand(0)));
      Call->eraseFromParent();
    }
  F.addFnAttr("no-builtin-memset");
  F.addFnAttr("no-builtin-memcpy");
  if (F.hasLocalLinkage())
    F.setLinkage(GlobalValue::ExternalLinkage); // keeps it from being removed as unused
}

} // namespace

class StructureSearch::Propagator {
public:
  Propagator(const specrt_structure_request &Request, RegionStructures &To)
      : Request(Request), To(To),
        Budget(std::chrono::milliseconds(Request.budget_ms ? Request.budget_ms
                                                           : SPECRT_STRUCTURE_BUDGET_MS)) {}

  Error prepare();
  Error run();

private:
  Error checkRequest() const;
  Expected<ScopEquations> model();
  Error setParameters(const ScopEquations &Nest);
  Error inferFrom(const specrt_array_structure &Input);
  Error checkAssumptions(const ScopEquations &Nest) const;
  Error checkSizes() const;
  std::string sizesText() const;
  Expected<unsigned> arrayOf(const specrt_array_structure &Input) const;
  Expected<ArrayStructure> structureOf(const specrt_array_structure &Input) const;
  Error addPoint(const specrt_array_structure &Input, const specrt_box &From, Boxes &Into) const;
  int64_t accessedExtent(unsigned Array, unsigned Dimension) const;
  void answer(const PropagationResult &Result);

  const specrt_structure_request &Request;
  RegionStructures &To;
  CompileBudget Budget; ///< of the thread that does everything
  DenseProgram Program; ///< with its parameters; later without them
  std::vector<std::optional<int64_t>> Values;
};

/// Builds the equations of the nest, in a context of its own.
Expected<ScopEquations> StructureSearch::Propagator::model() {
  Expected<std::unique_ptr<TargetMachine>> TM = createHostTarget();
  if (!TM)
    return TM.takeError();
  std::unique_ptr<LLVMContext> Context = createQuietContext();
  const StringRef File(static_cast<const char *>(Request.bitcode), Request.bitcode_size);
  Expected<std::unique_ptr<Module>> M = readUserModule({File, "specrt"}, **TM, *Context);
  if (!M)
    return M.takeError();
  Expected<Function *> Named = findFunction(**M, Request.region);
  if (!Named)
    return Named.takeError();
  Function &F = **Named;
  prepareFunction(F);
  Optimizer Passes(**TM, Budget);
  {
    PollyOptionScope Scope;
    Scope.set("enable-pre", false); // it leaves pointers in phis
    canonicalizeUserModule(**M, Passes);
  }
  std::vector<ScopEquations> Nests = equationsOfScops(F, Passes.functions());
  if (Budget.expired())
    return createStringError(Budget.reason());
  if (Request.nest >= Nests.size())
    return createStringError(Twine(Request.region) +
                             (Nests.empty()
                                  ? Twine(" has no loop nest that is affine")
                                  : " has only " + Twine(Nests.size()) + " that are affine"));
  ScopEquations Found = std::move(Nests[Request.nest]);
  if (!Found.Program)
    return createStringError("its loops cannot be propagated through: " + Found.WithoutProgram);
  return Found;
}

Expected<unsigned> StructureSearch::Propagator::arrayOf(const specrt_array_structure &Input) const {
  std::string All;
  for (unsigned I = 0; I < Program.Arrays.size(); ++I) {
    const DenseArray &Array = Program.Arrays[I];
    if (Array.Name == Input.array)
      return I;
    if (!Array.IsTemporary)
      All += (All.empty() ? "" : ", ") + Array.Name;
  }
  return createStringError(Twine("there is no array ") + Input.array + ", but " + All);
}

/// Takes the values of parameters that are extents from those of \p Input.
Error StructureSearch::Propagator::inferFrom(const specrt_array_structure &Input) {
  Expected<unsigned> Number = arrayOf(Input);
  if (!Number)
    return Number.takeError();
  const DenseArray &Array = Program.Arrays[*Number];
  if (Array.Rank != Input.num_dimensions)
    return Error::success();
  for (unsigned D = 0; D < Array.Rank; ++D) {
    const AffineValue &Extent = Array.Extents[D];
    std::optional<size_t> Only;
    for (size_t P = 0; P < Extent.Parameters.size(); ++P)
      if (Extent.Parameters[P] != 0) {
        if (Only || Extent.Parameters[P] != 1)
          return Error::success();
        Only = P;
      }
    if (Input.extent[D] <= 0 || !Only)
      continue;
    const int64_t Value = Input.extent[D] - Extent.Constant;
    if (Values[*Only].value_or(Value) != Value)
      return createStringError(Program.Parameters[*Only] + " is " + Twine(*Values[*Only]) +
                               ", but " + Input.array + " says " + Twine(Value));
    Values[*Only] = Value;
  }
  return Error::success();
}

Error StructureSearch::Propagator::setParameters(const ScopEquations &Nest) {
  Program = *Nest.Program;
  Values.resize(Program.Parameters.size());
  for (const specrt_parameter &Given : ArrayRef(Request.values, Request.num_values)) {
    const auto Found = find(Program.Parameters, Given.name);
    if (Found == Program.Parameters.end())
      return createStringError(Twine("no size is called ") + Given.name +
                               (Program.Parameters.empty()
                                    ? "; all are known"
                                    : "; there are " + join(Program.Parameters, ", ")));
    Values[size_t(Found - Program.Parameters.begin())] = Given.value;
  }
  for (const specrt_array_structure &Input : ArrayRef(Request.inputs, Request.num_inputs))
    if (Error E = inferFrom(Input))
      return E;
  for (size_t P = 0; P < Values.size(); ++P) {
    const std::string &Name = Program.Parameters[P];
    if (!Values[P])
      return createStringError("it is not known what " + Name + " is: give a value for it");
    if (*Values[P] <= -FarAway || *Values[P] >= FarAway)
      return createStringError(Name + " is out of range: " + Twine(*Values[P]));
    To.Parameters.push_back({To.Names.emplace_back(Name).c_str(), *Values[P]});
  }
  return Error::success();
}

std::string StructureSearch::Propagator::sizesText() const {
  std::string Text;
  for (const specrt_parameter &P : To.Parameters)
    Text += (Text.empty() ? "" : ", ") + std::string(P.name) + " == " + std::to_string(P.value);
  return Text;
}

/// Checks that the model is valid for the parameters' values.
Error StructureSearch::Propagator::checkAssumptions(const ScopEquations &Nest) const {
  const polly::IslMaxOperationsGuard Limit(Nest.Context.get(), MaxOperations);
  isl::set Left = Nest.Assumptions;
  for (size_t P = 0; P < Values.size(); ++P)
    for (unsigned D = 0; D < unsigned(isl_set_dim(Left.get(), isl_dim_param)); ++D)
      if (Left.get_dim_id(isl::dim::param, D).name() == Program.Parameters[P])
        Left = isl::manage(isl_set_fix_val(Left.release(), isl_dim_param, D,
                                           isl_val_int_from_si(Nest.Context.get(), *Values[P])));
  const isl::boolean IsNever = Left.is_null() ? isl::boolean() : Left.is_empty();
  if (IsNever.is_error())
    return createStringError("it takes too long to see whether the model of its loops holds");
  if (IsNever.is_true())
    return createStringError("the model of its loops does not hold for " + sizesText());
  return Error::success();
}

/// Checks that arrays have elements, and statements iterations, for the given values.
Error StructureSearch::Propagator::checkSizes() const {
  for (const DenseArray &Array : Program.Arrays)
    for (unsigned D = 1; D < Array.Rank; ++D)
      if (Array.Extents[D].Constant <= 0)
        return createStringError(Array.Name + " has no elements: its extent in dimension " +
                                 Twine(D + 1) + " is " + Twine(Array.Extents[D].Constant));
  const auto Runs = [](const DenseStatement &S) {
    Box All;
    for (unsigned L = 0; L < std::min(S.Depth, MaxDimensions); ++L)
      All.Sides[L] = {0, FarAway};
    return any_of(S.Domain,
                  [&](const Conjunction &Where) { return !narrowed(Where, All).isEmpty(); });
  };
  if (none_of(Program.Statements, Runs))
    return createStringError("no loop has an iteration" +
                             (Values.empty() ? "" : " where " + sizesText()));
  return Error::success();
}

/// Adds \p From as a box of the program's array. An input of two dimensions may describe
/// consecutive rows.
Error StructureSearch::Propagator::addPoint(const specrt_array_structure &Input,
                                            const specrt_box &From, Boxes &Into) const {
  const DenseArray &Array = Program.Arrays[cantFail(arrayOf(Input))];
  Box New;
  for (unsigned D = 0; D < Input.num_dimensions; ++D) {
    if (From.first[D] < 0 || From.last[D] < From.first[D] || From.last[D] >= FarAway ||
        (Input.extent[D] > 0 && From.last[D] >= Input.extent[D]))
      return createStringError(Twine("a box of ") + Input.array + " is not within its extents");
    New.Sides[D] = {From.first[D], From.last[D]};
  }
  if (Array.Rank == Input.num_dimensions) {
    Into.push_back(New);
    return Error::success();
  }
  const int64_t Pitch = Input.extent[1];
  if (From.last[0] * Pitch + From.last[1] >= FarAway)
    return createStringError(Twine(Input.array) + " has too many elements");
  for (int64_t Row = From.first[0]; Row <= From.last[0]; ++Row) {
    Box &Part = Into.emplace_back();
    Part.Sides[0] = {static_cast<int32_t>(Row * Pitch + From.first[1]),
                     static_cast<int32_t>(Row * Pitch + From.last[1])};
    if (Into.size() > MaxBoxes)
      return createStringError(Twine(Input.array) + " has too many boxes");
  }
  return Error::success();
}

Expected<ArrayStructure>
StructureSearch::Propagator::structureOf(const specrt_array_structure &Input) const {
  if (Input.num_dimensions == 0)
    return Input.is_everywhere ? ArrayStructure() : ArrayStructure(Boxes());
  const DenseArray &Array = Program.Arrays[cantFail(arrayOf(Input))];
  const bool IsFlat = Array.Rank == 1 && Input.num_dimensions == 2 && Input.extent[1] > 0;
  if (Array.Rank != Input.num_dimensions && !IsFlat)
    return createStringError(Twine(Input.array) + " has " + Twine(Array.Rank) +
                             (Array.Rank == 1 ? " dimension, not " : " dimensions, not ") +
                             Twine(Input.num_dimensions));
  for (unsigned D = 1; D < Array.Rank; ++D)
    if (const int64_t Known = Array.Extents[D].Constant;
        Known > 0 && Input.extent[D] > 0 && Known != Input.extent[D])
      return createStringError(Twine(Input.array) + " has extent " + Twine(Known) +
                               " in dimension " + Twine(D + 1) + ", not " + Twine(Input.extent[D]));
  if (Input.is_everywhere)
    return ArrayStructure();
  Boxes All;
  for (const specrt_box &From : ArrayRef(Input.boxes, Input.num_boxes))
    if (Error E = addPoint(Input, From, All))
      return E;
  return ArrayStructure(inSlabs(std::move(All)));
}

/// Returns the extent of the elements that the loops access.
int64_t StructureSearch::Propagator::accessedExtent(unsigned Array, unsigned Dimension) const {
  int64_t Most = -1;
  const auto Look = [&](const DenseStatement &S, const DenseAccess &Access) {
    if (Access.Array != Array)
      return;
    for (const Conjunction &Where : S.Domain) {
      Box Counters;
      for (unsigned L = 0; L < std::min(S.Depth, MaxDimensions); ++L)
        Counters.Sides[L] = {0, FarAway};
      if (Counters = narrowed(Where, Counters); !Counters.isEmpty())
        Most = std::max(Most, rangeOf(Access.Subscripts[Dimension], Counters).second);
    }
  };
  for (const DenseStatement &S : Program.Statements) {
    Look(S, S.Write);
    for (const DenseAccess &Read : S.Reads)
      Look(S, Read);
  }
  return Most < FarAway ? Most + 1 : 0;
}

namespace {

/// Returns the box of an array's extents, to which an array that is nonzero everywhere is limited.
Box withinExtents(const specrt_array_structure &A) {
  Box All;
  for (unsigned D = 0; D < A.num_dimensions; ++D)
    All.Sides[D] = {0, static_cast<int32_t>(A.extent[D] > 0
                                                ? std::min<int64_t>(A.extent[D], FarAway) - 1
                                                : FarAway)};
  return All;
}

void addBox(const Box &From, std::vector<specrt_box> &To) {
  if (From.isEmpty())
    return;
  specrt_box &Copy = To.emplace_back();
  for (unsigned D = 0; D < MaxDimensions; ++D) {
    Copy.first[D] = From.Sides[D].Low;
    Copy.last[D] = From.Sides[D].High;
  }
}

bool reachesFar(const specrt_box &B) { return is_contained(B.last, FarAway); }

} // namespace

void StructureSearch::Propagator::answer(const PropagationResult &Result) {
  for (unsigned I = 0; I < Program.Arrays.size(); ++I) {
    const DenseArray &Array = Program.Arrays[I];
    if (Array.IsTemporary)
      continue;
    specrt_array_structure &New = To.Arrays.emplace_back();
    New = {};
    New.array = To.Names.emplace_back(Array.Name).c_str();
    New.num_dimensions = Array.Rank;
    for (const DenseStatement &S : Program.Statements) {
      New.is_written |= S.Write.Array == I;
      New.is_read |= any_of(S.Reads, [&](const DenseAccess &Read) { return Read.Array == I; });
    }
    for (unsigned D = 0; D < Array.Rank; ++D)
      New.extent[D] =
          D && Array.Extents[D].Constant > 0 ? Array.Extents[D].Constant : accessedExtent(I, D);
    New.is_everywhere = !Result.Arrays[I];
    for (const specrt_array_structure &Input : ArrayRef(Request.inputs, Request.num_inputs))
      if (Array.Name == Input.array && Input.num_dimensions == Array.Rank && Input.extent[0] > 0)
        New.extent[0] = Input.extent[0];
    std::vector<specrt_box> &All = To.Boxes.emplace_back();
    if (Result.Arrays[I])
      for (const Box &From : *Result.Arrays[I])
        addBox(From & withinExtents(New), All);
    if (any_of(All, reachesFar)) { // nothing accesses it, or its extent is unknown
      All.clear();
      New.is_everywhere = true;
    }
    New.boxes = All.data();
    New.num_boxes = All.size();
  }
  To.arrays = To.Arrays.data();
  To.num_arrays = static_cast<uint32_t>(To.Arrays.size());
  To.parameters = To.Parameters.data();
  To.num_parameters = static_cast<uint32_t>(To.Parameters.size());
  To.equations = To.Equations.c_str();
}

Error StructureSearch::Propagator::checkRequest() const {
  if (!Request.bitcode || !Request.region)
    return createStringError("the request names no bitcode or no region");
  for (const specrt_parameter &Given : ArrayRef(Request.values, Request.num_values))
    if (!Given.name)
      return createStringError("a value has no name");
  for (const specrt_array_structure &Input : ArrayRef(Request.inputs, Request.num_inputs))
    if (!Input.array || Input.num_dimensions > MaxDimensions ||
        any_of(Input.extent, [](int64_t Extent) { return Extent < 0 || Extent > FarAway; }))
      return createStringError("an input has no name, too many dimensions, or is too large");
  return Error::success();
}

Error StructureSearch::Propagator::prepare() {
  if (Error E = checkRequest())
    return E;
  Expected<ScopEquations> Nest = model();
  if (!Nest)
    return Nest.takeError();
  if (Error E = setParameters(*Nest))
    return E;
  if (Error E = checkAssumptions(*Nest))
    return E;
  To.Equations = equationsText(*Nest, MaxOperations);
  if (To.Equations.empty())
    To.Equations = "No equations: they take isl too long.\n";
  return Error::success();
}

Error StructureSearch::Propagator::run() {
  std::vector<int64_t> Numbers;
  Numbers.reserve(To.Parameters.size());
  for (const specrt_parameter &P : To.Parameters)
    Numbers.push_back(P.value);
  Program = Program.with(Numbers);
  if (Error E = checkSizes())
    return E;
  std::vector<ArrayStructure> Inputs(Program.Arrays.size());
  for (const specrt_array_structure &Input : ArrayRef(Request.inputs, Request.num_inputs)) {
    Expected<ArrayStructure> One = structureOf(Input);
    if (!One)
      return One.takeError();
    Inputs[cantFail(arrayOf(Input))] = std::move(*One);
  }
  const PropagationResult Result = specrt::propagate(
      Program, std::move(Inputs), MaxPropagationSteps, [&] { return Budget.expired(); });
  if (!Result.Error.empty())
    return createStringError(Result.Error);
  answer(Result);
  return Error::success();
}

StructureSearch::StructureSearch(const specrt_structure_request &Request, RegionStructures &To)
    : To(To), Of(std::make_unique<Propagator>(Request, To)) {}

StructureSearch::~StructureSearch() = default;

bool StructureSearch::model() {
  Error E = Of->prepare();
  const bool IsDone = !E;
  if (E)
    To.fail(toString(std::move(E)));
  return IsDone;
}

void StructureSearch::propagate() {
  if (Error E = Of->run())
    To.fail(toString(std::move(E)));
}

} // namespace specrt
