//===- tests/soundness/program_pair.h - with and without libspecrt ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A valid program gives the same bits whoever compiled it. A ProgramPair is built from the same
// files with the same flags by clang alone and by the driver, and its two halves are run and
// compared. The program prints what it computed bit by bit: integers, or floating point in
// hexadecimal.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TESTS_SOUNDNESS_PROGRAM_PAIR_H
#define SPECRT_TESTS_SOUNDNESS_PROGRAM_PAIR_H

#include "tests/e2e/harness.h"
#include <string>
#include <vector>

namespace specrt::soundness {

using e2e::Environment;
using e2e::Outcome;
using e2e::versionsRan;

struct SourceFile {
  std::string Name; ///< C++ when it ends in .cpp
  std::string Text;
  std::string Flags = {}; ///< of this file alone, after the program's
  /// It becomes a shared library of its own, which the program is linked to. Of the files before.
  bool IsLibrary = false;
};

/// Everything hot at its first call, and calls wait for what is being compiled.
extern const Environment AtOnce;

/// Did a version or a candidate of this kind run?
bool ran(const Outcome &O, const std::string &Candidate);

/// Where the halves of a program are that the build has made.
struct BuiltPrograms {
  std::string Plain, With;
};

class ProgramPair {
public:
  /// Builds both halves; \p Flags are for compiling and linking. A failure fails the test.
  ProgramPair(const std::vector<SourceFile> &Files, const std::string &Flags);
  /// A program of one C file.
  ProgramPair(const std::string &Text, const std::string &Flags)
      : ProgramPair({SourceFile{"program.c", Text}}, Flags) {}

  explicit ProgramPair(const BuiltPrograms &Built) : Halves(Built) {}

  Outcome plain(const std::vector<std::string> &Arguments = {}) const;
  /// Runs with this pair's cache; \p Extra is added to AtOnce.
  Outcome with(const Environment &Extra = {}, const std::vector<std::string> &Arguments = {}) const;

  /// Three runs with one cache, and one with SPECRT_DISABLE=1, all give what clang's build gives.
  /// Some version must have run unless \p NeedsVersion is false. Returns the first run.
  Outcome expectSameBits(const Environment &Extra = {}, bool NeedsVersion = true,
                         const std::vector<std::string> &Arguments = {}) const;

  /// Compiles and links \p Files in place of those that the program was built of, in both halves.
  void rebuild(const std::vector<SourceFile> &Files);

  /// What the driver said while it compiled, with -Rpass=specrt and -Rpass-missed=specrt.
  const std::string &remarks() const { return Remarks; }
  const e2e::Sandbox &box() const { return Box; }

private:
  bool build(const std::vector<SourceFile> &Files, bool WithSpecrt);

  e2e::Sandbox Box;
  BuiltPrograms Halves = {Box.path("plain"), Box.path("with")};
  std::string Flags;
  std::string Remarks;
};

/// \p Source keeps its bits, and a version of \p Function with such a guard ran. On a busy machine
/// one may lose its trial: another cache, another trial. Returns the last run.
Outcome expectGuarded(const SourceFile &Source, const char *Flags, const char *Function,
                      const char *Guard);
/// The same in C.
inline Outcome expectGuarded(const char *Source, const char *Flags, const char *Function,
                             const char *Guard) {
  return expectGuarded(SourceFile{"program.c", Source}, Flags, Function, Guard);
}

} // namespace specrt::soundness

#endif
