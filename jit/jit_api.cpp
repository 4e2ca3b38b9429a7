//===- jit/jit_api.cpp - the C interface of libspecrt-jit.so --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specrt/jit_api.h"
#include "jit/compiler.h"
#include "specializer/region_structures.h"
#include "specializer/scop_counts.h"
#include "specializer/wrapping/describe.h"

#include <memory>

namespace specrt {
namespace {

/// Never destroyed, because the process ends when its request is served.
Compiler *TheCompiler = nullptr;

int start(const specrt_jit_config *Config, const char **Error) {
  static std::string Problem; // its text stays valid
  llvm::Expected<std::unique_ptr<Compiler>> Made = Compiler::create(*Config);
  if (Made)
    TheCompiler = Made->release();
  else
    Problem = llvm::toString(Made.takeError());
  *Error = Problem.empty() ? nullptr : Problem.c_str();
  return Problem.empty();
}

const specrt_jit_result *compile(const specrt_jit_request *Request) {
  return TheCompiler->compile(*Request);
}

void freeResult(const specrt_jit_result *Result) {
  if (Result)
    delete CompileResult::from(Result);
}

const char *link(const specrt_jit_link *Request) { return TheCompiler->link(*Request); }

const specrt_describe_result *describe(const specrt_describe_request *Request) {
  return TheCompiler->describe(*Request);
}

void freeDescription(const specrt_describe_result *Result) {
  delete static_cast<const Description *>(Result);
}

const specrt_jit_instrumented *instrument(const specrt_jit_request *Request,
                                          specrt_recording *Into) {
  return TheCompiler->instrument(*Request, *Into);
}

void freeInstrumented(const specrt_jit_instrumented *Result) {
  delete static_cast<const InstrumentedResult *>(Result);
}

int isOverdue() { return TheCompiler->isOverdue(); }

/// A specrt_scop_counts with everything it points to.
struct CountResult : specrt_scop_counts {
  std::string Error;
  std::vector<specrt_scop_cause> Causes;
};

void write(const ScopCounts &Counts, CountResult &To) {
  for (const auto &[Cause, Count] : llvm::zip_equal(scopCauses(), Counts.Causes))
    To.Causes.push_back({Cause.Name, Cause.Meaning, Cause.Speculative, 0, Count.Affected,
                         Count.Sole, Count.Cumulative});
  To.scops = Counts.Scops;
  To.checked = Counts.Checked;
  To.speculative = Counts.Speculative;
  To.rejected = Counts.Rejected;
  To.causes = To.Causes.data();
  To.num_causes = static_cast<uint32_t>(To.Causes.size());
}

const specrt_scop_counts *countScopsIn(const void *File, uint64_t Size, uint32_t BudgetMs) {
  static auto &Result = *new CountResult();
  Result = {};
  llvm::Expected<ScopCounts> Counts =
      countScops({llvm::StringRef(static_cast<const char *>(File), Size), "specrt"},
                 std::chrono::milliseconds(BudgetMs));
  if (Counts) {
    write(*Counts, Result);
  } else {
    Result.Error = llvm::toString(Counts.takeError());
    Result.error = Result.Error.c_str();
  }
  return &Result;
}

const specrt_structures *propagateZeros(const specrt_structure_request *Request) {
  auto Result = std::make_unique<RegionStructures>();
  StructureSearch Search(*Request, *Result);
  if (Search.model())
    Search.propagate();
  return Result.release();
}

void freeStructures(const specrt_structures *Structures) {
  delete static_cast<const RegionStructures *>(Structures);
}

constexpr specrt_jit_api Api = {SPECRT_JIT_API_VERSION,
                                sizeof(specrt_jit_api),
                                start,
                                compile,
                                freeResult,
                                link,
                                describe,
                                freeDescription,
                                isOverdue,
                                instrument,
                                freeInstrumented,
                                countScopsIn,
                                propagateZeros,
                                freeStructures};

} // namespace
} // namespace specrt

extern "C" __attribute__((visibility("default"))) const specrt_jit_api *
specrt_jit_query(uint32_t ApiVersion) {
  return ApiVersion == SPECRT_JIT_API_VERSION ? &specrt::Api : nullptr;
}
