//===- tools/commands.h - the commands of `specrt` ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each command prints to standard output and returns an exit code. A command that cannot do its
// work throws CommandError.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TOOLS_COMMANDS_H
#define SPECRT_TOOLS_COMMANDS_H

#include <string>
#include <vector>

namespace specrt::tools {

struct ReportOptions {
  std::string What;              ///< see loadReport
  std::vector<std::string> Diff; ///< two reports to compare, each as What; empty: none
  std::string Html;              ///< write the page to this file; "-": to standard output
  std::string Sort = "time";
  bool Json = false;
  bool All = false; ///< also regions that never became hot
};
/// Returns the keys by which regions can be sorted.
const std::vector<std::string> &sortKeys();
int reportCommand(const ReportOptions &Options);

struct TuneOptions {
  std::vector<std::string> Command; ///< a program and its arguments
  unsigned Runs = 10;               ///< limit, without the runs that measure
  double Seconds = 0;               ///< limit for everything; 0: none
  std::string Show = "first";       ///< which runs' output: "first", "all" or "none"
};
int tuneCommand(const TuneOptions &Options);

struct ExplainOptions {
  std::string Region; ///< a name or a glob
  std::string What;
  bool List = false;  ///< list only names
  bool Why = false;   ///< show only what its loops could do
  bool Words = false; ///< explain the words of reports
};
int explainCommand(const ExplainOptions &Options);

struct CacheOptions {
  std::string Program; ///< only what belongs to this program; path or name
  std::string Kind;    ///< only "profiles", "reports", "versions" or "rows"
  bool Json = false;
  bool Yes = false; ///< do not ask
  bool All = false; ///< also the directories of SPECRT_CACHE_PATH
};
int cachePathCommand();
int cacheListCommand(const CacheOptions &Options);
int cacheVerifyCommand(const CacheOptions &Options);
int cacheClearCommand(const CacheOptions &Options);

struct ArchiveOptions {
  std::string File;                       ///< "-": standard output, or input
  std::vector<std::string> Programs = {}; ///< export: of these only; paths or names
  std::string As = {};                    ///< import: for this program; path
  bool Foreign = false; ///< import: also files that do not fit this build and processor
};
int cacheExportCommand(const ArchiveOptions &Options);
int cacheImportCommand(const ArchiveOptions &Options);

struct EnvOptions {
  bool Json = false;
  bool Long = false; ///< with meanings and accepted values
};
int envCommand(const EnvOptions &Options);

struct ServerOptions {
  bool Json = false;
};
int serverStatusCommand(const ServerOptions &Options);
int serverStopCommand();

struct ScopsOptions {
  std::vector<std::string> Files; ///< bitcode, or objects with bitcode
  std::string From;               ///< a file with the names of more
  bool Json = false;
};
int scopsCommand(const ScopsOptions &Options);

struct StructureOptions {
  std::string File; ///< a Matrix Market file
  std::string Svg;  ///< write a picture to this file; "-": to standard output, and nothing else
  bool Json = false;
};
int structureCommand(const StructureOptions &Options);

struct PropagateOptions {
  std::string File;                    ///< bitcode, or an object with bitcode
  std::string Region;                  ///< a function in it
  std::vector<std::string> Structures; ///< "A=FILE.mtx"
  std::vector<std::string> Zeros;      ///< arrays that are entirely zero before
  std::vector<std::string> Values;     ///< "n=100"
  std::vector<std::string> Outputs;    ///< "C=FILE.mtx", to write
  unsigned Nest = 0;                   ///< number of the nest in the function
  bool Equations = false;
  bool Json = false;
};
int propagateCommand(const PropagateOptions &Options);

/// The main function: parses the arguments, runs a command, prints errors. Returns the exit code.
int runCommandLine(int Argc, char **Argv);

} // namespace specrt::tools

#endif
