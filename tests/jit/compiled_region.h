//===- tests/jit/compiled_region.h - a region's candidates, and what guards them ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_JIT_COMPILED_REGION_H
#define SPECRT_TESTS_JIT_COMPILED_REGION_H

#include "guards/guards.h"
#include "tests/jit/shared_compiler.h"
#include "tests/specializer/test_region.h"
#include "gmock/gmock.h"
#include <functional>
#include <set>

namespace specrt {

struct Compiled {
  explicit Compiled(TestRegion &R) : R(R), Result(sharedCompiler().compile(R.request())) {
    EXPECT_EQ(Result->error, nullptr) << (Result->error ? Result->error : "");
    for (unsigned I = 0; I < Result->num_candidates; ++I)
      Names.insert(Result->candidates[I].name);
    for (unsigned I = 0; I < Result->num_notes; ++I)
      Notes += Result->notes[I].text + std::string("\n");
    for (const specrt_guard &Guard : guards())
      Guards += describe(Guard, R.region()) + "\n";
  }
  ~Compiled() {
    for (unsigned I = 0; I < Result->num_candidates; ++I)
      sharedCompiler().release(Result->candidates[I].handle);
    delete CompileResult::from(Result);
  }
  Compiled(const Compiled &) = delete;
  Compiled &operator=(const Compiled &) = delete;

  GuardView guards() const {
    return Result->num_candidates ? GuardView(Result->candidates[0].guards) : GuardView();
  }
  template <typename... A> bool admits(A... Arguments) const {
    const std::vector<uint64_t> Packed = {pack(Arguments)...};
    return allHold(guards(), R.region(), Packed.data());
  }
  /// Runs every candidate.
  template <typename Function> void forEach(const std::function<void(Function *)> &Run) const {
    EXPECT_FALSE(Names.empty()) << Notes;
    for (unsigned I = 0; I < Result->num_candidates; ++I) {
      SCOPED_TRACE(Result->candidates[I].name);
      Run(reinterpret_cast<Function *>(Result->candidates[I].body));
    }
  }

  TestRegion &R;
  const specrt_jit_result *Result;
  std::set<std::string> Names;
  std::string Notes, Guards;

private:
  static uint64_t pack(int64_t Value) { return static_cast<uint64_t>(Value); }
  template <typename T> static uint64_t pack(T *Pointer) {
    return reinterpret_cast<uint64_t>(Pointer);
  }
};

} // namespace specrt

#endif
