//===- tests/polyhedral/generated_nests.h - nests that a test writes itself ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_POLYHEDRAL_GENERATED_NESTS_H
#define SPECRT_TESTS_POLYHEDRAL_GENERATED_NESTS_H

#include <filesystem>
#include <string>

namespace specrt {

/// A folder for generated code, removed at the end.
class GeneratedNests {
public:
  GeneratedNests();
  ~GeneratedNests();
  GeneratedNests(const GeneratedNests &) = delete;
  GeneratedNests &operator=(const GeneratedNests &) = delete;

  /// Compiles C code as nests.c is, with \p Options added; the path of the bitcode, which the next
  /// call replaces. "" when clang fails.
  std::string compile(const std::string &Source, const std::string &Options = "") const;

private:
  std::filesystem::path Folder;
};

} // namespace specrt

#endif
