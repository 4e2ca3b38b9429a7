//===- profiler/streams/rows_of_loop.cpp - the classes of rows of a loop --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/streams/rows_of_loop.h"

#include "profiler/json/json_reader.h"
#include "profiler/json/json_writer.h"
#include <algorithm>
#include <nlohmann/json.hpp>

namespace specrt {
namespace {

using nlohmann::json;

constexpr size_t MaxClasses = 64, MaxEntries = 1024;

specrt_row_entry toPlain(const RowClass &C, size_t I) {
  specrt_row_entry E{.kind = static_cast<uint32_t>(C.Kinds[I]),
                     .mode = SPECRT_ROW_CONTROL,
                     .number = C.Control[I],
                     .ties = 0,
                     .beside = 0,
                     .apart = 0};
  if (C.Kinds[I] != EntryKind::Value)
    return E;
  E.mode = C.Deltas[I] ? SPECRT_ROW_AFFINE : SPECRT_ROW_LOADED;
  E.number = C.Deltas[I].value_or(0);
  const RowTie Tie = C.tie(I);
  E.ties = (Tie.FollowsRow ? SPECRT_ROW_FOLLOWS : 0u) | (Tie.Beside ? SPECRT_ROW_BESIDE : 0u) |
           (Tie.Apart ? SPECRT_ROW_APART : 0u);
  E.beside = static_cast<int32_t>(Tie.Beside.value_or(0));
  E.apart = Tie.Apart.value_or(0);
  return E;
}

specrt_row_traces toPlain(const RowTraces &Traces) {
  return {.num_rows = Traces.Lengths.size(),
          .lengths = Traces.Lengths.data(),
          .kinds = reinterpret_cast<const uint8_t *>(Traces.Kinds.data()),
          .values = Traces.Values.data()};
}

/// Adds an entry in the form of toPlain.
void addEntry(RowClass &C, const specrt_row_entry &E) {
  const bool IsValue = E.kind == SPECRT_ROW_VALUE;
  C.Kinds.push_back(static_cast<EntryKind>(E.kind));
  C.Control.push_back(IsValue ? 0 : E.number);
  std::optional<int64_t> Delta = 0;
  if (IsValue)
    Delta = E.mode == SPECRT_ROW_AFFINE ? std::optional(E.number) : std::nullopt;
  C.Deltas.push_back(Delta);
  RowTie &Tie = C.Ties.emplace_back();
  Tie.FollowsRow = (E.ties & SPECRT_ROW_FOLLOWS) != 0;
  if (E.ties & SPECRT_ROW_BESIDE)
    Tie.Beside = E.beside;
  if (E.ties & SPECRT_ROW_APART)
    Tie.Apart = E.apart;
}

} // namespace

static_assert(static_cast<int>(EntryKind::Value) == SPECRT_ROW_VALUE &&
              static_cast<int>(EntryKind::Trips) == SPECRT_ROW_TRIPS &&
              static_cast<int>(EntryKind::Branch) == SPECRT_ROW_BRANCH &&
              static_cast<int>(EntryKind::Source) == SPECRT_ROW_SOURCE);

std::string RowsOfLoop::text() const {
  std::string Text = std::to_string(Loop) + ":";
  for (const RowClass &C : Classes) {
    Text += "/" + std::to_string(C.Step) + "," + std::to_string(C.MinRows);
    for (size_t I = 0; I < C.entries(); ++I) {
      const specrt_row_entry E = toPlain(C, I);
      Text += ";" + std::to_string(E.kind) + "." + std::to_string(E.mode) + "." +
              std::to_string(E.number);
      if (E.ties)
        Text += "." + std::to_string(E.ties) + "." + std::to_string(E.beside) + "." +
                std::to_string(E.apart);
    }
  }
  if (!Traces.empty())
    Text += "=" + Traces.digest();
  return Text;
}

/// Returns whether more values of the class grow from row to row than have to be read.
static bool isRegular(const RowClass &C) {
  size_t Affine = 0, Values = 0;
  for (size_t I = 0; I < C.entries(); ++I) {
    Values += C.Kinds[I] == EntryKind::Value;
    Affine += C.Kinds[I] == EntryKind::Value && C.Deltas[I].has_value();
  }
  return 2 * Affine > Values;
}

bool promises(const std::vector<RowsOfLoop> &Loops) {
  return std::any_of(Loops.begin(), Loops.end(), [](const RowsOfLoop &L) {
    uint64_t Rows = 0;
    for (const RowClass &C : L.Classes)
      Rows += isRegular(C) ? C.Rows : 0;
    return Rows > 0 && 2 * Rows >= L.Rows;
  });
}

RowFacts::RowFacts(const std::vector<RowsOfLoop> &Shapes) {
  Classes.resize(Shapes.size());
  Traces.reserve(Shapes.size()); // the elements must not move
  for (const RowsOfLoop &S : Shapes)
    for (const RowClass &C : S.Classes) {
      Entries.emplace_back();
      for (size_t I = 0; I < C.entries(); ++I)
        Entries.back().push_back(toPlain(C, I));
    }
  size_t Number = 0;
  for (size_t I = 0; I < Shapes.size(); ++I) {
    for (const RowClass &C : Shapes[I].Classes) {
      const std::vector<specrt_row_entry> &E = Entries[Number++];
      Classes[I].push_back({.entries = E.data(),
                            .num_entries = static_cast<uint32_t>(E.size()),
                            .step = C.Step,
                            .min_rows = C.MinRows,
                            .segment_kinds = 0});
    }
    const RowTraces &Own = Traces.emplace_back(Shapes[I].Traces);
    Facts.push_back({.loop = Shapes[I].Loop,
                     .num_classes = static_cast<uint32_t>(Classes[I].size()),
                     .classes = Classes[I].data(),
                     .traces = toPlain(Own)});
  }
}

RowClass toRowClass(const specrt_row_class &Class) {
  RowClass C;
  C.Step = Class.step;
  C.MinRows = Class.min_rows;
  for (uint32_t I = 0; I < Class.num_entries; ++I)
    addEntry(C, Class.entries[I]);
  return C;
}

/// Returns false if the ties are invalid.
static bool readTies(JsonReader &In, const json &One, specrt_row_entry &E) {
  const int64_t Ties = In.integer(One[3]), Beside = In.integer(One[4]);
  constexpr int64_t All = SPECRT_ROW_FOLLOWS | SPECRT_ROW_BESIDE | SPECRT_ROW_APART;
  if (!In.require(E.kind == SPECRT_ROW_VALUE && (Ties & ~All) == 0 &&
                  Beside >= -RowTie::MaxBeside && Beside <= RowTie::MaxBeside))
    return false;
  E.ties = static_cast<uint32_t>(Ties);
  E.beside = static_cast<int32_t>(Beside);
  E.apart = In.integer(One[5]);
  return true;
}

static json toJson(const RowTraces &Traces) {
  std::string Kinds;
  for (const EntryKind Kind : Traces.Kinds)
    Kinds += static_cast<char>('0' + static_cast<int>(Kind));
  return {{"lengths", Traces.Lengths}, {"kinds", std::move(Kinds)}, {"values", Traces.Values}};
}

json toJson(const RowsOfLoop &Shapes) {
  json Classes = json::array();
  for (const RowClass &C : Shapes.Classes) {
    json Entries = json::array();
    for (size_t I = 0; I < C.entries(); ++I) {
      const specrt_row_entry E = toPlain(C, I);
      json One = {E.kind, E.mode, E.number};
      if (E.ties)
        One.insert(One.end(), {E.ties, E.beside, E.apart});
      Entries.push_back(std::move(One));
    }
    Classes.push_back({{"step", C.Step},
                       {"min_rows", C.MinRows},
                       {"rows", countForJson(C.Rows)},
                       {"entries", std::move(Entries)}});
  }
  json Out = {
      {"loop", Shapes.Loop}, {"rows", countForJson(Shapes.Rows)}, {"classes", std::move(Classes)}};
  if (!Shapes.Traces.empty())
    Out["traces"] = toJson(Shapes.Traces);
  return Out;
}

/// Reads traces; invalid ones are empty.
static RowTraces readTraces(JsonReader &In, const json &Json) {
  RowTraces Read;
  const json &Lengths = In.array(Json, "lengths"), &Values = In.array(Json, "values");
  const std::string Kinds = In.string(Json, "kinds");
  if (!In.require(Values.size() <= RowTraces::MaxEntries && Kinds.size() == Values.size() &&
                  Lengths.size() <= RowTraces::MaxEntries))
    return {};
  Read.Lengths.reserve(Lengths.size());
  Read.Kinds.reserve(Values.size());
  Read.Values.reserve(Values.size());
  uint64_t Sum = 0;
  for (const json &Length : Lengths) {
    const uint64_t Entries = In.count(Length);
    In.require(Entries <= Values.size());
    Read.Lengths.push_back(static_cast<uint32_t>(Entries));
    Sum += Entries;
  }
  for (size_t I = 0; I < Kinds.size(); ++I) {
    In.require(Kinds[I] >= '0' && Kinds[I] <= '0' + SPECRT_ROW_SOURCE);
    Read.Kinds.push_back(static_cast<EntryKind>(Kinds[I] - '0'));
    Read.Values.push_back(In.integer(Values[I]));
  }
  return In.require(Sum == Values.size()) ? Read : RowTraces();
}

RowsOfLoop readRowsOfLoop(JsonReader &In, const json &Json) {
  RowsOfLoop Read;
  auto Small = [&](const json &From, const char *Name, uint64_t Max) {
    const uint64_t Value = In.count(From, Name);
    In.require(Value <= Max);
    return static_cast<uint32_t>(Value);
  };
  Read.Loop = Small(Json, "loop", 1000);
  Read.Rows = In.count(Json, "rows");
  const json &Classes = In.array(Json, "classes");
  if (!In.require(Classes.size() <= MaxClasses))
    return Read;
  for (const json &Entry : Classes) {
    RowClass C;
    C.Step = Small(Entry, "step", 64);
    C.MinRows = Small(Entry, "min_rows", UINT32_MAX);
    C.Rows = In.count(Entry, "rows");
    const json &Entries = In.array(Entry, "entries");
    if (!In.require(C.Step > 0 && Entries.size() <= MaxEntries))
      return Read;
    for (const json &One : Entries) {
      if (!In.require(One.is_array() && (One.size() == 3 || One.size() == 6)))
        return Read;
      const int64_t Kind = In.integer(One[0]), Mode = In.integer(One[1]);
      const bool Fits = Kind == SPECRT_ROW_VALUE
                            ? Mode == SPECRT_ROW_AFFINE || Mode == SPECRT_ROW_LOADED
                            : Kind > 0 && Kind <= SPECRT_ROW_SOURCE && Mode == SPECRT_ROW_CONTROL;
      if (!In.require(Fits))
        return Read;
      specrt_row_entry E = {.kind = static_cast<uint32_t>(Kind),
                            .mode = static_cast<uint32_t>(Mode),
                            .number = In.integer(One[2]),
                            .ties = 0,
                            .beside = 0,
                            .apart = 0};
      if (One.size() == 6 && !readTies(In, One, E))
        return Read;
      addEntry(C, E);
    }
    Read.Classes.push_back(std::move(C));
  }
  if (Json.contains("traces"))
    Read.Traces = readTraces(In, Json["traces"]);
  return Read;
}

} // namespace specrt
