//===- tests/runtime/scenario_store.cpp - second runs ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/runtime/host.h"

#include <cstring>

namespace host {
namespace {

/// A program that calls its kernel once, for 300 ms.
int once(int Argc, char **Argv) {
  FakeJitControl.CompileMs = 5;
  offer({{"constants", slow}, {"polly", fast}, {"polly-parallel", fast}});
  bool Second = Argc > 0 && std::strcmp(Argv[0], "second") == 0;
  call(5, 300000);
  if (Second) {
    CHECK(FastRuns == 1 && OriginalRuns == 0);
    CHECK(eventually([] { return info().versions == 1; }));
  } else {
    CHECK(OriginalRuns == 1);
  }
  return 0;
}

/// The quickest way to a version in the second run is good, but not so good that the others are
/// not worth a try when the region goes on being called.
int others(int Argc, char **) {
  FakeJitControl.CompileMs = 5;
  offer({{"constants", half}, {"tiled", original}, {"polly", fast}});
  call(5, 100000);
  if (Argc == 0)
    return 0;
  for (int I = 0; I < 300 && std::string(info().version) != "polly"; ++I)
    call(5, 100000);
  CHECK(std::string(info().version) == "polly" && info().versions == 1);
  return 0;
}

/// The winner of an earlier run is published without a trial, before or soon after the first call.
int proven(int, char **) {
  offer({{"constants", slow}, {"polly", fast}});
  CHECK(eventually([] { return info().state == SPECRT_STATE_SPECIALISED; }));
  CHECK(specrt_num_compiles() == 1);
  CHECK(std::string(info().version) == "polly");
  call(5, 40);
  CHECK(FastRuns == 1 && OriginalRuns == 0 && SlowRuns == 0);
  return 0;
}

/// What did not pay is not compiled again.
int retiredBefore(int, char **) {
  offer({{"constants", slow}});
  CHECK(callUntil(SPECRT_STATE_RETIRED, 5, 40));
  CHECK(specrt_num_compiles() == 0);
  CHECK(std::string(info().reason) == "did not pay in an earlier run");
  return 0;
}

int flush(int, char **) {
  for (int I = 0; I < 300; ++I)
    call(5, 20);
  CHECK(specrt_wait_idle(5000));
  CHECK(specrt_flush_profile());
  _Exit(0);
}

} // namespace

const Scenario StoreScenarios[] = {{"once", once},     {"others", others},
                                   {"proven", proven}, {"retired-before", retiredBefore},
                                   {"flush", flush},   {nullptr, nullptr}};

} // namespace host
