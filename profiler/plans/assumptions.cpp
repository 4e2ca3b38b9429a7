//===- profiler/plans/assumptions.cpp - the assumptions of a version ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/plans/assumptions.h"

#include "guards/address.h"
#include "guards/equal.h"
#include "guards/polynomial.h"
#include "guards/words.h"
#include "profiler/json/json_reader.h"
#include "profiler/json/json_writer.h"
#include "profiler/json/value_json.h"
#include "profiler/observations/value_profile.h"
#include "profiler/streams/sequence_json.h"
#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <set>

namespace specrt {
namespace {

using nlohmann::json;

bool isConstant(const specrt_fact &Fact) { return (Fact.flags & SPECRT_FACT_CONSTANT) != 0; }

bool covers(const specrt_fact &Known, const specrt_fact &Fact) {
  if (isConstant(Known))
    return isConstant(Fact) && Fact.value == Known.value;
  constexpr uint32_t Bounded = SPECRT_FACT_CONSTANT | SPECRT_FACT_RANGE;
  if ((Known.flags & SPECRT_FACT_RANGE) &&
      (!(Fact.flags & Bounded) || Fact.low < Known.low || Fact.high > Known.high))
    return false;
  return !(Known.flags & SPECRT_FACT_ALIGNED) ||
         ((Fact.flags & SPECRT_FACT_ALIGNED) && Fact.alignment >= Known.alignment);
}

std::string textOf(const specrt_fact &Fact) {
  std::string Text;
  if (isConstant(Fact))
    Text = "=" + hexadecimal(Fact.value);
  else if (Fact.flags & SPECRT_FACT_RANGE)
    Text = "[" + std::to_string(Fact.low) + "," + std::to_string(Fact.high) + "]";
  if (Fact.flags & SPECRT_FACT_ALIGNED)
    Text += "/" + std::to_string(Fact.alignment);
  return Text;
}

/// Returns for example "argument 3 + 8:4", which is the same in every run.
std::string textOf(const specrt_cell &Cell) {
  const char *Kind = Cell.base.kind == SPECRT_BASE_SYMBOL ? "symbol " : "argument ";
  return Kind + std::to_string(Cell.base.index) + " + " + std::to_string(Cell.begin) + ":" +
         std::to_string(Cell.width);
}

/// Returns the digits as text, such as "0120", or "" if all are 0.
std::string textOf(const std::vector<uint8_t> &Digits) {
  std::string Text;
  for (uint8_t Digit : Digits)
    Text += static_cast<char>('0' + Digit);
  return Text.find_first_not_of('0') == std::string::npos ? "" : Text;
}

/// Returns for example "3:0+257@0*2056,;5:...", or "" for none.
std::string textOf(const std::vector<Sequence> &Sequences) {
  std::string Text;
  for (const Sequence &S : Sequences)
    Text += S.text() + ";";
  return Text;
}

/// Returns an FNV-1a hash, which is the same in every run.
uint64_t hashOf(const std::string &Text) {
  uint64_t Hash = 0xcbf29ce484222325;
  for (const char C : Text)
    Hash = (Hash ^ static_cast<unsigned char>(C)) * 0x100000001b3;
  return Hash;
}

std::string textOf(const std::vector<RowsOfLoop> &Rows) {
  std::string Text;
  for (const RowsOfLoop &S : Rows)
    Text += S.text() + " ";
  return Text;
}

json factToJson(const specrt_fact &Fact, uint8_t Kind) {
  json Entry = json::object();
  if (isConstant(Fact))
    Entry["constant"] = valueToJson(Kind, Fact.value);
  if (Fact.flags & SPECRT_FACT_RANGE) {
    Entry["low"] = Fact.low;
    Entry["high"] = Fact.high;
  }
  if (Fact.flags & SPECRT_FACT_ALIGNED)
    Entry["alignment"] = Fact.alignment;
  return Entry;
}

specrt_fact readFact(JsonReader &In, const json &Entry, uint8_t Kind) {
  specrt_fact Fact{};
  if (Entry.contains("constant")) {
    In.require(isInteger(Kind) || isFloat(Kind));
    makeConstant(Fact, Kind, valueFromJson(In, In.member(Entry, "constant"), Kind));
  }
  if (Entry.contains("low")) {
    Fact.flags |= SPECRT_FACT_RANGE;
    Fact.low = In.integer(In.member(Entry, "low"));
    Fact.high = In.integer(In.member(Entry, "high"));
    In.require(isInteger(Kind) && Fact.low <= Fact.high);
  }
  if (Entry.contains("alignment")) {
    Fact.flags |= SPECRT_FACT_ALIGNED;
    uint64_t Alignment = In.count(Entry, "alignment");
    In.require(Kind == SPECRT_KIND_POINTER && std::has_single_bit(Alignment) &&
               Alignment <= ValueProfile::MaxAlignment);
    Fact.alignment = static_cast<uint32_t>(Alignment);
  }
  return Fact;
}

json cellToJson(const specrt_cell_fact &Fact) {
  const specrt_cell &Cell = Fact.cell;
  const char *Base = Cell.base.kind == SPECRT_BASE_SYMBOL ? "symbol" : "argument";
  return {{Base, Cell.base.index},
          {"begin", Cell.begin},
          {"bytes", Cell.width},
          {"certain", Cell.certain != 0},
          {"value", hexadecimal(Fact.value)}};
}

specrt_cell_fact readCell(JsonReader &In, const json &Entry) {
  specrt_cell_fact Fact{};
  specrt_cell &Cell = Fact.cell;
  const bool IsSymbol = Entry.contains("symbol");
  Cell.base.kind = IsSymbol ? SPECRT_BASE_SYMBOL : SPECRT_BASE_ARGUMENT;
  uint64_t Index = In.count(Entry, IsSymbol ? "symbol" : "argument");
  int64_t Begin = In.integer(In.member(Entry, "begin"));
  uint64_t Bytes = In.count(Entry, "bytes");
  In.require(Index <= UINT16_MAX && Begin >= INT32_MIN && Begin <= INT32_MAX && Bytes <= 8 &&
             std::has_single_bit(Bytes));
  Cell.base.index = static_cast<uint16_t>(Index);
  Cell.begin = static_cast<int32_t>(Begin);
  Cell.width = static_cast<uint16_t>(Bytes);
  Cell.certain = In.boolean(Entry, "certain");
  Fact.value = In.hexadecimal(In.member(Entry, "value"));
  In.require(Bytes >= 8 || (Fact.value >> (8 * Bytes)) == 0);
  return Fact;
}

/// Reads digits as textOf writes them; "" if all are 0.
std::vector<uint8_t> readDigits(JsonReader &In, const json &J, const char *Name, char Largest) {
  std::vector<uint8_t> Digits;
  for (char C : In.string(J, Name)) {
    In.require(C >= '0' && C <= Largest);
    Digits.push_back(static_cast<uint8_t>(C - '0'));
  }
  if (std::all_of(Digits.begin(), Digits.end(), [](uint8_t Digit) { return Digit == 0; }))
    Digits.clear();
  return Digits;
}

} // namespace

void makeConstant(specrt_fact &Fact, uint8_t Kind, uint64_t Packed) {
  Fact.flags |= SPECRT_FACT_CONSTANT;
  Fact.value = Packed;
  if (isInteger(Kind))
    Fact.low = Fact.high = signedValue(Kind, Packed);
}

static std::string textOfConstants(const Assumptions &Of) {
  std::string Text;
  for (size_t I = 0; I < Of.Facts.size(); ++I)
    if (isConstant(Of.Facts[I]))
      Text += (Text.empty() ? "" : ",") + std::to_string(I) + "=" + hexadecimal(Of.Facts[I].value);
  for (const specrt_cell_fact &Fact : Of.Cells)
    Text += (Text.empty() ? "" : ",") + textOf(Fact.cell) + "=" + hexadecimal(Fact.value);
  return Text;
}

AssumptionsId Assumptions::constantsId() const { return AssumptionsId(textOfConstants(*this)); }

/// Returns the pairs of accesses whose arguments are the same address, as digits of the matrix.
/// Either all accesses of two arguments are among them or none is (AliasProfile::overlapMatrix).
static std::vector<uint8_t> sameAddresses(const Assumptions &Of) {
  std::vector<uint8_t> Same = Of.Overlaps;
  std::replace(Same.begin(), Same.end(), uint8_t{1}, uint8_t{0});
  return Same;
}

AssumptionsId Assumptions::id() const {
  std::string Text = textOfConstants(*this);
  if (const std::string Same = textOf(sameAddresses(*this)); !Same.empty())
    Text += (Text.empty() ? "" : ",") + std::string("same ") + hexadecimal(hashOf(Same));
  if (!Sequences.empty())
    Text += (Text.empty() ? "" : ",") + std::string("sequences ") +
            hexadecimal(hashOf(textOf(Sequences)));
  if (!Rows.empty())
    Text += (Text.empty() ? "" : ",") + std::string("rows ") + hexadecimal(hashOf(textOf(Rows)));
  if (!Zeros.empty())
    Text += (Text.empty() ? "" : ",") + std::string("zeros ") + textOf(Zeros);
  return AssumptionsId(Text.empty() ? "any" : std::move(Text));
}

bool Assumptions::covers(const Assumptions &Newer) const {
  if (Facts.size() != Newer.Facts.size())
    return false;
  for (size_t I = 0; I < Facts.size(); ++I)
    if (!specrt::covers(Facts[I], Newer.Facts[I]))
      return false;
  for (const specrt_cell_fact &Fact : Cells)
    if (std::none_of(Newer.Cells.begin(), Newer.Cells.end(), [&](const specrt_cell_fact &Other) {
          return isSameCell(Fact.cell, Other.cell) && Fact.value == Other.value;
        }))
      return false;
  for (const Sequence &S : Sequences)
    if (std::find(Newer.Sequences.begin(), Newer.Sequences.end(), S) == Newer.Sequences.end())
      return false;
  if (textOf(Rows) != textOf(Newer.Rows))
    return false;
  // Arrays that were mostly zero are only worth trying, and many arrays are so at first.
  for (size_t A = 0; A < Newer.Zeros.size(); ++A)
    if (Newer.Zeros[A] && !(A < Zeros.size() && Zeros[A]))
      return false;
  for (size_t I = 0; I < std::max(Overlaps.size(), Newer.Overlaps.size()); ++I) {
    const uint8_t Before = I < Overlaps.size() ? Overlaps[I] : 0;
    const uint8_t Now = I < Newer.Overlaps.size() ? Newer.Overlaps[I] : 0;
    if ((Before == 0 && Now != 0) || (Before == 2 && Now != 2))
      return false;
  }
  return true;
}

std::string Assumptions::text() const {
  std::string Text = "facts ";
  for (const specrt_fact &Fact : Facts)
    Text += textOf(Fact) + ";";
  Text += " cells ";
  for (const specrt_cell_fact &Fact : Cells)
    Text += textOf(Fact.cell) + "=" + hexadecimal(Fact.value) + ";";
  std::string Seen = textOf(Overlaps);
  Text += " overlaps " + (Seen.empty() ? "none" : Seen);
  if (!Sequences.empty())
    Text += " sequences " + textOf(Sequences);
  if (!Zeros.empty())
    Text += " zeros " + textOf(Zeros);
  return Rows.empty() ? Text : Text + " rows " + textOf(Rows);
}

std::string describe(const Assumptions &Assumed, const specrt_region &Region) {
  std::string Text;
  for (uint32_t I = 0; I < Assumed.Facts.size() && I < Region.num_args; ++I)
    if (isConstant(Assumed.Facts[I]))
      Text += (Text.empty() ? "" : ", ") + argumentName(Region, I) +
              " == " + describeValue(Region.arg_kinds[I], Assumed.Facts[I].value);
  for (const specrt_cell_fact &Fact : Assumed.Cells)
    Text += (Text.empty() ? "" : ", ") + describe(Fact.cell, Region) +
            " == " + std::to_string(Fact.value);
  if (!Assumed.Sequences.empty())
    Text += (Text.empty() ? "" : ", ") + std::to_string(Assumed.Sequences.size()) +
            (Assumed.Sequences.size() == 1 ? " sequence" : " sequences") + " in memory";
  const bool Fits = Assumed.Overlaps.size() == size_t{Region.num_accesses} * Region.num_accesses;
  std::set<uint32_t> Named;
  for (const SameGuard &Guard : sameArguments(Fits ? Assumed.Overlaps.data() : nullptr, Region))
    if (Named.insert(Guard.Second).second)
      Text += (Text.empty() ? "" : ", ") + Guard.describe(Region);
  for (uint32_t A = 0; A < Assumed.Zeros.size() && A < Region.num_accesses; ++A)
    if (Assumed.Zeros[A])
      Text += (Text.empty() ? "" : ", ") + describe(Region.accesses[A].range.base, Region) +
              " mostly zero";
  size_t NumClasses = 0;
  for (const RowsOfLoop &S : Assumed.Rows)
    NumClasses += S.Classes.size();
  if (NumClasses > 0)
    Text += (Text.empty() ? "" : ", ") + std::to_string(NumClasses) +
            (NumClasses == 1 ? " class of rows" : " classes of rows");
  else if (!Assumed.Rows.empty())
    Text += (Text.empty() ? "" : ", ") + std::string("rows of any shape");
  return Text.empty() ? "any values" : Text;
}

json toJson(const Assumptions &Assumed, std::span<const uint8_t> Kinds) {
  json Facts = json::array();
  for (size_t I = 0; I < Assumed.Facts.size() && I < Kinds.size(); ++I)
    if (json Entry = factToJson(Assumed.Facts[I], Kinds[I]); !Entry.empty()) {
      Entry["argument"] = I;
      Facts.push_back(std::move(Entry));
    }
  json Cells = json::array();
  for (const specrt_cell_fact &Fact : Assumed.Cells)
    Cells.push_back(cellToJson(Fact));
  json Out = {{"facts", std::move(Facts)},
              {"cells", std::move(Cells)},
              {"overlaps", textOf(Assumed.Overlaps)}};
  if (!Assumed.Zeros.empty())
    Out["zeros"] = textOf(Assumed.Zeros);
  for (const Sequence &S : Assumed.Sequences)
    Out["sequences"].push_back(toJson(S));
  for (const RowsOfLoop &S : Assumed.Rows)
    Out["rows"].push_back(toJson(S));
  return Out;
}

std::optional<Assumptions> assumptionsFromJson(const json &Json, std::span<const uint8_t> Kinds,
                                               uint32_t NumAccesses) {
  JsonReader In;
  Assumptions Read;
  Read.Facts.resize(Kinds.size());
  for (const json &Entry : In.array(Json, "facts")) {
    uint64_t I = In.count(Entry, "argument");
    if (!In.require(In.good() && I < Kinds.size() && Read.Facts[I].flags == 0))
      return std::nullopt;
    Read.Facts[I] = readFact(In, Entry, Kinds[I]);
  }
  for (const json &Entry : In.array(Json, "cells"))
    Read.Cells.push_back(readCell(In, Entry));
  Read.Overlaps = readDigits(In, Json, "overlaps", '2');
  if (Json.contains("sequences"))
    for (const json &Entry : In.array(Json, "sequences"))
      Read.Sequences.push_back(readSequence(In, Entry));
  if (Json.contains("zeros"))
    Read.Zeros = readDigits(In, Json, "zeros", '1');
  if (Json.contains("rows"))
    for (const json &Entry : In.array(Json, "rows"))
      Read.Rows.push_back(readRowsOfLoop(In, Entry));
  const auto Fits = [](const std::vector<uint8_t> &Bits, size_t Count) {
    return Bits.empty() || Bits.size() == Count;
  };
  In.require(Fits(Read.Overlaps, size_t{NumAccesses} * NumAccesses) &&
             Fits(Read.Zeros, NumAccesses));
  if (!In.good())
    return std::nullopt;
  return Read;
}

bool haveCellsOf(const specrt_region &Region, const Assumptions &Assumed) {
  return std::all_of(Assumed.Cells.begin(), Assumed.Cells.end(), [&](const specrt_cell_fact &Fact) {
    return std::any_of(Region.cells, Region.cells + Region.num_cells,
                       [&](const specrt_cell &Cell) { return isSameCell(Fact.cell, Cell); });
  });
}

} // namespace specrt
