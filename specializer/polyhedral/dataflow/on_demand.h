//===- specializer/polyhedral/dataflow/on_demand.h - dataflow of conditional programs ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements array dataflow analysis for programs with filters (conditional_program.h). If data
// decide which write is the last before a read, the result has parameters for facts that are known
// at run time only: whether any of the writes was executed, and which iteration was the last one.
// Parameters are introduced only if they matter after the filters of reader and writers have been
// compared. Without parameters the result is exact for all data.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_DATAFLOW_ON_DEMAND_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_DATAFLOW_ON_DEMAND_H

#include "specializer/polyhedral/dataflow/conditional_program.h"
#include "specializer/polyhedral/dataflow/filters.h"
#include <optional>

namespace specrt {

/// Parameters for facts about the writes of one source that are known at run time only. Their
/// values are for one iteration of the sink.
struct SourceParameters {
  unsigned Statement, Write; ///< numbers in the program
  std::string Executed;      ///< name of a parameter: 1 if some candidate was executed, otherwise 0
  /// Components of the last candidate that was executed: their numbers and names.
  std::vector<std::pair<unsigned, std::string>> Last;
  isl::map Candidates; ///< { C[k] -> P[j] } the iterations that the parameters are about
};

/// The writes that a read may get its values from.
struct DataflowOfRead {
  struct Source {
    unsigned Statement, Write; ///< numbers in the program
    isl::map Iterations;       ///< { C[k] -> P[j] }, with parameters
  };
  std::vector<Source> Sources;
  isl::set NoSource; ///< iterations that read a value from before the program, with parameters
  std::vector<SourceParameters> Parameters;

  unsigned numParameters() const;
};

/// Finds the writes that reads of one program get their values from.
class DataflowAnalysis {
public:
  explicit DataflowAnalysis(ConditionalProgram Program);

  /// Returns the dataflow of \p Read, { C[k] -> a[...] }, single-valued, a read of the statement
  /// number \p Sink that takes place before its writes. Returns nothing if isl gives up.
  std::optional<DataflowOfRead> of(unsigned Sink, const isl::map &Read) const;

private:
  const ConditionalProgram Program;
  std::vector<ComparableFilter> Filters; ///< [statement]; empty if isl gave up
};

} // namespace specrt

#endif
