//===- profiler/feedback/nest_json.cpp - nests in stored files ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/feedback/nest_json.h"

#include "profiler/json/json_reader.h"
#include "profiler/json/json_writer.h"
#include <nlohmann/json.hpp>

namespace specrt {
namespace {

using nlohmann::json;

/// The limit of numbers; larger ones could overflow in arithmetic on distances and strides.
constexpr int64_t MaxNumber = int64_t{1} << 48;

bool isBelievable(int64_t Number) { return Number >= -MaxNumber && Number <= MaxNumber; }

json numberOrNull(const std::optional<int64_t> &Value) {
  return Value && isBelievable(*Value) ? json(*Value) : json();
}

// The lists have no member names, because they are read at each start of the program.

json loopToJson(const NestLoop &L) { return {L.Line, L.Depth, countForJson(L.Trips)}; }

json accessToJson(const NestAccess &A) {
  json Strides = json::array();
  for (const Stride &S : A.Strides)
    Strides.push_back(numberOrNull(S));
  return {A.Line,  A.Column,           A.Width,       A.IsWrite, A.Array,
          A.Loops, std::move(Strides), A.AffineShare, A.Pieces,  countForJson(A.Points)};
}

json dependenceToJson(const NestDependence &D) {
  json Bounds = json::array();
  for (const Distance &One : D.Distances) {
    Bounds.push_back(numberOrNull(One.Min));
    Bounds.push_back(numberOrNull(One.Max));
  }
  return {uint32_t{D.What}, D.Role,  D.IsFloat, D.Name,           D.FromLine,
          D.ToLine,         D.Loops, D.Level,   std::move(Bounds)};
}

/// Reads the entries of a list one after the other.
class Entries {
public:
  Entries(JsonReader &In, const json &List, size_t Count) : In(In), List(List) {
    IsGood = In.require(List.is_array() && List.size() == Count);
  }

  const json &next() {
    static const json Null;
    return IsGood ? List[At++] : Null;
  }
  uint32_t small(uint64_t Max = UINT32_MAX) {
    const uint64_t Value = In.count(next());
    return In.require(Value <= Max) ? static_cast<uint32_t>(Value) : 0;
  }
  uint64_t count() { return In.count(next()); }
  bool boolean() {
    const json &Value = next();
    return In.require(Value.is_boolean()) && Value.get<bool>();
  }
  std::string text() {
    const json &Value = next();
    return In.require(Value.is_string()) ? Value.get<std::string>() : std::string();
  }
  double share() {
    const json &Value = next();
    const double Share = In.require(Value.is_number()) ? Value.get<double>() : 0;
    return In.require(Share >= 0 && Share <= 1) ? Share : 0;
  }

private:
  JsonReader &In;
  const json &List;
  size_t At = 0;
  bool IsGood;
};

class NestReader {
public:
  NestReader(JsonReader &In) : In(In) {}

  Nest read(const json &Json);

private:
  int64_t number(const json &Value) {
    const int64_t Number = In.integer(Value);
    return In.require(isBelievable(Number)) ? Number : 0;
  }
  std::optional<int64_t> optionalNumber(const json &Value) {
    if (Value.is_null())
      return std::nullopt;
    return number(Value);
  }
  /// Returns how many entries of a list are to be read.
  size_t bounded(const json &List, size_t Max) {
    return In.require(List.is_array() && List.size() <= Max) ? List.size() : 0;
  }
  /// Reads each entry of a list that has at most \p Max.
  template <typename F> void each(const json &List, size_t Max, F Read) {
    for (size_t I = 0, N = bounded(List, Max); I < N; ++I)
      Read(List[I]);
  }
  /// Reads numbers of loops.
  std::vector<uint32_t> loops(const json &List, size_t Max);
  NestLoop loop(const json &Json);
  NestAccess access(const json &Json);
  NestDependence dependence(const json &Json);
  NestDomain domain(const json &Json);

