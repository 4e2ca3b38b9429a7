//===- tests/fuzz/readers/report.cpp - reports that commands show ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/fuzz/readers/reader.h"
#include "tools/explain/region_search.h"
#include "tools/explain/zeros_text.h"
#include "tools/region_text.h"
#include "tools/report_model.h"
#include "tools/why/why_text.h"

using namespace specrt::tools;

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Report Read;
  if (!parseReport(viewOf(Data, Size), Read).empty())
    return 0;
  for (const ReportedRegion &R : Read.Regions) {
    demand(!R.Name.empty() && !R.State.empty(), "regions have a name and a state");
    headline(R);
    reasonText(R);
    observedText(R);
    versionsText(R);
    replacementsText(R);
    retiredText(R);
    causesText(R, /*Brief=*/false);
    causesText(R, /*Brief=*/true);
    zerosText(R.NonzeroValues);
    notesText(R);
    timelineText(R);
    whyText(R.Why);
    isMeant(R, "f.cpp:3");
  }
  nearestMeant(Read.Regions, "f");
  return 0;
}

std::vector<std::string> seeds() {
  const std::string Head = R"({"format":1,"program":"/bin/p","version":"0.1","pid":7,"written":9,)"
                           R"("threads":2,"elapsed_ms":12.5,"settings":{"SPECRT_HOT":"1"},)"
                           R"("counters":{"compiles":2},"regions":)";
  const std::string Version =
      R"({"candidate":"constants","values":"n == 5","guards":["n == 5"],"hits":3,"misses":1,)"
      R"("original_ns":100.5,"ns":50,"pace_gain":1.1,"compile_ms":3,"parallel":true,)"
      R"("reason":"slower","advice":"none","rows":{"text":"90 % in classes","advice":""}})";
  const std::string Region =
      R"({"name":"f:3","title":"f(long):3","function":"f","file":"/src/../src/f.cpp","line":3,)"
      R"("state":"specialised","reason":"","hot":true,"calls":4,"hits":3,"misses":1,)"
      R"("sampled_calls":2,"original_ns":100,"best_ns":50,"versions":[)" +
      Version + R"(],"retired":[)" + Version +
      R"(],"causes":[{"kind":"alias","message":"A and B","file":"f.cpp","line":4,)"
      R"("speculative":true,"advice":"restrict"}],"arguments":[{"name":"n","min":"1","max":"9",)"
      R"("alignment":8,"values":[{"value":"5","count":3}]}],"trip_counts":[{"line":3,"depth":1,)"
      R"("calls":4,"min":1,"max":9,"mean":5.5}],"alias_pairs":[{"first_bytes":"A","second_bytes":)"
      R"("B","disjoint":4,"overlapping":0,"unknown":0}],"zeros":[{"array":"A","words":64,"zero":60}],)"
      R"("on_stack_replacements":[{"candidate":"parallel","iteration":5,"iterations":9,"taken":true,)"
      R"("before_ns":1,"ns":2,"original_at_least_ns":1,"original_at_most_ns":4}],"timeline":[)"
      R"({"ms":1.5,"event":"compile","text":"begun"}],"places":[{"function":"f","file":"f.cpp",)"
      R"("first_line":3,"last_line":9}],"times":{"min_ns":40},"equations":{"text":"y = A","skips":)"
      R"("x"},"nonzeros":{"lists":[{"array":"A","elements":9,"listed":2,"rows":3}],"predicted":[)"
      R"({"array":"y","elements":9,"nonzero":2,"if_zero_before":true,"words":64,"zero":3}]},)"
      R"("feedback":{"from":"recording","advice":["a"],"omitted":false,"loops":[{"line":3,"depth":1,)"
      R"("trips":9,"parallel":{"answer":"yes","because":""},"tilable":{"answer":"no","because":"x"}}],)"
      R"("accesses":[{"line":3,"write":true,"array":"A","function":"f","width":8,)"
      R"("affine_percent":99.5,"points":81,"strides":[{"loop":1,"bytes":-8},{"loop":2,"bytes":null}]}],)"
      R"("dependences":[{"loop":1,"role":"sum","text":"s"}],"picture":{"outer":1,"inner":2,)"
      R"("outer_trips":9,"inner_trips":9,"rows":[[0,0,8],[1,2,7]],"arrows":[[1,0],[0,1]],)"
      R"("not_drawn":0}}})";
  return {Head + "[" + Region + "]}", Head + "[" + Region + "," + Region + "]}", Head + "[]}",
          Head + std::string(100'000, '[')};
}
