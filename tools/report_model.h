//===- tools/report_model.h - the content of a report as structures -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The structures mirror the JSON that a program wrote. Times are nanoseconds per call unless a name
// says otherwise; 0 means unknown. Texts are unchecked: they need printable() before printing.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TOOLS_REPORT_MODEL_H
#define SPECRT_TOOLS_REPORT_MODEL_H

#include "tools/explain/zeros.h"
#include "tools/why/feedback.h"
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace specrt::tools {

/// A published version, one that leads a trial, or a candidate that is not in use.
struct ReportedVersion {
  std::string Candidate, Values, Reason, Advice;
  std::string Rows;            ///< outcome of its row loops; "" if there are none
  std::string RowsAdvice = {}; ///< advice if row loops have no tables
  std::vector<std::string> Guards;
  uint64_t Hits = 0, Misses = 0;
  double OriginalNs = 0, Ns = 0, CompileMs = 0;
  double GainInPlace =
      0; ///< ratio by which calls come more often with it; 0: not compared in place
  bool Parallel = false, OnTrial = false, FromCache = false, IsVerified = false;
  bool OriginalIsEarlier = false, IsEarlier = false; ///< an earlier run measured OriginalNs, Ns
};

struct ReportedCause {
  std::string Kind, Message, File, Advice;
  uint64_t Line = 0;
  bool Speculative = false;
};

struct ReportedArgument {
  std::string Name, Min, Max;
  uint64_t Alignment = 0;                               ///< of a pointer; 0: not a pointer
  std::vector<std::pair<std::string, uint64_t>> Values; ///< with counts, most frequent first
};

struct ReportedLoop {
  uint64_t Line = 0, Depth = 0, Calls = 0, Min = 0, Max = 0;
  double Mean = 0;
};

struct ReportedPair {
  std::string First, Second;
  uint64_t Disjoint = 0, Overlapping = 0, Unknown = 0;
};

/// Words of an array that were inspected.
struct ReportedZeros {
  std::string Array;
  uint64_t Words = 0, Zero = 0;
};

/// A version that took over a call that ran in the original.
struct ReportedReplacement {
  std::string Candidate;
  uint64_t Iteration = 0, Iterations = 0; ///< of the outermost loop; Iterations 0: unknown
  double BeforeNs = 0;                    ///< of the call in the original
  double Ns = 0;                          ///< of its rest
  double AtLeastNs = 0, AtMostNs = 0;     ///< estimated time of the rest in the original
  bool Taken = false;
};

struct ReportedEvent {
  double Ms = 0; ///< since libspecrt was loaded
  std::string Event, Text;
};

/// The lines of one function that belong to a region.
struct ReportedPlace {
  std::string Function, File;
  uint64_t First = 0, Last = 0;
};

struct ReportedRegion {
  std::string Name;  ///< the name that libspecrt uses
  std::string Title; ///< title for people
  std::string Function, File, State, Reason, Advice, Notes, NotReplayed;
  std::vector<std::string> NotesAdvice;
  uint64_t Line = 0, Calls = 0, Hits = 0, Misses = 0, SampledCalls = 0, Compiles = 0;
  uint64_t EventsOmitted = 0;
  double OriginalNs = 0, BestNs = 0, MinNs = 0;
  bool Hot = false;
  /// its code prevents observation of its calls, so it is unknown whether it is hot
  bool Unseen = false;
  bool OriginalIsEarlier = false, BestIsEarlier = false; ///< an earlier run measured the time
  std::vector<ReportedVersion> Versions, Retired;
  std::vector<ReportedCause> Causes;
  std::vector<ReportedArgument> Arguments;
  std::vector<ReportedLoop> Loops;
  std::vector<ReportedPair> Pairs;
  std::vector<ReportedZeros> Zeros;
  ZerosOfRegion NonzeroValues;
  std::vector<ReportedReplacement> Replacements;
  std::vector<ReportedEvent> Timeline;
  Feedback Why;
  std::vector<ReportedPlace> Places; ///< its own function is the first

  /// Returns whether the region was called, but never became hot.
  bool isCold() const { return !Hot && Versions.empty() && Reason.empty(); }
  /// Returns the time of all its calls without versions, in nanoseconds.
  double impactNs() const { return OriginalNs * static_cast<double>(Calls ? Calls : 1); }
  /// Returns "file:line", "file" or "".
  std::string place() const;
  /// Returns the title without the function that it was inlined into.
  std::string shortTitle() const { return Title.substr(0, Title.find(", inlined into ")); }
};

struct Report {
  std::string Program, Version;
  uint64_t Pid = 0, Written = 0, Threads = 0, Compiles = 0;
  std::string Total;    ///< one line about all regions together; "" without hot ones
  std::string Progress; ///< the part of Total that says how much is decided
  uint64_t HotRegions = 0, UndecidedRegions = 0;
  double SpentMs = 0, SavedMs = 0; ///< sums over all regions
  uint64_t RegionsOmitted = 0;     ///< regions that never became hot and are not in Regions
  double ElapsedMs = 0;
  std::map<std::string, std::string> Settings;
  std::vector<ReportedRegion> Regions;
};

/// Parses a report's text. Returns "", or why it is invalid, as half a sentence for "the file ...".
/// Members that an older libspecrt did not write keep their defaults.
std::string parseReport(std::string_view Text, Report &Into);

/// Returns "file:line", "file" or "".
std::string placeText(const std::string &File, uint64_t Line);

} // namespace specrt::tools

#endif
