//===- tools/report_model.cpp - reads reports -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/report_model.h"
#include "guards/words.h"
#include "profiler/json/json_reader.h"
#include "profiler/store/stored_json.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace specrt::tools {
namespace {

using nlohmann::json;

/// The newest format that this tool understands.
constexpr uint64_t ReportFormat = 1;

/// Reads one object of the report. A missing member keeps its default; a member of a wrong type
/// makes the report invalid.
class Fields {
public:
  Fields(JsonReader &In, const json &J) : In(In), J(J) { In.require(J.is_object()); }

  void get(const char *Name, std::string &Out) {
    if (has(Name))
      Out = In.string(J, Name);
  }
  void get(const char *Name, uint64_t &Out) {
    if (has(Name))
      Out = In.unsignedInteger(In.member(J, Name));
  }
  void get(const char *Name, double &Out) {
    if (has(Name))
      Out = In.number(J, Name);
  }
  void get(const char *Name, bool &Out) {
    if (has(Name))
      Out = In.boolean(J, Name);
  }
  void get(const char *Name, std::map<std::string, std::string> &Out) {
    if (has(Name))
      for (const auto &[Key, Value] : In.object(J, Name).items())
        if (In.require(Value.is_string()))
          Out[Key] = Value.get<std::string>();
  }
  void get(const char *Name, std::vector<std::string> &Out) {
    each(Name, [&](const json &Element) {
      if (In.require(Element.is_string()))
        Out.push_back(Element.get<std::string>());
    });
  }
  /// Keeps the default for null.
  void get(const char *Name, std::optional<int64_t> &Out) {
    if (has(Name) && !J[Name].is_null())
      Out = In.integer(In.member(J, Name));
  }
  /// Reads every element of an array member, which are lists of \p Count numbers.
  template <size_t Count, typename F> void numbers(const char *Name, F Read) {
    each(Name, [&](const json &Element) {
      std::array<int64_t, Count> Numbers{};
      if (In.require(Element.is_array() && Element.size() == Count))
        for (size_t I = 0; I < Count; ++I)
          Numbers[I] = In.integer(Element[I]);
      Read(Numbers);
    });
  }
  /// Reads an object member with Read(Fields).
  template <typename F> void object(const char *Name, F Read) {
    if (has(Name))
      Read(Fields(In, In.object(J, Name)));
  }
  /// Reads every element of an array member with Read(Fields, T &).
  template <typename T, typename F> void get(const char *Name, std::vector<T> &Out, F Read) {
    each(Name, [&](const json &Element) {
      Fields Of(In, Element);
      Read(Of, Out.emplace_back());
    });
  }

private:
  bool has(const char *Name) const { return J.is_object() && J.contains(Name); }
  template <typename F> void each(const char *Name, F Visit) {
    if (has(Name))
      for (const json &Element : In.array(J, Name))
        Visit(Element);
  }

