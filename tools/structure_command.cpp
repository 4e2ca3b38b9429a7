//===- tools/structure_command.cpp - specrt structure ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/json/json_writer.h"
#include "runtime/report/report_file.h"
#include "structure/summary/pattern_summary.h"
#include "structure/summary/spy_plot.h"
#include "tools/command_error.h"
#include "tools/commands.h"
#include "tools/propagate/matrix_file.h"
#include "tools/terminal.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace specrt::tools {
namespace {

using nlohmann::json;

std::string percent(double Share) {
  return fmt::format("{:.{}f} %", 100 * Share, Share < 1 ? 1 : 0);
}

std::string lengthsText(const RowLengths &L) {
  std::string Text = fmt::format("{} to {}, {:.2f} on average, median {}", grouped(L.Shortest),
                                 grouped(L.Longest), L.Mean, grouped(L.Median));
  if (L.Empty)
    Text += fmt::format("; {} empty", grouped(L.Empty));
  return Text;
}

/// Returns pieces that must not be broken across lines.
std::vector<std::string> diagonalsText(const PatternSummary &S) {
  constexpr size_t MostNamed = 8;
  if (S.Diagonals.empty())
    return {"none is at least half full"};
  size_t Entries = 0;
  for (const Diagonal &D : S.Diagonals)
    Entries += D.Entries;
  std::vector<std::string> Pieces = {
      fmt::format("{} with {} of the entries:", grouped(S.Diagonals.size()),
                  percent(static_cast<double>(Entries) / static_cast<double>(S.Entries)))};
  const size_t Named = std::min(MostNamed, S.Diagonals.size());
  for (size_t I = 0; I < Named; ++I)
    Pieces.push_back(fmt::format("{} ({}){}", S.Diagonals[I].Offset, percent(S.Diagonals[I].Filled),
                                 I + 1 < S.Diagonals.size() ? "," : ""));
  if (Named < S.Diagonals.size())
    Pieces.emplace_back("...");
  return Pieces;
}

std::string blocksText(const DenseBlocks &B) {
  if (B.Edge == 0)
    return "none";
  return fmt::format("{0} x {0}, dense, with {1} of the entries", B.Edge, percent(B.Share));
}

std::string segmentsText(const RowStructure &S) {
  const auto Rest = static_cast<size_t>(
      std::count_if(S.Segments.begin(), S.Segments.end(),
                    [](const RowSegment &Segment) { return Segment.Class == RestClass; }));
  const size_t Others = S.Segments.size() - Rest;
  return fmt::format("{} class{} in {} segment{}, {} segment{} of other rows",
                     grouped(S.Classes.size()), S.Classes.size() == 1 ? "" : "es", grouped(Others),
                     Others == 1 ? "" : "s", grouped(Rest), Rest == 1 ? "" : "s");
}

std::string bytesPerEntry(const PatternSummary &S) {
  const auto Per = [&](size_t Bytes) {
    return fmt::format("{:.2f}", static_cast<double>(Bytes) / static_cast<double>(S.Entries));
  };
  return fmt::format("{} as compressed rows, {} as intervals, {} as 8 x 8 blocks, {} as pieces",
                     Per(S.CsrBytes), Per(S.IntervalBytes), Per(S.BlockBytes), Per(S.PieceBytes));
}

std::string headline(const std::string &File, const PatternSummary &S) {
  return fmt::format("{}: {} rows, {} columns, {} entries",
                     std::filesystem::path(File).filename().string(),
                     grouped(static_cast<uint64_t>(S.Rows)),
                     grouped(static_cast<uint64_t>(S.Columns)), grouped(S.Entries));
}

std::string structureText(const std::string &File, const LoadedPattern &Loaded,
                          const PatternSummary &S) {
  std::string Text = ink(Ink::Bold, printable(headline(File, S))) + "\n";
  const auto Name = [](const char *Of) { return fmt::format("  {:<16}", Of); };
  const auto Add = [&](const char *Of, const std::string &What) {
    Text += wrapped(Name(Of), What);
  };
  if (Loaded.Symmetric)
    Add("symmetric", "the file has the lower triangle only");
  if (Loaded.Repeated)
    Add("repeated", fmt::format("{} there more than once",
                                Loaded.Repeated == 1 ? "1 entry is"
                                                     : grouped(Loaded.Repeated) + " entries are"));
  Add("row lengths", lengthsText(S.Lengths));
  if (S.Entries) {
    Add("bandwidth",
        fmt::format("{} below the diagonal, {} above", grouped(static_cast<uint64_t>(S.Below)),
                    grouped(static_cast<uint64_t>(S.Above))));
    Text += filled(Name("diagonals"), diagonalsText(S));
    Add("blocks", blocksText(S.Blocks));
    Add("rows", rowsText(S.Structure, 1));
    Add("classes", segmentsText(S.Structure));
    Add("lower triangle", levelsText(S.Lower));
    Add("bytes per entry", bytesPerEntry(S));
  }
  return Text;
}

json classesJson(const RowStructure &S) {
  json Classes = json::array();
  for (const RowClass &Class : S.Classes)
    Classes.push_back({{"rows", Class.Rows},
                       {"entries", Class.entries() - 1},
                       {"step", Class.Step},
                       {"least_rows", Class.MinRows}});
  return Classes;
}

json structureJson(const std::string &File, const LoadedPattern &Loaded, const PatternSummary &S) {
  json Diagonals = json::array();
  for (const Diagonal &D : S.Diagonals)
    Diagonals.push_back({{"offset", D.Offset}, {"entries", D.Entries}, {"filled", D.Filled}});
  return {{"format", 1},
          {"file", File},
          {"symmetric", Loaded.Symmetric},
          {"repeated", Loaded.Repeated},
          {"rows", S.Rows},
          {"columns", S.Columns},
          {"entries", S.Entries},
          {"row_lengths",
           {{"shortest", S.Lengths.Shortest},
            {"longest", S.Lengths.Longest},
            {"mean", S.Lengths.Mean},
            {"median", S.Lengths.Median},
            {"empty", S.Lengths.Empty}}},
          {"bandwidth", {{"below", S.Below}, {"above", S.Above}}},
          {"diagonals", Diagonals},
          {"blocks", {{"edge", S.Blocks.Edge}, {"share", S.Blocks.Share}}},
          {"classes", classesJson(S.Structure)},
          {"segments", S.Structure.Segments.size()},
          {"lower_triangle",
           {{"levels", S.Lower.Levels},
            {"widest", S.Lower.Widest},
            {"merged", S.Lower.Merged},
            {"parallel", S.Lower.Parallel}}},
          {"bytes",
           {{"compressed_rows", S.CsrBytes},
            {"intervals", S.IntervalBytes},
            {"blocks", S.BlockBytes},
            {"pieces", S.PieceBytes}}}};
}

} // namespace

int structureCommand(const StructureOptions &Options) {
  const LoadedPattern Loaded = loadPattern(Options.File);
  const PatternSummary Summary = summarise(Loaded.Pattern);
  if (!Options.Svg.empty()) {
    const std::string Plot =
        spyPlot(Loaded.Pattern, Summary.Structure, printable(headline(Options.File, Summary)));
    if (Options.Svg == "-") {
      fmt::print("{}", Plot);
      return ExitSuccess;
    }
    if (std::string Problem = writeFileAtomically(Options.Svg, Plot); !Problem.empty())
      throw CommandError(ExitUsage, fmt::format("{} {}", printable(Options.Svg), Problem));
  }
  if (Options.Json)
    fmt::print("{}", jsonText(structureJson(Options.File, Loaded, Summary), 2));
  else
    fmt::print("{}", structureText(Options.File, Loaded, Summary));
  return ExitSuccess;
}

} // namespace specrt::tools
