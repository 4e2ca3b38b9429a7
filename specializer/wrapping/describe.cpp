//===- specializer/wrapping/describe.cpp - describes a C function as a region -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/wrapping/describe.h"
#include "analysis/description.h"
#include "analysis/kinds.h"
#include "analysis/library_calls.h"
#include "analysis/memory/memory_cells.h"
#include "analysis/module_bytes.h"
#include "analysis/rounding/fast_math.h"
#include "analysis/rounding/fusion.h"
#include "analysis/rounding/reordering.h"
#include "specializer/module/optimize.h"
#include "specializer/module/region_module.h"
#include "specializer/rounding/extrema.h"
#include "specializer/rounding/floating_point.h"
#include "specializer/rounding/fusion.h"
#include "specializer/wrapping/adapter.h"
#include "specializer/wrapping/isolation.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>

using namespace llvm;

namespace specrt {

void Description::fail(specrt_describe_status Status, const std::string &Why) {
  status = Status;
  error = keep(Why);
}

void Description::seal() {
  specrt_region &R = region;
  R.num_args = Kinds.size();
  R.arg_kinds = Kinds.data();
  R.arg_names = Names.data();
  R.symbols = Symbols.data();
  R.num_symbols = Symbols.size();
  R.accesses = Accesses.data();
  R.num_accesses = Accesses.size();
  R.loops = Loops.data();
  R.num_loops = Loops.size();
  R.cells = Cells.data();
  R.num_cells = Cells.size();
  R.bitcode = Bitcode.data();
  R.bitcode_size = Bitcode.size();
}

namespace {

class Describer {
public:
  Describer(const specrt_describe_request &Request, TargetMachine &TM, CompileBudget &Budget,
            Description &Result)
      : Request(Request), TM(TM), Budget(Budget), Result(Result), Context(createQuietContext()),
        Passes(TM, Budget) {}

  /// Each step returns false if it has stored an error in the result.
  void run() {
    if (!read() || !findFunction() || !materialize() || !adapt() || !simplify() || !check() ||
        !resolve())
      return;
    describeCode();
    Passes.forget();
    write();
    Result.seal();
  }

private:
  bool read();
  bool findFunction();
  bool materialize();
  bool adapt();
  bool simplify();
  bool check();
  std::string reasonAgainstRounding();
  bool resolve();
  /// Returns whether \p Symbol is a function of the C library whose results standards define
  /// exactly. Functions that compute a sine or allocate memory may be the library's own.
  bool hasOneMeaning(const GlobalValue &Symbol);
  void nameArguments();
  void describeSource();
  bool mayGiveMemoryAway() const;
  void describeCode();
  void write();
  bool fail(specrt_describe_status Status, const Twine &Why) {
    Result.fail(Status, Why.str());
    return false;
  }