  JsonReader &In;
  const json &J;
};

void readVersion(Fields &F, ReportedVersion &V) {
  F.get("candidate", V.Candidate);
  F.get("plan", V.Values); // older reports have this member instead of the next one
  F.get("values", V.Values);
  F.get("reason", V.Reason);
  F.get("advice", V.Advice);
  F.get("guards", V.Guards);
  F.object("rows", [&](Fields Of) {
    Of.get("text", V.Rows);
    Of.get("advice", V.RowsAdvice);
  });
  F.get("hits", V.Hits);
  F.get("misses", V.Misses);
  F.get("original_ns", V.OriginalNs);
  F.get("ns", V.Ns);
  F.get("pace_gain", V.GainInPlace);
  F.get("compile_ms", V.CompileMs);
  F.get("parallel", V.Parallel);
  F.get("on_trial", V.OnTrial);
  F.get("from_cache", V.FromCache);
  F.get("verified", V.IsVerified);
  F.get("original_is_earlier", V.OriginalIsEarlier);
  F.get("is_earlier", V.IsEarlier);
}

void readCause(Fields &F, ReportedCause &C) {
  F.get("kind", C.Kind);
  F.get("message", C.Message);
  F.get("file", C.File);
  F.get("line", C.Line);
  F.get("speculative", C.Speculative);
  F.get("advice", C.Advice);
}

void readArgument(Fields &F, ReportedArgument &A) {
  F.get("name", A.Name);
  F.get("min", A.Min);
  F.get("max", A.Max);
  F.get("alignment", A.Alignment);
  F.get("values", A.Values, [](Fields &Of, std::pair<std::string, uint64_t> &Value) {
    Of.get("value", Value.first);
    Of.get("count", Value.second);
  });
  std::sort(A.Values.begin(), A.Values.end(), [](const auto &X, const auto &Y) {
    return X.second != Y.second ? X.second > Y.second : X.first < Y.first;
  });
}

void readLoop(Fields &F, ReportedLoop &L) {
  F.get("line", L.Line);
  F.get("depth", L.Depth);
  F.get("calls", L.Calls);
  F.get("min", L.Min);
  F.get("max", L.Max);
  F.get("mean", L.Mean);
}

void readPair(Fields &F, ReportedPair &P) {
  F.get("first_bytes", P.First);
  F.get("second_bytes", P.Second);
  F.get("disjoint", P.Disjoint);
  F.get("overlapping", P.Overlapping);
  F.get("unknown", P.Unknown);
}

void readZeros(Fields &F, ReportedZeros &Z) {
  F.get("array", Z.Array);
  F.get("words", Z.Words);
  F.get("zero", Z.Zero);
}

void readReplacement(Fields &F, ReportedReplacement &O) {
  F.get("candidate", O.Candidate);
  F.get("iteration", O.Iteration);
  F.get("iterations", O.Iterations);
  F.get("before_ns", O.BeforeNs);
  F.get("ns", O.Ns);
  F.get("original_at_least_ns", O.AtLeastNs);
  F.get("original_at_most_ns", O.AtMostNs);
  F.get("taken", O.Taken);
}

void readPlace(Fields &F, ReportedPlace &P) {
  F.get("function", P.Function);
  F.get("file", P.File);
  F.get("first_line", P.First);
  F.get("last_line", P.Last);
}

/// Adds the lines of the region's loops as a place, for a report that contains no places.
void completePlaces(ReportedRegion &R) {
  if (!R.Places.empty() || R.Line == 0)
    return;
  ReportedPlace Own{R.shortTitle().substr(0, R.shortTitle().rfind(':')), R.File, R.Line, R.Line};
  for (const ReportedLoop &L : R.Loops)
    Own.Last = std::max(Own.Last, L.Line);
  R.Places.push_back(std::move(Own));
}

void readEvent(Fields &F, ReportedEvent &E) {
  F.get("ms", E.Ms);
  F.get("event", E.Event);
  F.get("text", E.Text);
}

void readVerdict(Fields &F, const char *Name, FeedbackVerdict &V) {
  F.object(Name, [&](Fields Of) {
    Of.get("answer", V.Answer);
    Of.get("because", V.Because);
  });
}

void readFeedbackLoop(Fields &F, FeedbackLoop &L) {
  F.get("line", L.Line);
  F.get("depth", L.Depth);
  F.get("trips", L.Trips);
  readVerdict(F, "parallel", L.Parallel);
  readVerdict(F, "vectorisable", L.Vectorisable);
  readVerdict(F, "tilable", L.Tilable);
}

void readFeedbackAccess(Fields &F, FeedbackAccess &A) {
  F.get("line", A.Line);
  F.get("write", A.IsWrite);
  F.get("array", A.Array);
  F.get("function", A.Function);
  F.get("width", A.Width);
  F.get("affine_percent", A.AffinePercent);
  F.get("points", A.Points);
  F.get("strides", A.Strides, [](Fields &Of, std::pair<uint64_t, std::optional<int64_t>> &S) {
    Of.get("loop", S.first);
    Of.get("bytes", S.second);
  });
}

void readPicture(Fields F, FeedbackPicture &P) {
  F.get("outer", P.Outer);
  F.get("inner", P.Inner);
  F.get("outer_trips", P.OuterTrips);
  F.get("inner_trips", P.InnerTrips);
  F.get("not_drawn", P.NotDrawn);
  F.numbers<3>("rows", [&](const auto &Row) { P.Rows.push_back({Row[0], Row[1], Row[2]}); });
  F.numbers<2>("arrows", [&](const auto &Arrow) { P.Arrows.emplace_back(Arrow[0], Arrow[1]); });
}

void readFeedback(Fields F, Feedback &To) {
  F.get("from", To.From);
  F.get("advice", To.Advice);
  F.get("omitted", To.Omitted);
  F.get("loops", To.Loops, readFeedbackLoop);
  F.get("accesses", To.Accesses, readFeedbackAccess);
  F.get("dependences", To.Dependences, [](Fields &Of, FeedbackDependence &D) {
    Of.get("loop", D.Loop);
    Of.get("role", D.Role);
    Of.get("text", D.Text);
  });
  F.object("picture", [&](Fields Of) { readPicture(Of, To.Picture); });
}

void readNonzeros(Fields F, ZerosOfRegion &To) {
  F.get("lists", To.Lists, [](Fields &Of, ListedNonzeros &L) {
    Of.get("array", L.Array);
    Of.get("elements", L.Elements);
    Of.get("listed", L.Listed);
    Of.get("rows", L.Rows);
    Of.get("why_not_kept", L.WhyNotKept);
  });
  F.get("predicted", To.Predicted, [](Fields &Of, PredictedNonzeros &P) {
    Of.get("array", P.Array);
    Of.get("elements", P.Elements);
    Of.get("nonzero", P.Nonzero);
    Of.get("if_zero_before", P.IfZeroBefore);
    Of.get("words", P.Words);
    Of.get("zero", P.Zero);
  });
  F.get("why_not_predicted", To.WhyNotPredicted);
}

void readRegion(Fields &F, ReportedRegion &R) {
  F.get("name", R.Name);
  R.Title = demangled(R.Name); // older reports have no title
  F.get("title", R.Title);
  F.get("function", R.Function);
  F.get("file", R.File);
  F.get("line", R.Line);
  F.get("state", R.State);
  F.get("reason", R.Reason);
  F.get("not_replayed", R.NotReplayed);
  F.get("advice", R.Advice);
  F.get("notes", R.Notes);
  F.get("notes_advice", R.NotesAdvice);
  F.get("calls", R.Calls);
  F.get("hits", R.Hits);
  F.get("misses", R.Misses);
  F.get("sampled_calls", R.SampledCalls);
  F.get("compiles", R.Compiles);
  F.get("events_omitted", R.EventsOmitted);
  F.get("original_ns", R.OriginalNs);
  F.get("best_ns", R.BestNs);
  F.get("original_is_earlier", R.OriginalIsEarlier);
  F.get("best_is_earlier", R.BestIsEarlier);
  F.get("hot", R.Hot);
  F.get("unseen", R.Unseen);
  F.get("versions", R.Versions, readVersion);
  F.get("retired", R.Retired, readVersion);
  F.get("causes", R.Causes, readCause);
  F.get("arguments", R.Arguments, readArgument);
  F.get("trip_counts", R.Loops, readLoop);
  F.get("alias_pairs", R.Pairs, readPair);
  F.get("zeros", R.Zeros, readZeros);
  F.get("on_stack_replacements", R.Replacements, readReplacement);
  F.get("timeline", R.Timeline, readEvent);
  F.get("places", R.Places, readPlace);
  F.object("times", [&](Fields Of) { Of.get("min_ns", R.MinNs); });
  F.object("equations", [&](Fields Of) {
    Of.get("text", R.NonzeroValues.Equations);
    Of.get("skips", R.NonzeroValues.Skips);
  });
  F.object("nonzeros", [&](Fields Of) { readNonzeros(Of, R.NonzeroValues); });
  F.object("feedback", [&](Fields Of) { readFeedback(Of, R.Why); });
  completePlaces(R);
}

void readHead(JsonReader &In, const json &Root, Report &Into) {
  Fields F(In, Root);
  F.get("program", Into.Program);
  F.get("version", Into.Version);
  F.get("pid", Into.Pid);
  F.get("written", Into.Written);
  F.get("threads", Into.Threads);
  F.get("regions_omitted", Into.RegionsOmitted);
  F.get("elapsed_ms", Into.ElapsedMs);
  F.get("settings", Into.Settings);
  F.object("total", [&](Fields Of) {
    Of.get("text", Into.Total);
    Of.get("progress", Into.Progress);
    Of.get("hot_regions", Into.HotRegions);
    Of.get("undecided_regions", Into.UndecidedRegions);
    Of.get("spent_ms", Into.SpentMs);
    Of.get("saved_ms", Into.SavedMs);
  });
  F.object("counters", [&](Fields Of) { Of.get("compiles", Into.Compiles); });
  F.get("regions", Into.Regions, readRegion);
}

} // namespace

std::string placeText(const std::string &File, uint64_t Line) {
  // Compilers may name files of libraries relative to their own folders.
  const std::string Path = std::filesystem::path(File).lexically_normal().string();
  return Path.empty() || Line == 0 ? Path : Path + ":" + std::to_string(Line);
}

std::string ReportedRegion::place() const { return placeText(File, Line); }

std::string parseReport(std::string_view Text, Report &Into) {
  if (Text.empty())
    return "is empty";
  json Root;
  if (std::string Problem = parseStored(Text, Root); !Problem.empty())
    return Problem;
  bool Ours = Root.is_object() && Root.contains("format") && Root["format"].is_number_unsigned() &&
              Root.contains("regions") && Root.contains("counters");
  if (!Ours)
    return "is JSON, but not a report of libspecrt";
  if (Root["format"].get<uint64_t>() > ReportFormat)
    return "was written by a newer libspecrt";
  JsonReader In;
  readHead(In, Root, Into);
  bool Named = std::all_of(Into.Regions.begin(), Into.Regions.end(), [](const ReportedRegion &R) {
    return !R.Name.empty() && !R.State.empty();
  });
  return In.good() && Named ? "" : "is damaged (a member is not what it should be)";
}

} // namespace specrt::tools
