//===- tests/e2e/harness.h - runs the story program and reads what it reports ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every run gets a directory of its own for cache and profile, and a JSON report. The same story is
// run by the build without libspecrt; what the two print must agree byte for byte.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_TESTS_E2E_HARNESS_H
#define SPECRT_TESTS_E2E_HARNESS_H

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace specrt::e2e {

using Environment = std::map<std::string, std::string>;

struct Outcome {
  int Status = -1;       ///< exit code, or 128 + signal
  std::string Output;    ///< standard output without lines that start with '#'
  std::string Remarks;   ///< the '#' lines
  std::string Errors;    ///< standard error
  nlohmann::json Report; ///< null when none was written

  /// The report's entry of the region in function \p Function; null when there is none.
  nlohmann::json region(const std::string &Function) const;
};

/// Removes a folder and all in it, also where a compile server is still writing into it.
void removeFolder(const std::filesystem::path &Folder);

/// A temporary directory that is removed at the end.
class Sandbox {
public:
  Sandbox();
  ~Sandbox();
  Sandbox(const Sandbox &) = delete;
  Sandbox &operator=(const Sandbox &) = delete;

  std::filesystem::path path(const std::string &Name = "") const { return Root / Name; }

  /// A file in it, whole; write returns its path.
  std::string write(const std::string &Name, const std::string &Text) const;
  std::string read(const std::string &Name) const;

  /// Runs \p Program with this sandbox's cache; \p Extra is added to the environment.
  Outcome run(const std::string &Program, const std::vector<std::string> &Arguments,
              const Environment &Extra = {}) const;
  /// The story in the build with libspecrt.
  Outcome story(const std::string &Name, const Environment &Extra = {}) const;

private:
  std::filesystem::path Root;
};

/// The story in the build without libspecrt.
Outcome plainStory(const std::string &Name);

/// Keeps compiles in step with calls where a story needs a definite state.
extern const Environment Synchronous;

/// Both ended in the same way and printed the same.
void expectSame(const Outcome &With, const Outcome &Without);

/// The number of compilations in the run's report; -1 without one.
int compiles(const Outcome &O);

/// Versions and candidates that ran, of a report's entry of a region or of all regions.
unsigned versionsRan(const nlohmann::json &Region);
unsigned versionsRan(const Outcome &O);

} // namespace specrt::e2e

#endif
