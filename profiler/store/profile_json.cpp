//===- profiler/store/profile_json.cpp - profiles as JSON -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/profile_json.h"

#include "profiler/json/json_reader.h"
#include "profiler/json/json_writer.h"
#include "profiler/json/value_json.h"
#include <limits>
#include <nlohmann/json.hpp>

namespace specrt {
namespace {

using nlohmann::json;

constexpr const char *KindNames[] = {"void", "i1",  "i8",  "i16",    "i32",
                                     "i64",  "f32", "f64", "pointer"};

const char *kindName(uint8_t Kind) {
  return Kind < std::size(KindNames) ? KindNames[Kind] : "unknown";
}

} // namespace

class ProfileWriter {
public:
  static json input(const ValueProfile &V) {
    json J = {{"kind", kindName(V.Kind)}, {"calls", countForJson(V.Calls)}};
    if (V.Kind == SPECRT_KIND_POINTER) {
      J["alignment"] = V.alignment();
      return J;
    }
    J["min"] = valueToJson(V.Kind, V.packedBound(V.Min));
    J["max"] = valueToJson(V.Kind, V.packedBound(V.Max));
    json &Values = J["values"] = json::array();
    for (const ValueCount &E : V.Values)
      if (E.Count != 0)
        Values.push_back({{"value", valueToJson(V.Kind, E.Value)},
                          {"count", countForJson(E.Count)},
                          {"error", countForJson(E.Error)}});
    return J;
  }

  static json tuples(const TupleProfile &T, const std::vector<uint8_t> &Kinds) {
    json J = json::array();
    for (unsigned I = 0; I < TupleProfile::Capacity; ++I) {
      const TupleCount &E = T.Entries[I];
      if (E.Count == 0)
        continue;
      json Values = json::array();
      for (size_t A = 0; A < T.Arguments.size(); ++A)
        Values.push_back(valueToJson(Kinds[T.Arguments[A]], T.values(I)[A]));
      J.push_back({{"values", Values},
                   {"count", countForJson(E.Count)},
                   {"error", countForJson(E.Error)},
                   {"total_ns", countForJson(E.TotalNs)},
                   {"min_ns", countForJson(E.MinNs)}});
    }
    return J;
  }

  static void accesses(const AccessProfile &A, json &J) {
    json &Pairs = J["pairs"] = json::array();
    for (const PairProfile &P : A.Pairs)
      Pairs.push_back({{"first", P.First},
                       {"second", P.Second},
                       {"disjoint", countForJson(P.Counts[PairProfile::Disjoint])},
                       {"overlapping", countForJson(P.Counts[PairProfile::Overlapping])},
                       {"unknown", countForJson(P.Counts[PairProfile::Unknown])}});
    json &Loops = J["loops"] = json::array();
    for (const LoopProfile &L : A.Loops)
      Loops.push_back({{"line", L.Line},
                       {"depth", L.Depth},
                       {"count", countForJson(L.Count)},
                       {"min", L.Min},
                       {"max", L.Max},
                       {"sum", L.Sum}});
  }

  static json times(const TimeProfile &T) {
    size_t Used = TimeProfile::Buckets;
    while (Used != 0 && T.Histogram[Used - 1] == 0)
      --Used;
    json Histogram = json::array();
    for (size_t I = 0; I < Used; ++I)
      Histogram.push_back(countForJson(T.Histogram[I]));
    return {{"total_ns", countForJson(T.TotalNs)},
            {"min_ns", countForJson(T.MinNs)},
            {"histogram", Histogram}};
  }

  static json profile(const RegionProfile &P) {
    json J = {{"sampled_calls", countForJson(P.Sampled)},
              {"unsampled_calls", countForJson(P.Unsampled)},
              {"time", times(P.Times)},
              {"tuples", tuples(P.Tuples, P.Kinds)}};
    json &Inputs = J["inputs"] = json::array();
    for (const ValueProfile &V : P.Inputs)
      Inputs.push_back(input(V));
    accesses(P.Accesses, J);
    return J;
  }
};

class ProfileReader {
public:
  explicit ProfileReader(JsonReader &In) : In(In) {}

