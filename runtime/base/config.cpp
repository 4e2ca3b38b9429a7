//===- runtime/base/config.cpp - the option table and its parser ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/config.h"
#include "runtime/base/nearest.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <fnmatch.h>
#include <initializer_list>
#include <sched.h>
#include <sys/auxv.h>
#include <tuple>
#include <utility>

namespace specrt {
namespace {

template <typename T>
bool parseName(T &Out, const std::string &Value,
               std::initializer_list<std::pair<const char *, T>> Names) {
  for (const auto &[Name, Meaning] : Names)
    if (Value == Name) {
      Out = Meaning;
      return true;
    }
  return false;
}

/// Returns whether a value of SPECRT_DISABLE disables libspecrt: any value does, except a few that
/// mean no.
bool saysDisable(const std::string &Value) {
  std::string Lower;
  for (unsigned char C : Value)
    Lower += static_cast<char>(std::tolower(C));
  for (const char *No : {"", "0", "no", "off", "false"})
    if (Lower == No)
      return false;
  return true;
}

bool parseInteger(uint32_t &Out, const std::string &Value, uint32_t Low, uint32_t High) {
  if (Value.empty() || Value.size() > 9 ||
      !std::all_of(Value.begin(), Value.end(), [](unsigned char C) { return std::isdigit(C); }))
    return false;
  unsigned long Number = std::strtoul(Value.c_str(), nullptr, 10);
  if (Number < Low || Number > High)
    return false;
  Out = static_cast<uint32_t>(Number);
  return true;
}

/// Parses a whole number with an optional K, M or G (powers of 1024).
bool parseBytes(uint64_t &Out, const std::string &Value) {
  std::string Digits = Value;
  unsigned Shift = 0;
  if (!Digits.empty())
    switch (std::toupper(static_cast<unsigned char>(Digits.back()))) {
    case 'K':
      Shift = 10;
      break;
    case 'M':
      Shift = 20;
      break;
    case 'G':
      Shift = 30;
      break;
    default:
      break;
    }
  if (Shift)
    Digits.pop_back();
  uint32_t Number;
  if (!parseInteger(Number, Digits, 0, 999999999))
    return false;
  Out = uint64_t{Number} << Shift;
  return true;
}

bool parseHot(Config &C, const std::string &Value) {
  // Only digits and one point are accepted: strtod would depend on the host's locale and accept
  // "inf".
  if (Value.empty() || Value.size() > 12 ||
      Value.find_first_not_of("0123456789.") != std::string::npos ||
      std::count(Value.begin(), Value.end(), '.') > 1 || Value == ".")
    return false;
  double Number = 0, Scale = 1;
  bool Fraction = false;
  for (char Ch : Value) {
    if (Ch == '.') {
      Fraction = true;
      continue;
    }
    Number = Number * 10 + (Ch - '0');
    if (Fraction)
      Scale *= 10;
  }
  C.HotMs = Number / Scale;
  return true;
}

bool parseReport(Config &C, const std::string &Value) {
  std::string_view Name = Value;
  if (!Name.empty() && !Name.ends_with(".json") && !Name.ends_with(".html"))
    return false;
  C.Report = Value;
  return true;
}

bool parseAbsolute(std::string &Out, const std::string &Value) {
  // A relative folder would name another cache after each chdir of the host.
  if (!Value.empty() && Value[0] != '/')
    return false;
  Out = Value;
  return true;
}

/// Parses absolute paths, separated by colons; empty elements are ignored.
bool parsePaths(std::vector<std::string> &Out, const std::string &Value) {
  std::vector<std::string> Paths;
  for (size_t Begin = 0; Begin < Value.size();) {
    const size_t End = std::min(Value.find(':', Begin), Value.size());
    if (End > Begin && Value[Begin] != '/')
      return false;
    if (End > Begin)
      Paths.push_back(Value.substr(Begin, End - Begin));
    Begin = End + 1;
  }
  Out = std::move(Paths);
  return true;
}

std::string canonicalName(const std::string &Name) {
  std::string Upper;
  for (unsigned char C : Name)
    Upper += static_cast<char>(std::toupper(C));
  return Upper.starts_with("SPECRT_") ? Upper : "SPECRT_" + Upper;
}

std::string unknownOption(const std::string &Name) {
  std::vector<std::string> Names;
  for (const Option &O : optionTable())
    Names.push_back(O.Name);
  return "unknown option " + Name + " is ignored; the nearest known name is " +
         nearestName(Name, Names);
}

bool isCompileTimeOption(const std::string &Name) {
  for (const CompileTimeOption &O : compileTimeOptions())
    if (Name == O.Name)
      return true;
  return false;
}

} // namespace

/// The limit is an hour: a longer budget is a mistake in the unit.
constexpr uint32_t MaxBudgetMs = 3'600'000;

const std::vector<Option> &optionTable() {
  static const std::vector<Option> Table = {
      {"SPECRT_DISABLE", "0", "0, no, off or false; anything else (1, yes, on, true) disables",
       "Run the original code only; nothing else happens.",
       [](Config &C, const std::string &V) {
         C.Disable = saysDisable(V);
         return true;
       }},
      {"SPECRT_LOG", "warning", "off, error, warning, info or debug",
       "What is written to standard error; info adds a summary at exit.",
       [](Config &C, const std::string &V) {
         return parseName<LogLevel>(C.Log, V,
                                    {{"off", LogLevel::Off},
                                     {"error", LogLevel::Error},
                                     {"warning", LogLevel::Warning},
                                     {"info", LogLevel::Info},
                                     {"debug", LogLevel::Debug}});
       }},
      {"SPECRT_CACHE_DIR", "$XDG_CACHE_HOME/specrt, else ~/.cache/specrt", "an absolute path",
       "Where profiles and compiled versions are kept between runs.",
       [](Config &C, const std::string &V) { return parseAbsolute(C.CacheDirectory, V); }},
      {"SPECRT_CACHE_PATH", "", "absolute paths, separated by colons",
       "Further cache directories, which are only read, after SPECRT_CACHE_DIR.",
       [](Config &C, const std::string &V) { return parsePaths(C.CachePath, V); }},
      {"SPECRT_CACHE_LIMIT", "256M", "a number of bytes, also with K, M or G",
       "The most that compiled versions may take in the cache; the longest unused are removed.",
       [](Config &C, const std::string &V) { return parseBytes(C.CacheLimit, V); }},
      {"SPECRT_PROFILE", "readwrite", "off, read, write or readwrite",
       "Whether to start from what earlier runs learned and compiled, and whether to store what "
       "this one learns and compiles.",
       [](Config &C, const std::string &V) {
         return parseName<ProfileMode>(C.Profile, V,
                                       {{"off", ProfileMode::Off},
                                        {"read", ProfileMode::Read},
                                        {"write", ProfileMode::Write},
                                        {"readwrite", ProfileMode::ReadWrite}});
       }},
      {"SPECRT_COMPILE", "background", "background, sync or off",
       "Compile beside the program, make the program wait for each version, or use what the cache "
       "has.",
       [](Config &C, const std::string &V) {
         return parseName<CompileMode>(C.Compile, V,
                                       {{"background", CompileMode::Background},
                                        {"sync", CompileMode::Sync},
                                        {"off", CompileMode::Off}});
       }},
      {"SPECRT_INSTRUMENT", "auto", "auto, always or off",
       "Have a call record which memory it accesses: in regions that analysis alone cannot model, "
       "in all, or never.",
       [](Config &C, const std::string &V) {
         return parseName<InstrumentMode>(C.Instrument, V,
                                          {{"auto", InstrumentMode::Auto},
                                           {"always", InstrumentMode::Always},
                                           {"off", InstrumentMode::Off}});
       }},
      {"SPECRT_WATCH", "pages", "pages, compare, stamps or off",
       "How to learn whether large arrays are what they were: in the cheapest way that is sound, "
       "with copies, by specrt_touch alone, or not at all.",
       [](Config &C, const std::string &V) {
         return parseName<WatchMode>(C.Watch, V,
                                     {{"pages", WatchMode::Pages},
                                      {"compare", WatchMode::Compare},
                                      {"stamps", WatchMode::Stamps},
                                      {"off", WatchMode::Off}});
       }},
      {"SPECRT_COMPILE_BUDGET_MS", "2000", "a whole number from 1 to 3600000",
       "The longest time, in milliseconds, that one compilation may take.",
       [](Config &C, const std::string &V) {
         return parseInteger(C.CompileBudgetMs, V, 1, MaxBudgetMs);
       }},
      {"SPECRT_COMPILE_PRIORITY", "idle", "idle or normal",
       "What compiling gets of the processors while no call waits for it: what nobody else wants, "
       "or a share.",
       [](Config &C, const std::string &V) {
         return parseName<Priority>(C.CompilePriority, V,
                                    {{"idle", Priority::Idle}, {"normal", Priority::Normal}});
       }},
      {"SPECRT_AFTER_EXIT_MS", "10000", "a whole number from 0 to 3600000",
       "The processor time, in milliseconds, that a compilation may still take when the program "
       "has "
       "ended; 0: it ends with the program.",
       [](Config &C, const std::string &V) {
         return parseInteger(C.AfterExitMs, V, 0, MaxBudgetMs);
       }},
      {"SPECRT_HOT", "20", "a number of milliseconds, for example 0.5",
       "A region is compiled once its original code has run for this long: within a run, or after "
       "it, when several runs together took so long.",
       parseHot},
      {"SPECRT_MAX_VERSIONS", "4", "a whole number from 1 to 64",
       "The most specialised versions that one region may have at a time.",
       [](Config &C, const std::string &V) { return parseInteger(C.MaxVersions, V, 1, 64); }},
      {"SPECRT_THREADS", "0", "a whole number from 0 to 4096; 0 means all allowed processors",
       "The most threads that a parallel version may use; 1 means no parallel versions.",
       [](Config &C, const std::string &V) { return parseInteger(C.Threads, V, 0, 4096); }},
      {"SPECRT_FP", "strict", "strict, finite or fast",
       "Which floating-point differences from the original are allowed; strict allows none.",
       [](Config &C, const std::string &V) {
         return parseName<FpMode>(
             C.Fp, V,
             {{"strict", FpMode::Strict}, {"finite", FpMode::Finite}, {"fast", FpMode::Fast}});
       }},
      {"SPECRT_REGIONS", "*", "globs on region or function names, separated by commas",
       "The regions to work on; all others run their original code.",
       [](Config &C, const std::string &V) {
         C.Regions = V == "*" ? "" : V;
         return true;
       }},
      {"SPECRT_REPORT", "", "a file name that ends in .json or .html",
       "Write a report about every region to this file at exit.", parseReport},
      {"SPECRT_DUMP", "", "an absolute path",
       "A folder for the schedules, intermediate code and assembly of every candidate.",
       [](Config &C, const std::string &V) { return parseAbsolute(C.Dump, V); }},
  };
  return Table;
}

const std::vector<CompileTimeOption> &compileTimeOptions() {
  static const std::vector<CompileTimeOption> Table = {
      {"SPECRT_CLANG", "the clang that libspecrt was built for", "the path of a clang 22",
       "Which clang specrt-clang calls; specrt-clang++ needs a clang++."},
      {"SPECRT_INSTRUMENT_FILTER", "*", "globs on function names, separated by commas",
       "Which functions to instrument; !glob leaves one out."},
  };
  return Table;
}

std::string setOption(Config &C, const std::string &Name, const std::string &Value) {
  std::string Wanted = canonicalName(Name);
  for (const Option &O : optionTable()) {
    if (Wanted != O.Name)
      continue;
    if (O.Parse(C, Value)) {
      C.Given[O.Name] = Value;
      return "";
    }
    return std::string(O.Name) + "=" + Value.substr(0, 64) +
           " is not understood (accepted: " + O.Accepted + "); using " +
           (*O.Default ? O.Default : "the default");
  }
  return unknownOption(Wanted);
}

Config configFromEnvironment(char **Environment, bool Trusted, std::vector<std::string> &Warnings) {
  Config C;
  if (!Trusted)
    return C;
  for (char **Entry = Environment; Entry && *Entry; ++Entry) {
    const char *Equals = std::strchr(*Entry, '=');
    if (!Equals || std::strncmp(*Entry, "SPECRT_", 7) != 0)
      continue;
    std::string Name(*Entry, static_cast<size_t>(Equals - *Entry));
    if (isCompileTimeOption(Name))
      continue; // variables of a build environment
    std::string Warning = setOption(C, Name, Equals + 1);
    if (!Warning.empty())
      Warnings.push_back(std::move(Warning));
  }
  return C;
}

bool environmentIsTrusted() { return getauxval(AT_SECURE) == 0; }

uint32_t usableProcessors() {
  cpu_set_t Mask;
  return sched_getaffinity(0, sizeof(Mask), &Mask) == 0 ? std::max(1, CPU_COUNT(&Mask)) : 1;
}

uint32_t workerThreads(const Config &C) {
  const uint32_t Allowed = usableProcessors();
  return C.Threads ? std::min(C.Threads, Allowed) : Allowed;
}

bool Config::givesSameVersions(const Config &Other) const {
  auto What = [](const Config &C) {
    return std::tie(C.Disable, C.CacheDirectory, C.CachePath, C.Profile, C.Compile, C.HotMs,
                    C.MaxVersions, C.Instrument, C.Threads, C.Fp, C.Regions);
  };
  return What(*this) == What(Other);
}

/// Returns the end of the list's element that begins at Begin: a comma between template arguments
/// or in parentheses is part of a name.
static size_t endOfElement(const std::string &List, size_t Begin) {
  int Depth = 0;
  for (size_t At = Begin; At < List.size(); ++At) {
    if (List[At] == '(' || List[At] == '<')
      ++Depth;
    else if (List[At] == ')' || List[At] == '>')
      --Depth;
    else if (List[At] == ',' && Depth <= 0)
      return At;
  }
  // Brackets that are not closed, as in operator<, are plain characters.
  return Depth > 0 ? std::min(List.find(',', Begin), List.size()) : List.size();
}

/// Returns the element as a glob: reports shorten names with "...".
static std::string globOf(std::string Element) {
  Element.erase(0, Element.find_first_not_of(' '));
  for (size_t At = 0; (At = Element.find("...", At)) != std::string::npos;)
    Element.replace(At, 3, "*");
  return Element;
}

bool Config::selects(const std::string &RegionName, const std::string &Function,
                     const std::string &Title) const {
  if (Regions.empty())
    return true;
  const std::string Short = Title.substr(0, Title.find(", inlined into "));
  const std::string Names[] = {RegionName, Function, Title, Short,
                               Short.substr(0, Short.rfind(':'))};
  for (size_t Begin = 0; Begin <= Regions.size();) {
    size_t End = endOfElement(Regions, Begin);
    const std::string Element = Regions.substr(Begin, End - Begin), Glob = globOf(Element);
    for (const std::string &Name : Names)
      if (Name == Element || fnmatch(Glob.c_str(), Name.c_str(), 0) == 0)
        return true;
    Begin = End + 1;
  }
  return false;
}

} // namespace specrt