  const specrt_describe_request &Request;
  TargetMachine &TM;
  CompileBudget &Budget;
  Description &Result;
  std::unique_ptr<LLVMContext> Context;
  std::unique_ptr<Module> M;
  Function *Original = nullptr;
  Function *Region = nullptr;
  LocalNames Locals;
  std::vector<const GlobalValue *> Symbols;
  /// Destroyed before the module, to which its analyses refer.
  Optimizer Passes;
};

/// Leaves function bodies unread until they are needed: see materialize().
bool Describer::read() {
  StringRef Bytes(static_cast<const char *>(Request.bitcode), Request.bitcode_size);
  Expected<std::unique_ptr<Module>> Parsed =
      getLazyBitcodeModule(MemoryBufferRef(Bytes, "specrt"), *Context);
  if (!Parsed)
    return fail(SPECRT_DESCRIBE_BITCODE,
                "the bitcode cannot be read: " + toString(Parsed.takeError()));
  M = std::move(*Parsed);
  const Triple &Made = M->getTargetTriple();
  if (Made.getArch() != TM.getTargetTriple().getArch() || !Made.isOSBinFormatELF())
    return fail(SPECRT_DESCRIBE_BITCODE,
                "the bitcode was made for " + Made.str() + ", not for this machine");
  return true;
}

bool Describer::findFunction() {
  StringRef Name = Request.function;
  Original = M->getFunction(Name);
  if (Original && !Original->isDeclaration())
    return true;
  std::string Hint;
  for (const Function &F : *M) {
    if (F.isDeclaration())
      continue;
    // "ns::dot(double*)" for dot.
    std::string Readable = demangle(F.getName());
    StringRef Plain = StringRef(Readable).split('(').first;
    if (F.getName() != Name && (Plain == Name || Plain.ends_with(("::" + Name).str())))
      Hint = (", but " + F.getName() + "; write that name in the signature").str();
  }
  return fail(SPECRT_DESCRIBE_BITCODE, "the bitcode does not define " + Name + Hint);
}

/// Reads the function and its callees. Reading the whole translation unit would take too long, and
/// LLVM ends the process when a complete module has damaged debug info.
bool Describer::materialize() {
  SmallVector<Function *> Work = {Original};
  while (!Work.empty()) {
    Function *F = Work.pop_back_val();
    if (!F->isMaterializable())
      continue;
    if (Error Problem = F->materialize())
      return fail(SPECRT_DESCRIBE_BITCODE,
                  "the bitcode cannot be read: " + toString(std::move(Problem)));
    for (Instruction &I : instructions(*F))
      for (Value *Operand : I.operand_values())
        if (auto *Used = dyn_cast<Function>(Operand))
          Work.push_back(Used);
  }
  replaceAliases(*M, Locals);
  for (Function &F : make_early_inc_range(*M)) {
    if (F.isMaterializable())
      dropDefinition(F);
    // Clang counts source parameters here, which is wrong, or even invalid, after a struct.
    F.removeFnAttr(Attribute::AllocSize);
    if (F.isDeclaration() && F.use_empty())
      F.eraseFromParent();
  }
  std::string Why;
  raw_string_ostream Stream(Why);
  if (!verifyModule(*M, &Stream))
    return true;
  return fail(SPECRT_DESCRIBE_BITCODE, "the bitcode is not valid: " + StringRef(Why).rtrim());
}

bool Describer::adapt() {
  nameArguments();
  describeSource();
  CSignature Signature{*Request.result, {Request.arguments, Request.num_arguments}};
  Adapter Made = buildAdapter(*Original, Signature);
  Region = Made.F;
  if (!Region)
    return fail(Made.Status, Made.Error);
  isolate(*M, *Region, Locals);
  // Recursive calls go to the original.
  dropDefinition(*Original);
  return true;
}

/// Sets source names, from debug info or from names that clang keeps on request.
void Describer::nameArguments() {
  std::vector<std::string> Found(Request.num_arguments);
  if (Original->arg_size() == Found.size())
    for (const Argument &A : Original->args())
      Found[A.getArgNo()] = A.getName();
  for (const Instruction &I : instructions(*Original))
    for (const DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange())) {
      const DILocalVariable *V = Record.getVariable();
      unsigned Number = V ? V->getArg() : 0;
      if (Number > 0 && Number <= Found.size() &&
          V->getScope()->getSubprogram() == Original->getSubprogram())
        Found[Number - 1] = V->getName();
    }
  if (Request.result->kind == SPECRT_C_STRUCT)
    Found.push_back("result");
  for (const std::string &Name : Found)
    Result.Names.push_back(Result.keep(Name));
}

void Describer::describeSource() {
  specrt_region &R = Result.region;
  const DISubprogram *Scope = Original->getSubprogram();
  R.abi_version = SPECRT_ABI_VERSION;
  R.size = sizeof(specrt_region);
  R.file = Result.keep(Scope ? Scope->getFilename().str() : "");
  R.line = Scope ? Scope->getLine() : 0;
  R.pipeline = "O2";
}

/// Returns why only the compiler that built the program's copy can reproduce its results; null if
/// other compilers can. It is unknown which passes had run on the bitcode, so no flag may permit
/// other results.
static const char *reasonAgainstFlags(const Module &M) {
  SmallVector<const Instruction *> Code;
  for (const Function &F : M)
    for (const Instruction &I : instructions(F))
      Code.push_back(&I);
  if (any_of(Code, [](const Instruction *I) { return hasFreeResult(*I); }))
    return "flags such as -ffast-math leave results of the function open";
  return mayContract(M) && findFreeFusion(Code)
             ? "code generation chooses which multiplications of the function are fused"
             : nullptr;
}

/// Brings the code into the form in which the plugin sees it.
bool Describer::simplify() {
  if (const char *Why = Request.fp_mode != SPECRT_FP_FAST ? reasonAgainstFlags(*M) : nullptr)
    return fail(SPECRT_DESCRIBE_UNSUPPORTED, Why);
  auto Declare = [&](StringRef Name, FunctionType *T) { return M->getOrInsertFunction(Name, T); };
  for (Function &F : *M)
    callLibraryFunctions(F, Declare);
  decideFusion(*M);
  settleExtrema(*M);
  // The fast mode keeps the function's flags, as the plugin does: all versions are made from the
  // code that this pipeline creates once (fast_math.h).
  if (Request.fp_mode != SPECRT_FP_FAST)
    applyFloatingPointMode(*M, Request.fp_mode);
  Passes.prepareUserModule(*M);
  if (Budget.expired())
    return fail(SPECRT_DESCRIBE_UNSUPPORTED,
                Twine("the bitcode could not be read in time: ") + Budget.reason());
  return true;
}

bool Describer::check() {
  // Without landing pads, a personality has no effect.
  for (Function &F : *M)
    if (F.hasPersonalityFn() &&
        none_of(instructions(F), [](const Instruction &I) { return I.isEHPad(); }))
      F.setPersonalityFn(nullptr);
  std::string Why = reasonAgainst(*M, Locals);
  if (Why.empty() && Request.fp_mode != SPECRT_FP_FAST)
    Why = reasonAgainstRounding();
  return Why.empty() || fail(SPECRT_DESCRIBE_UNSUPPORTED, Why);
}

/// Returns why only the compiler that built the program's copy knows how it rounds; "" otherwise.
std::string Describer::reasonAgainstRounding() {
  for (Function &F : *M)
    if (!F.isDeclaration())
      for (const Loop *L : Passes.functions().getResult<LoopAnalysis>(F).getLoopsInPreorder())
        if (findReorderedReduction(*L, /*SimplifiedAgain=*/true))
          return "a pragma lets the compiler reorder a floating-point reduction of the function";
  return "";
}

bool Describer::hasOneMeaning(const GlobalValue &Symbol) {
  const auto *F = dyn_cast<Function>(&Symbol);
  LibFunc Known;
  if (!F || !Passes.functions().getResult<TargetLibraryAnalysis>(*Region).getLibFunc(*F, Known))
    return false;
  switch (Known) {
  case LibFunc_bcmp:
  case LibFunc_memcpy:
  case LibFunc_memmove:
  case LibFunc_memset:
  case LibFunc_strlen:
#define EXACT(NAME)                                                                                \
  case LibFunc_##NAME:                                                                             \
  case LibFunc_##NAME##f:
    EXACT(ceil)
    EXACT(copysign)
    EXACT(fabs)
    EXACT(floor)
    EXACT(fmod)
    EXACT(ldexp)
    EXACT(modf)
    EXACT(nearbyint)
    EXACT(remainder)
    EXACT(rint)
    EXACT(round)
    EXACT(roundeven)
    EXACT(sqrt)
    EXACT(trunc)
#undef EXACT
    return true;
  default:
    return false;
  }
}

bool Describer::resolve() {
  Symbols = externalSymbols(*M);
  for (const GlobalValue *Symbol : Symbols) {
    const char *Name = Result.keep(Symbol->getName().str());
    const char *Why = "is not known";
    void *Address = Request.resolve(Request.context, Name, hasOneMeaning(*Symbol), &Why);
    if (!Address)
      return fail(SPECRT_DESCRIBE_UNSUPPORTED,
                  Twine("the function uses ") + Name + ", which " + Why);
    Result.Symbols.push_back({Name, Address});
  }
  return true;
}

/// Returns whether memory that the function has read may be freed when it returns, by itself or by
/// a thread that it synchronises with.
bool Describer::mayGiveMemoryAway() const {
  auto MayGiveAway = [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return I.isAtomic() || (Call && !Call->getMemoryEffects()
                                         .getWithoutLoc(IRMemLocation::ArgMem)
                                         .getWithoutLoc(IRMemLocation::ErrnoMem)
                                         .onlyReadsMemory());
  };
  return any_of(instructions(*Region), MayGiveAway);
}

void Describer::describeCode() {
  specrt_region &R = Result.region;
  R.entry_symbol = Result.keep(Region->getName().str());
  R.return_kind = *kindOf(Region->getReturnType());
  for (const Argument &A : Region->args())
    Result.Kinds.push_back(*kindOf(A.getType()));
  auto &SE = Passes.functions().getResult<ScalarEvolutionAnalysis>(*Region);
  auto &LI = Passes.functions().getResult<LoopAnalysis>(*Region);
  auto Index = [&](const GlobalValue &V) -> std::optional<unsigned> {
    auto Found = llvm::find(Symbols, &V);
    if (Found == Symbols.end())
      return std::nullopt;
    return Found - Symbols.begin();
  };
  Result.Accesses = describeAccesses(*Region, SE, LI, Index);
  Result.Loops = describeLoops(*Region, SE, LI);
  // Sampled calls read cells after they return.
  if (!mayGiveMemoryAway())
    Result.Cells = describeCells(*Region, Index);
}

/// Writes bitcode that only depends on source and flags.
void Describer::write() {
  stripNonLineTableDebugInfo(*M);
  M->setModuleIdentifier("specrt");
  M->setSourceFileName("");
  std::array<uint64_t, 2> Hash = writeModule(*M, Result.Bitcode);
  std::copy(Hash.begin(), Hash.end(), Result.region.bitcode_hash);
}

} // namespace

void describe(const specrt_describe_request &Request, TargetMachine &TM, CompileBudget &Budget,
              Description &Result) {
  Describer(Request, TM, Budget, Result).run();
}

} // namespace specrt