  JsonReader &In;
  Nest Result;
};

std::vector<uint32_t> NestReader::loops(const json &List, size_t Max) {
  std::vector<uint32_t> Loops;
  each(List, Max, [&](const json &Entry) {
    const uint64_t Loop = In.count(Entry);
    if (In.require(Loop < Result.Loops.size()))
      Loops.push_back(static_cast<uint32_t>(Loop));
  });
  return Loops;
}

NestLoop NestReader::loop(const json &Json) {
  Entries From(In, Json, 3);
  const uint32_t Line = From.small(), Depth = From.small(Nest::MaxLoops);
  In.require(Depth >= 1 && Depth <= (Result.Loops.empty() ? 1 : Result.Loops.back().Depth + 1));
  return {.Line = Line, .Depth = Depth, .Trips = From.count()};
}

NestAccess NestReader::access(const json &Json) {
  Entries From(In, Json, 10);
  NestAccess A;
  A.Line = From.small();
  A.Column = From.small();
  A.Width = From.small();
  A.IsWrite = From.boolean();
  A.Array = From.text();
  A.Loops = loops(From.next(), SPECRT_MAX_RECORDED_DEPTH);
  each(From.next(), SPECRT_MAX_RECORDED_DEPTH,
       [&](const json &Entry) { A.Strides.push_back(optionalNumber(Entry)); });
  A.AffineShare = From.share();
  A.Pieces = From.small();
  A.Points = From.count();
  In.require(A.Strides.size() == A.Loops.size());
  return A;
}

NestDependence NestReader::dependence(const json &Json) {
  Entries From(In, Json, 9);
  NestDependence D;
  D.What = static_cast<NestDependence::Kind>(From.small(NestDependence::Value));
  D.Role = From.small(SPECRT_NUM_CARRIED_ROLES - 1);
  D.IsFloat = From.boolean();
  D.Name = From.text();
  D.FromLine = From.small();
  D.ToLine = From.small();
  D.Loops = loops(From.next(), SPECRT_MAX_RECORDED_DEPTH);
  D.Level = From.small(SPECRT_MAX_RECORDED_DEPTH);
  const json &Bounds = From.next();
  const size_t NumBounds = bounded(Bounds, size_t{2} * SPECRT_MAX_RECORDED_DEPTH);
  for (size_t I = 0; I + 1 < NumBounds; I += 2)
    D.Distances.push_back({optionalNumber(Bounds[I]), optionalNumber(Bounds[I + 1])});
  In.require(D.Level < D.Loops.size() && D.Distances.size() == D.Loops.size());
  return D;
}

NestDomain NestReader::domain(const json &Json) {
  Entries From(In, Json, 3);
  NestDomain D;
  D.Outer = From.small(Nest::MaxLoops);
  D.Inner = From.small(Nest::MaxLoops);
  each(From.next(), Nest::MaxRows, [&](const json &Row) {
    if (In.require(Row.is_array() && Row.size() == 3))
      D.Rows.push_back({number(Row[0]), number(Row[1]), number(Row[2])});
  });
  In.require(D.Rows.empty() || (D.Outer < Result.Loops.size() && D.Inner < Result.Loops.size()));
  return D;
}

Nest NestReader::read(const json &Json) {
  const uint64_t From = In.count(Json, "from");
  Result.From =
      In.require(From <= Nest::Recording) ? static_cast<Nest::Origin>(From) : Nest::Nothing;
  each(In.array(Json, "loops"), Nest::MaxLoops,
       [&](const json &Entry) { Result.Loops.push_back(loop(Entry)); });
  each(In.array(Json, "accesses"), Nest::MaxAccesses,
       [&](const json &Entry) { Result.Accesses.push_back(access(Entry)); });
  each(In.array(Json, "dependences"), Nest::MaxDependences,
       [&](const json &Entry) { Result.Dependences.push_back(dependence(Entry)); });
  Result.Domain = domain(In.array(Json, "domain"));
  Result.Unknown = loops(In.array(Json, "unknown"), Nest::MaxLoops);
  Result.DependencePieces = In.count(Json, "dependence_pieces");
  Result.ExactPieces = In.count(Json, "exact_pieces");
  Result.Omitted = In.boolean(Json, "omitted");
  return In.good() ? std::move(Result) : Nest();
}

} // namespace

json toJson(const Nest &N) {
  json Loops = json::array(), Accesses = json::array(), Dependences = json::array(),
       Rows = json::array();
  for (const NestLoop &L : N.Loops)
    Loops.push_back(loopToJson(L));
  for (const NestAccess &A : N.Accesses)
    Accesses.push_back(accessToJson(A));
  for (const NestDependence &D : N.Dependences)
    Dependences.push_back(dependenceToJson(D));
  for (const NestRow &R : N.Domain.Rows)
    Rows.push_back({R.Outer, R.First, R.Last});
  return {{"from", uint32_t{N.From}},
          {"loops", std::move(Loops)},
          {"accesses", std::move(Accesses)},
          {"dependences", std::move(Dependences)},
          {"domain", {N.Domain.Outer, N.Domain.Inner, std::move(Rows)}},
          {"unknown", N.Unknown},
          {"dependence_pieces", countForJson(N.DependencePieces)},
          {"exact_pieces", countForJson(N.ExactPieces)},
          {"omitted", N.Omitted}};
}

Nest readNest(JsonReader &In, const json &Json) { return NestReader(In).read(Json); }

} // namespace specrt
