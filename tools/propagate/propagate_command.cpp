//===- tools/propagate/propagate_command.cpp - specrt propagate ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/json/json_writer.h"
#include "runtime/report/report_file.h"
#include "specrt/structure.h"
#include "tools/command_error.h"
#include "tools/commands.h"
#include "tools/compiler_library.h"
#include "tools/propagate/matrix_file.h"
#include "tools/terminal.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace specrt::tools {
namespace {

using nlohmann::json;

struct FreeStructures {
  const specrt_jit_api *Api;
  void operator()(const specrt_structures *Of) const { Api->free_structures(Of); }
};
using Structures = std::unique_ptr<const specrt_structures, FreeStructures>;

/// "A=FILE" in its two parts.
std::pair<std::string, std::string> parted(const std::string &Text, const char *Option,
                                           const char *Form) {
  const size_t At = Text.find('=');
  if (At == 0 || At == std::string::npos || At + 1 == Text.size())
    throw CommandError(ExitUsage,
                       fmt::format("{} wants {}, not '{}'", Option, Form, printable(Text)));
  return {Text.substr(0, At), Text.substr(At + 1)};
}

/// What is asked, with all that it points to.
struct Question {
  std::string Bytes;
  std::deque<std::string> Names;
  std::deque<std::vector<specrt_box>> Boxes;
  std::vector<specrt_array_structure> Inputs;
  std::vector<specrt_parameter> Values;
  specrt_structure_request Plain{};
};

/// Runs of columns, row by row.
std::vector<specrt_box> boxesOf(const CsrPattern &Pattern) {
  std::vector<specrt_box> All;
  for (int64_t Row = 0; Row < Pattern.rows(); ++Row)
    for (const uint32_t Column : Pattern.row(Row)) {
      const auto R = static_cast<int32_t>(Row), C = static_cast<int32_t>(Column);
      if (!All.empty() && All.back().first[0] == R && All.back().last[1] == C - 1)
        All.back().last[1] = C;
      else
        All.push_back({{R, C}, {R, C}});
    }
  return All;
}

void addInput(Question &To, const std::string &Name, const CsrPattern *Pattern) {
  if (std::any_of(To.Inputs.begin(), To.Inputs.end(),
                  [&](const auto &Known) { return Known.array == Name; }))
    throw CommandError(ExitUsage, printable(Name) + " is named twice");
  specrt_array_structure &New = To.Inputs.emplace_back();
  New.array = To.Names.emplace_back(Name).c_str();
  if (!Pattern)
    return; // of as many dimensions as the array has: see below
  New.num_dimensions = 2;
  const std::vector<specrt_box> &All = To.Boxes.emplace_back(boxesOf(*Pattern));
  New.boxes = All.data();
  New.num_boxes = All.size();
  New.extent[0] = Pattern->rows();
  New.extent[1] = Pattern->Columns;
}

int64_t numberIn(const std::string &Text) {
  int64_t Value = 0;
  const char *End = Text.data() + Text.size();
  if (const auto [At, Error] = std::from_chars(Text.data(), End, Value);
      At != End || Error != std::errc())
    throw CommandError(ExitUsage, fmt::format("'{}' is no number", printable(Text)));
  return Value;
}

void ask(const PropagateOptions &Options, Question &To) {
  std::string Why;
  To.Bytes = bytesOf(Options.File, Why);
  if (!Why.empty())
    throw CommandError(ExitUsage, fmt::format("{}: {}", printable(Options.File), Why));
  for (const std::string &Text : Options.Structures) {
    const auto [Name, File] = parted(Text, "--structure", "ARRAY=FILE");
    const LoadedPattern Loaded = loadPattern(File);
    addInput(To, Name, &Loaded.Pattern);
  }
  for (const std::string &Name : Options.Zeros)
    addInput(To, Name, nullptr);
  for (const std::string &Text : Options.Values) {
    const auto [Name, Number] = parted(Text, "--value", "SIZE=NUMBER");
    To.Values.push_back({To.Names.emplace_back(Name).c_str(), numberIn(Number)});
  }
  To.Plain.bitcode = To.Bytes.data();
  To.Plain.bitcode_size = To.Bytes.size();
  To.Plain.region = Options.Region.c_str();
  To.Plain.nest = Options.Nest;
  To.Plain.values = To.Values.data();
  To.Plain.num_values = static_cast<uint32_t>(To.Values.size());
  To.Plain.inputs = To.Inputs.data();
  To.Plain.num_inputs = static_cast<uint32_t>(To.Inputs.size());
}

/// What is known of an array's extents, by the loops, a file, or where it may be nonzero.
std::vector<int64_t> extentsOf(const specrt_array_structure &A) {
  std::vector<int64_t> Extents(A.extent, A.extent + A.num_dimensions);
  for (uint64_t I = 0; I < A.num_boxes; ++I)
    for (uint32_t D = 0; D < A.num_dimensions; ++D)
      if (A.extent[D] == 0)
        Extents[D] = std::max<int64_t>(Extents[D], A.boxes[I].last[D] + 1);
  return Extents;
}

uint64_t nonzerosOf(const specrt_array_structure &A) {
  uint64_t Sum = 0;
  for (uint64_t I = 0; I < A.num_boxes; ++I) {
    uint64_t Points = 1;
    for (uint32_t D = 0; D < A.num_dimensions; ++D)
      Points *= static_cast<uint64_t>(A.boxes[I].last[D] - A.boxes[I].first[D] + 1);
    Sum += Points;
  }
  return Sum;
}

double elementsOf(const std::vector<int64_t> &Extents) {
  double Product = 1;
  for (const int64_t Extent : Extents)
    Product *= static_cast<double>(Extent);
  return Product;
}

std::string dimensionsText(const specrt_array_structure &A) {
  std::vector<std::string> Pieces;
  const std::vector<int64_t> Extents = extentsOf(A);
  Pieces.reserve(A.num_dimensions);
  for (uint32_t D = 0; D < A.num_dimensions; ++D)
    Pieces.push_back(Extents[D] == 0    ? "?"
                     : A.extent[D] == 0 ? grouped(static_cast<uint64_t>(Extents[D])) + " or more"
                                        : grouped(static_cast<uint64_t>(Extents[D])));
  return A.num_dimensions ? fmt::format("{}", fmt::join(Pieces, " x ")) : "a number";
}

std::string usesText(const specrt_array_structure &A) {
  return A.is_written ? A.is_read ? "read and written" : "written" : "read";
}

std::string structuresText(const PropagateOptions &Options, const specrt_structures &Found) {
  std::string Text = ink(Ink::Bold, printable(Options.Region));
  for (uint32_t P = 0; P < Found.num_parameters; ++P)
    Text += fmt::format("{} {} == {}", P ? "," : ":", printable(Found.parameters[P].name),
                        Found.parameters[P].value);
  Text += "\n";
  for (uint32_t I = 0; I < Found.num_arrays; ++I) {
    const specrt_array_structure &A = Found.arrays[I];
    const uint64_t Nonzeros = nonzerosOf(A);
    std::string What = fmt::format("{}, {}: ", dimensionsText(A), usesText(A));
    if (A.is_everywhere)
      What += "any element may be nonzero";
    else if (Nonzeros == 0)
      What += "all zero";
    else
      What += fmt::format("{} may be nonzero, {:.3g} %", grouped(Nonzeros),
                          100 * static_cast<double>(Nonzeros) / elementsOf(extentsOf(A)));
    Text += wrapped(fmt::format("  {:<8}", printable(A.array)), What);
  }
  if (Options.Equations)
    Text += "\n" + std::string(Found.equations);
  return Text;
}

json structuresJson(const PropagateOptions &Options, const specrt_structures &Found) {
  json Arrays = json::array(), Sizes = json::object();
  for (uint32_t I = 0; I < Found.num_arrays; ++I) {
    const specrt_array_structure &A = Found.arrays[I];
    json New = {{"array", A.array},
                {"extents", extentsOf(A)},
                {"read", A.is_read != 0},
                {"written", A.is_written != 0}};
    New["nonzeros"] = A.is_everywhere ? json() : json(nonzerosOf(A));
    Arrays.push_back(std::move(New));
  }
  for (uint32_t P = 0; P < Found.num_parameters; ++P)
    Sizes[Found.parameters[P].name] = Found.parameters[P].value;
  return {{"format", 1},    {"file", Options.File}, {"region", Options.Region},
          {"sizes", Sizes}, {"arrays", Arrays},     {"equations", Found.equations}};
}

/// As a Matrix Market file; a vector has one column.
std::string matrixText(const specrt_array_structure &A) {
  constexpr uint64_t MostEntries = 100'000'000;
  std::vector<int64_t> Extents = extentsOf(A);
  Extents.resize(2, 1);
  const uint64_t Entries = nonzerosOf(A);
  if (A.num_dimensions == 0 || A.num_dimensions > 2 || A.is_everywhere || Entries > MostEntries)
    throw CommandError(ExitNothing,
                       fmt::format("{} is no matrix that could be written: {}", printable(A.array),
                                   A.is_everywhere ? "any element may be nonzero"
                                                   : "it has too many dimensions or entries"));
  std::string Text =
      fmt::format("%%MatrixMarket matrix coordinate pattern general\n{} {} {}\n",
                  std::max<int64_t>(Extents[0], 1), std::max<int64_t>(Extents[1], 1), Entries);
  for (uint64_t I = 0; I < A.num_boxes; ++I)
    for (int64_t R = A.boxes[I].first[0]; R <= A.boxes[I].last[0]; ++R)
      for (int64_t C = A.boxes[I].first[1]; C <= A.boxes[I].last[1]; ++C)
        Text += fmt::format("{} {}\n", R + 1, C + 1);
  return Text;
}

void writeOutputs(const PropagateOptions &Options, const specrt_structures &Found) {
  for (const std::string &One : Options.Outputs) {
    const auto [Name, File] = parted(One, "--output", "ARRAY=FILE");
    const auto *End = Found.arrays + Found.num_arrays;
    const auto *Array =
        std::find_if(Found.arrays, End, [&](const auto &A) { return A.array == Name; });
    if (Array == End)
      throw CommandError(ExitUsage, fmt::format("there is no array {}", printable(Name)));
    if (const std::string Problem = writeFileAtomically(File, matrixText(*Array)); !Problem.empty())
      throw CommandError(ExitUsage, fmt::format("{} {}", printable(File), Problem));
  }
}

} // namespace

int propagateCommand(const PropagateOptions &Options) {
  Question Q;
  ask(Options, Q);
  const specrt_jit_api &Api = compiler();
  const Structures Found(Api.propagate(&Q.Plain), {&Api});
  if (Found->error)
    throw CommandError(ExitUsage,
                       fmt::format("{}: {}", printable(Options.File), printable(Found->error)));
  writeOutputs(Options, *Found);
  if (Options.Json)
    fmt::print("{}", jsonText(structuresJson(Options, *Found), 2));
  else
    fmt::print("{}", structuresText(Options, *Found));
  return ExitSuccess;
}

} // namespace specrt::tools
