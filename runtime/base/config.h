//===- runtime/base/config.h - the settings of a process and their defaults ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One table describes every option: its name in the environment, its default, the values it
// accepts, and its purpose. Parsing, warnings and documentation all read that table, so they cannot
// disagree.
// cannot disagree.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_BASE_CONFIG_H
#define SPECRT_RUNTIME_BASE_CONFIG_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace specrt {

enum class LogLevel : uint8_t { Off, Error, Warning, Info, Debug };
enum class ProfileMode : uint8_t { Off, Read, Write, ReadWrite };
enum class CompileMode : uint8_t { Background, Sync, Off };
/// The regions that are instrumented: those with properties that analysis left open, all, or none.
enum class InstrumentMode : uint8_t { Auto, Always, Off };
/// The share of the processors that a thread gets: the normal one, or only otherwise idle time.
enum class Priority : uint8_t { Normal, Idle };
enum class FpMode : uint8_t { Strict, Finite, Fast }; // same order as specrt_fp_mode
/// How the runtime may detect that memory has changed: with the cheapest sound method, with copies
/// only, with the program's stamps only, or not at all.
enum class WatchMode : uint8_t { Pages, Compare, Stamps, Off };

/// The settings of this process. A value type; the registry owns the one in use.
struct Config {
  bool Disable = false;
  LogLevel Log = LogLevel::Warning;
  std::string CacheDirectory;                ///< "": no directory, nothing is read or stored
  std::vector<std::string> CachePath;        ///< further cache directories, which are only read
  uint64_t CacheLimit = uint64_t{256} << 20; ///< bytes of compiled versions
  ProfileMode Profile = ProfileMode::ReadWrite;
  CompileMode Compile = CompileMode::Background;
  InstrumentMode Instrument = InstrumentMode::Auto;
  WatchMode Watch = WatchMode::Pages;
  uint32_t CompileBudgetMs = 2000;
  Priority CompilePriority = Priority::Idle; ///< used while no call waits
  uint32_t AfterExitMs = 10'000; ///< processor time of compiles that outlive the program
  double HotMs = 20;
  uint32_t MaxVersions = 4;
  uint32_t Threads = 0; ///< 0: as many as the affinity mask allows
  FpMode Fp = FpMode::Strict;
  std::string Regions; ///< "": all; otherwise globs separated by commas
  std::string Report;  ///< "": none
  std::string Dump;    ///< "": none
  /// The options that were set and accepted, with their texts, by full name.
  std::map<std::string, std::string> Given;

  bool readsProfile() const {
    return Profile == ProfileMode::Read || Profile == ProfileMode::ReadWrite;
  }
  bool writesProfile() const {
    return Profile == ProfileMode::Write || Profile == ProfileMode::ReadWrite;
  }
  /// Returns whether Regions selects a region by its name or title, with or without the line, or by
  /// its function.
  bool selects(const std::string &RegionName, const std::string &Function,
               const std::string &Title = "") const;
  /// Returns whether these settings lead to the same versions as Other. Returns false if an option
  /// differs that determines what is compiled, for which regions, or what is known from earlier
  /// runs.
  bool givesSameVersions(const Config &Other) const;
};

/// One row of the option table; all strings are static.
struct Option {
  const char *Name;     ///< "SPECRT_LOG"
  const char *Default;  ///< as a user would write it
  const char *Accepted; ///< in words, for warnings and documentation
  const char *Help;     ///< one sentence
  /// Stores Value into C and returns true; returns false and leaves C unchanged when Value is
  /// invalid.
  bool (*Parse)(Config &C, const std::string &Value);
};

/// Returns the table, in the order of the documentation.
const std::vector<Option> &optionTable();

/// A variable that specrt-clang reads, not a running program. All strings are static.
struct CompileTimeOption {
  const char *Name, *Default, *Accepted, *Help;
};
const std::vector<CompileTimeOption> &compileTimeOptions();

/// Sets one option. Name may omit "SPECRT_" and be in lower case ("log"). Returns "", or one
/// sentence that names the accepted values.
std::string setOption(Config &C, const std::string &Name, const std::string &Value);

/// Reads the environment. Each invalid value or unknown name adds one sentence to Warnings. The
/// environment of a set-user-id or set-group-id program belongs to another user and is ignored.
Config configFromEnvironment(char **Environment, bool Trusted, std::vector<std::string> &Warnings);

/// Returns true unless the kernel started this program with another user's rights.
bool environmentIsTrusted();

/// Returns the number of processors that this process may use, at least 1.
uint32_t usableProcessors();

/// Returns the number of workers that a parallel version may use: SPECRT_THREADS limited by the
/// affinity mask, at least 1.
uint32_t workerThreads(const Config &C);

} // namespace specrt

#endif
