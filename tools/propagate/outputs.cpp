//===- tools/propagate/outputs.cpp - writes the nonzero pattern of arrays to files ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/propagate/outputs.h"
#include "runtime/report/report_file.h"
#include "tools/command_error.h"
#include "tools/propagate/array_numbers.h"
#include "tools/propagate/named_option.h"
#include "tools/terminal.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace specrt::tools {
namespace {

namespace fs = std::filesystem;

/// Returns "", or why the file cannot be written, in the words of writeFileAtomically.
std::string problemOf(const std::string &File) {
  std::error_code Error;
  const fs::file_status Status = fs::status(File, Error);
  int Code = 0;
  if (fs::is_directory(Status)) {
    Code = EISDIR;
  } else if (fs::exists(Status) && !fs::is_regular_file(Status)) {
    Code = access(File.c_str(), W_OK) ? errno : 0;
  } else {
    // The file is replaced as a whole; a symbolic link is kept.
    const fs::path Target = fs::exists(Status) ? fs::canonical(File, Error) : fs::path(File);
    const fs::path Folder = Target.has_parent_path() ? Target.parent_path() : fs::path(".");
    Code = access(Folder.c_str(), W_OK | X_OK) ? errno : 0;
  }
  return Code ? fmt::format("cannot be written: {}", std::strerror(Code)) : "";
}

/// Returns the array \p Name. Throws CommandError when it is missing or cannot be written as a
/// matrix.
const specrt_array_structure &matrixOf(const specrt_structures &Found, const std::string &Name) {
  constexpr uint64_t MostEntries = 100'000'000;
  const auto *End = Found.arrays + Found.num_arrays;
  const auto *A = std::find_if(Found.arrays, End, [&](const auto &A) { return A.array == Name; });
  if (A == End)
    throw CommandError(ExitUsage, fmt::format("there is no array {}", printable(Name)));
  if (A->num_dimensions == 0 || A->num_dimensions > 2 || A->is_everywhere ||
      nonzerosOf(*A) > MostEntries)
    throw CommandError(ExitNothing,
                       fmt::format("{} is no matrix that could be written: {}", printable(A->array),
                                   A->is_everywhere ? "any element may be nonzero"
                                                    : "it has too many dimensions or entries"));
  return *A;
}

/// Returns the array in Matrix Market format. A vector has one column.
std::string matrixText(const specrt_array_structure &A) {
  std::vector<int64_t> Extents = extentsOf(A);
  Extents.resize(2, 1);
  std::string Text = fmt::format("%%MatrixMarket matrix coordinate pattern general\n{} {} {}\n",
                                 std::max<int64_t>(Extents[0], 1), std::max<int64_t>(Extents[1], 1),
                                 nonzerosOf(A));
  for (uint64_t I = 0; I < A.num_boxes; ++I)
    for (int64_t R = A.boxes[I].first[0]; R <= A.boxes[I].last[0]; ++R)
      for (int64_t C = A.boxes[I].first[1]; C <= A.boxes[I].last[1]; ++C)
        Text += fmt::format("{} {}\n", R + 1, C + 1);
  return Text;
}

} // namespace

std::vector<Output> outputsOf(const std::vector<std::string> &Texts) {
  std::vector<Output> All;
  for (const std::string &Text : Texts) {
    const auto [Array, File] = parted(Text, "--output", "ARRAY=FILE");
    if (std::any_of(All.begin(), All.end(), [&](const Output &O) { return O.File == File; }))
      throw CommandError(ExitUsage, printable(File) + " is named twice");
    if (const std::string Problem = problemOf(File); !Problem.empty())
      throw CommandError(ExitUsage, fmt::format("{} {}", printable(File), Problem));
    All.push_back({Array, File});
  }
  return All;
}

void writeOutputs(const std::vector<Output> &Outputs, const specrt_structures &Found) {
  for (const Output &One : Outputs)
    (void)matrixOf(Found, One.Array);
  for (const auto &[Array, File] : Outputs)
    if (const std::string Problem = writeFileAtomically(File, matrixText(matrixOf(Found, Array)));
        !Problem.empty())
      throw CommandError(ExitUsage, fmt::format("{} {}", printable(File), Problem));
}

} // namespace specrt::tools