  void profile(const json &J, RegionProfile &P) {
    P.clear();
    P.Sampled = In.count(J, "sampled_calls");
    P.Unsampled = In.count(J, "unsampled_calls");
    times(In.object(J, "time"), P.Times);
    tuples(In.array(J, "tuples"), P.Kinds, P.Tuples);
    const json &Inputs = In.array(J, "inputs");
    if (!In.require(Inputs.size() == P.Inputs.size()))
      return;
    for (size_t I = 0; I < Inputs.size(); ++I)
      input(Inputs[I], P.Inputs[I]);
    pairs(In.array(J, "pairs"), P.Accesses);
    loops(In.array(J, "loops"), P.Accesses);
  }

private:
  void times(const json &J, TimeProfile &T) {
    T.TotalNs = In.count(J, "total_ns");
    T.MinNs = In.count(J, "min_ns");
    const json &Histogram = In.array(J, "histogram");
    if (In.require(Histogram.size() <= TimeProfile::Buckets))
      for (size_t I = 0; I < Histogram.size(); ++I)
        T.Histogram[I] = In.count(Histogram[I]);
  }

  void input(const json &J, ValueProfile &V) {
    In.require(In.string(J, "kind") == kindName(V.Kind));
    V.Calls = In.count(J, "calls");
    if (V.Kind == SPECRT_KIND_POINTER) {
      V.AddressBits = In.count(J, "alignment");
      In.require(std::has_single_bit(V.AddressBits));
      return;
    }
    V.Min = V.ordered(valueFromJson(In, In.member(J, "min"), V.Kind));
    V.Max = V.ordered(valueFromJson(In, In.member(J, "max"), V.Kind));
    In.require(V.Min <= V.Max);
    values(In.array(J, "values"), V);
  }

  void values(const json &J, ValueProfile &V) {
    if (!In.require(J.size() <= ValueProfile::Capacity))
      return;
    for (size_t I = 0; I < J.size(); ++I) {
      ValueCount E{valueFromJson(In, In.member(J[I], "value"), V.Kind), In.count(J[I], "count"),
                   In.count(J[I], "error")};
      In.require(E.Count != 0 && E.Error <= E.Count);
      for (size_t K = 0; K < I; ++K)
        In.require(V.Values[K].Value != E.Value);
      V.Values[I] = E;
    }
  }

  void tuples(const json &J, const std::vector<uint8_t> &Kinds, TupleProfile &T) {
    if (!In.require(J.size() <= TupleProfile::Capacity))
      return;
    std::vector<uint64_t> Packed(Kinds.size());
    for (size_t I = 0; I < J.size(); ++I) {
      const json &Values = In.array(J[I], "values");
      if (!In.require(Values.size() == T.Arguments.size()))
        return;
      for (size_t A = 0; A < Values.size(); ++A)
        Packed[T.Arguments[A]] = valueFromJson(In, Values[A], Kinds[T.Arguments[A]]);
      TupleCount E{In.count(J[I], "count"), In.count(J[I], "error"), In.count(J[I], "total_ns"),
                   In.count(J[I], "min_ns")};
      if (!In.require(E.Count != 0 && E.Error <= E.Count))
        return;
      T.record(Packed.data(), 0); // fills values and hash; a tuple given twice meets its first
      In.require(T.Last == I);
      T.Entries[T.Last] = E;
    }
  }

  void pairs(const json &J, AccessProfile &A) {
    if (!In.require(J.size() == A.Pairs.size()))
      return;
    for (size_t I = 0; I < J.size(); ++I) {
      PairProfile &P = A.Pairs[I];
      In.require(In.count(J[I], "first") == P.First && In.count(J[I], "second") == P.Second);
      P.Counts[PairProfile::Disjoint] = In.count(J[I], "disjoint");
      P.Counts[PairProfile::Overlapping] = In.count(J[I], "overlapping");
      P.Counts[PairProfile::Unknown] = In.count(J[I], "unknown");
    }
  }

  void loops(const json &J, AccessProfile &A) {
    if (!In.require(J.size() == A.Loops.size()))
      return;
    for (size_t I = 0; I < J.size(); ++I) {
      LoopProfile &L = A.Loops[I];
      L.Count = In.count(J[I], "count");
      L.Min = In.integer(In.member(J[I], "min"));
      L.Max = In.integer(In.member(J[I], "max"));
      L.Sum = In.number(J[I], "sum");
      In.require(0 <= L.Min && L.Min <= L.Max && L.Sum >= 0);
    }
  }

  JsonReader &In;
};

json toJson(const RegionProfile &Profile) { return ProfileWriter::profile(Profile); }

bool readProfile(const json &Json, RegionProfile &Profile) {
  JsonReader In;
  ProfileReader(In).profile(Json, Profile);
  return In.good();
}

} // namespace specrt
