//===- tools/why/feedback.h - the feedback about a region in a report -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_WHY_FEEDBACK_H
#define SPECRT_TOOLS_WHY_FEEDBACK_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace specrt::tools {

/// Texts are unchecked: they need printable() before printing. Loops are counted from 1.
struct FeedbackVerdict {
  std::string Answer, Because;
};

struct FeedbackLoop {
  uint64_t Line = 0, Depth = 1, Trips = 0;
  FeedbackVerdict Parallel, Vectorisable, Tilable;
};

struct FeedbackAccess {
  uint64_t Line = 0;
  bool IsWrite = false;
  std::string Array, Function;
  uint64_t Width = 0;
  /// For each loop, the stride in bytes; nothing if it is not constant.
  std::vector<std::pair<uint64_t, std::optional<int64_t>>> Strides;
  double AffinePercent = 100;
  uint64_t Points = 0; ///< recorded points
};

struct FeedbackDependence {
  uint64_t Loop = 0;
  std::string Role, Text;
};

/// A picture of a nest of two loops.
struct FeedbackPicture {
  struct Row {
    int64_t Outer = 0, First = 0, Last = 0;
  };
  uint64_t Outer = 0, Inner = 0;           ///< the loops
  uint64_t OuterTrips = 0, InnerTrips = 0; ///< 0: unknown
  std::vector<Row> Rows;                   ///< the first ones
  std::vector<std::pair<int64_t, int64_t>> Arrows;
  uint64_t NotDrawn = 0; ///< dependences without a constant distance
};

struct Feedback {
  std::string From; ///< "recording" or "model"; "": there is none
  std::vector<FeedbackLoop> Loops;
  std::vector<FeedbackAccess> Accesses;
  std::vector<FeedbackDependence> Dependences;
  std::vector<std::string> Advice;
  FeedbackPicture Picture;
  bool Omitted = false; ///< the report omits a part
};

} // namespace specrt::tools

#endif
