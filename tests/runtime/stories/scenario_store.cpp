//===- tests/runtime/stories/scenario_store.cpp - second runs ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/runtime/stories/host.h"

namespace host {

/// Takes five times as long as the original.
int64_t farSlower(int64_t N, int64_t Work, int64_t *Data) {
  ++SlowRuns;
  return half(N, Work * 10, Data);
}

namespace {

/// A program that calls its kernel once, for 300 ms, and does not wait for what nobody measured.
/// Between such runs the test removes what was compiled, so no run finds it.
int once(int, char **) {
  control().CompileMs = 5;
  offer({{"constants", slow}, {"source-order", fast}, {"source-order-parallel", fast}});
  call(5, 300000);
  CHECK(OriginalRuns == 1);
  return 0;
}

/// The quickest way to a version in the second run is good, but not so good that the others are
/// not worth a try when the region goes on being called.
int others(int Argc, char **) {
  control().CompileMs = 5;
  offer({{"constants", half}, {"contraction", original}, {"source-order", fast}});
  call(5, 100000);
  if (Argc == 0)
    return 0;
  for (int I = 0; I < 300 && std::string(info().version) != "source-order"; ++I)
    call(5, 100000);
  CHECK(std::string(info().version) == "source-order" && info().versions == 1);
  return 0;
}

/// A program that calls its kernel once, 200 ms long, and says what ran.
int few(int, char **) {
  offer({{"contraction", half}, {"source-order", slow}, {"constants", fast}});
  // What the run tries is there before its only call, whether an earlier run has stored it or it
  // has to be compiled.
  specrt_wait_idle(5000);
  call(5, 200000);
  std::printf("%s\n", OriginalRuns ? "original" : FastRuns ? "fast" : SlowRuns ? "slow" : "half");
  CHECK(OriginalRuns + FastRuns + SlowRuns <= 1);
  return 0;
}

/// A program that calls its kernel once, 100 ms long, for which only a candidate of five times that
/// exists. Says what ran.
int losing(int, char **) {
  offer({{"constants", farSlower}});
  // As in few().
  specrt_wait_idle(5000);
  call(5, 100000);
  std::printf("%s\n", SlowRuns ? "slow" : "original");
  CHECK(OriginalRuns + SlowRuns == 1);
  return 0;
}

/// No worker exists before a region is called: another one than that whose versions are known.
void callAnotherRegion() {
  using Other = TestRegion<3>;
  static specrt_region *Regions[] = {Other::make("other:7", original)};
  specrt_register(Regions, Regions + 1);
  int64_t Data = 0;
  CHECK(Other::call(1, 1, &Data) == 4);
  OriginalRuns = 0;
}

/// The winner of an earlier run is published without a trial, before or soon after the first call.
/// With an argument, it has to be compiled again.
int proven(int Argc, char **) {
  offer({{"constants", slow}, {"source-order", fast}});
  callAnotherRegion();
  CHECK(eventually([] { return info().state == SPECRT_STATE_SPECIALISED; }));
  CHECK(specrt_num_compiles() == (Argc > 0 ? 1 : 0));
  CHECK(control().Compiles == (Argc > 0 ? 1u : 0u));
  CHECK(std::string(info().version) == "source-order");
  call(5, 40);
  CHECK(FastRuns == 1 && OriginalRuns == 0 && SlowRuns == 0);
  return 0;
}

/// The settings change while the winner of an earlier run is being compiled.
int configureDuring(int, char **) {
  specrt_wait_idle(1);                                        // has the worker begin
  CHECK(eventually([] { return control().Compiling == 1; })); // waits for an offer
  CHECK(control().LastFpMode == 0);
  CHECK(specrt_configure("fp", "fast") == nullptr);
  CHECK(!Main::Slot);
  offer({{"source-order", fast}});
  CHECK(eventually([] { return info().state == SPECRT_STATE_SPECIALISED; }));
  CHECK(control().Compiles == 2 && control().LastFpMode == 2);
  CHECK(info().versions == 1);
  // What was compiled for the former settings is not there any more.
  CHECK(eventually([] { return mappedVersions() == 1; }));
  call(5, 40);
  CHECK(FastRuns == 1 && OriginalRuns == 0);
  return 0;
}

/// The settings change when its version is ready, but was not called yet.
int configureReady(int, char **) {
  offer({{"source-order", fast}});
  auto Ready = [] {
    return specrt_wait_idle(1) && info().state == SPECRT_STATE_SPECIALISED && info().versions == 1;
  };
  CHECK(eventually(Ready));
  CHECK(specrt_configure("log", "error") == nullptr);
  CHECK(Ready()); // nothing to change
  CHECK(specrt_configure("fp", "fast") == nullptr);
  CHECK(!__atomic_load_n(&Main::Slot, __ATOMIC_ACQUIRE) || control().Compiles == 2);
  CHECK(eventually(Ready));
  CHECK(control().Compiles == 2 && control().LastFpMode == 2);
  CHECK(specrt_configure("disable", "1") == nullptr);
  CHECK(!Main::Slot && !Main::Region.state);
  CHECK(specrt_wait_idle(5000));
  CHECK(!Main::Slot);
  CHECK(specrt_configure("disable", "0") == nullptr);
  CHECK(eventually(Ready));
  CHECK(specrt_configure("regions", "other") == nullptr);
  CHECK(eventually([] { return info().state == SPECRT_STATE_BLOCKED; }));
  CHECK(!Main::Slot && info().versions == 0);
  CHECK(specrt_configure("regions", "*") == nullptr);
  CHECK(eventually(Ready));
  // The first call goes directly to the version, and is noticed all the same.
  call(5, 40);
  CHECK(FastRuns == 1 && OriginalRuns == 0);
  CHECK(std::string(specrt_configure("fp", "strict")).find("already run") != std::string::npos);
  CHECK(Ready());
  return 0;
}

/// What did not pay is not compiled again.
int retiredBefore(int, char **) {
  offer({{"constants", slow}});
  CHECK(callUntil(SPECRT_STATE_RETIRED, 5, 40));
  CHECK(specrt_num_compiles() == 0);
  const std::string Reason = info().reason;
  CHECK(Reason.starts_with("did not pay in an earlier run (20"));
  CHECK(Reason.find("): original ") != std::string::npos &&
        Reason.find("constants ") != std::string::npos);
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

const Scenario StoreScenarios[] = {{"once", once},
                                   {"others", others},
                                   {"few", few},
                                   {"far-slower", losing},
                                   {"proven", proven},
                                   {"configure-during", configureDuring},
                                   {"configure-ready", configureReady},
                                   {"retired-before", retiredBefore},
                                   {"flush", flush},
                                   {nullptr, nullptr}};

} // namespace host
