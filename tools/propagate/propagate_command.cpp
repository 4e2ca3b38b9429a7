//===- tools/propagate/propagate_command.cpp - specrt propagate ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/json/json_writer.h"
#include "tools/command_error.h"
#include "tools/commands.h"
#include "tools/compiler_library.h"
#include "tools/other_process.h"
#include "tools/propagate/array_numbers.h"
#include "tools/propagate/matrix_file.h"
#include "tools/propagate/named_option.h"
#include "tools/propagate/outputs.h"
#include "tools/terminal.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <fmt/format.h>
#include <memory>
#include <new>

namespace specrt::tools {
namespace {

using nlohmann::json;

/// The limit of processor time.
constexpr uint32_t BudgetMs = 300'000;
/// The limit of wall time, for work in which LLVM does not check its budget.
constexpr unsigned AlarmSeconds = 1200;

struct FreeStructures {
  const specrt_jit_api *Api;
  void operator()(const specrt_structures *Of) const { Api->free_structures(Of); }
};
using Structures = std::unique_ptr<const specrt_structures, FreeStructures>;

/// A request, with all the data that it points to.
struct Question {
  std::string Bytes;
  std::deque<std::string> Names;
  std::deque<std::vector<specrt_box>> Boxes;
  std::vector<specrt_array_structure> Inputs;
  std::vector<specrt_parameter> Values;
  specrt_structure_request Plain{};
};

/// Returns the runs of columns of each row.
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
    return; // without a pattern, the number of dimensions is the array's
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
    if (std::any_of(To.Values.begin(), To.Values.end(),
                    [&](const specrt_parameter &Known) { return Known.name == Name; }))
      throw CommandError(ExitUsage, printable(Name) + " is named twice");
    To.Values.push_back({To.Names.emplace_back(Name).c_str(), numberIn(Number)});
  }
  To.Plain.bitcode = To.Bytes.data();
  To.Plain.bitcode_size = To.Bytes.size();
  To.Plain.region = Options.Region.c_str();
  To.Plain.nest = Options.Nest;
  To.Plain.budget_ms = BudgetMs;
  To.Plain.values = To.Values.data();
  To.Plain.num_values = static_cast<uint32_t>(To.Values.size());
  To.Plain.inputs = To.Inputs.data();
  To.Plain.num_inputs = static_cast<uint32_t>(To.Inputs.size());
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
      What += Nonzeros == UINT64_MAX
                  ? "too many to be counted may be nonzero"
                  : fmt::format("{} may be nonzero, {:.3g} %", grouped(Nonzeros),
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
    const uint64_t Nonzeros = nonzerosOf(A);
    New["nonzeros"] = A.is_everywhere || Nonzeros == UINT64_MAX ? json() : json(Nonzeros);
    Arrays.push_back(std::move(New));
  }
  for (uint32_t P = 0; P < Found.num_parameters; ++P)
    Sizes[Found.parameters[P].name] = Found.parameters[P].value;
  return {{"format", 1},    {"file", Options.File}, {"region", Options.Region},
          {"sizes", Sizes}, {"arrays", Arrays},     {"equations", Found.equations}};
}

/// Returns the text to print.
std::string answerTo(const PropagateOptions &Options, const std::vector<Output> &Outputs,
                     const Question &Q, const specrt_jit_api &Api) {
  const Structures Found(Api.propagate(&Q.Plain), {&Api});
  if (Found->error)
    throw CommandError(ExitUsage,
                       fmt::format("{}: {}", printable(Options.File), printable(Found->error)));
  writeOutputs(Outputs, *Found);
  return Options.Json ? jsonText(structuresJson(Options, *Found), 2)
                      : structuresText(Options, *Found);
}

} // namespace

int propagateCommand(const PropagateOptions &Options) {
  const std::vector<Output> Outputs = outputsOf(Options.Outputs);
  Question Q;
  ask(Options, Q);
  const specrt_jit_api &Api = compiler();
  // The text consists of the exit code as a digit and the output or error message.
  OtherProcess Asked(AlarmSeconds, [&]() -> std::string {
    const auto Answer = [](ExitCode Code, const std::string &Text) {
      return static_cast<char>('0' + Code) + Text;
    };
    try {
      return Answer(ExitSuccess, answerTo(Options, Outputs, Q, Api));
    } catch (const CommandError &Error) {
      return Answer(Error.code(), Error.what());
    } catch (const std::bad_alloc &) {
      return Answer(ExitUsage, printable(Options.File) + ": there is not enough memory");
    }
  });
  const OtherProcess::Result Found = Asked.result();
  if (!Found.Death.empty() || Found.Text.empty())
    throw CommandError(ExitUsage, fmt::format("{}: {}", printable(Options.File), Found.Death));
  const std::string Text = Found.Text.substr(1);
  if (const auto Code = static_cast<ExitCode>(Found.Text[0] - '0'); Code != ExitSuccess)
    throw CommandError(Code, Text);
  fmt::print("{}", Text);
  return ExitSuccess;
}

} // namespace specrt::tools
