//===- tests/polyhedral/dataflow/executed_program.h - runs programs with filters ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes a program with random values in its filters, and compares who wrote what each iteration
// reads with what the dataflow analysis says for these values.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TESTS_POLYHEDRAL_DATAFLOW_EXECUTED_PROGRAM_H
#define SPECRT_TESTS_POLYHEDRAL_DATAFLOW_EXECUTED_PROGRAM_H

#include "specializer/polyhedral/dataflow/on_demand.h"
#include <map>
#include <random>
#include <string>
#include <vector>

namespace specrt {

/// A read of a program, { C[k] -> a[...] }.
struct ProgramRead {
  unsigned Statement;
  isl::map Access;
};

class ExecutedProgram {
public:
  /// All domains of \p Of must be finite.
  ExecutedProgram(const ConditionalProgram &Of, std::vector<ProgramRead> Reads);

  /// Returns the dataflow of each read.
  const std::vector<DataflowOfRead> &flows() const { return Flows; }
  /// Executes the program once. Returns the first difference from the dataflow; "" if there is
  /// none.
  std::string run(std::mt19937 &Random);
  unsigned numCompared() const { return NumCompared; }

private:
  using Point = std::vector<long>;
  struct Element {
    int Writer = -1; ///< the number of an instance
    int64_t Value = 0;
  };
  struct Instance {
    unsigned Statement;
    Point At;
    std::vector<std::vector<std::vector<unsigned>>> Tuples; ///< of elements that decide
    std::vector<std::vector<int64_t>> Permitted;
    std::vector<std::pair<unsigned, unsigned>> Writes; ///< [write] the element
    std::vector<std::pair<unsigned, unsigned>> Reads;  ///< [read] the element
    /// [read, parameters] the candidates, the last one at the end
    std::map<std::pair<unsigned, unsigned>, std::vector<unsigned>> Candidates;
  };

  unsigned elementAt(const std::string &Name);
  void addInstances();
  bool isExecuted(const Instance &I) const;
  std::string expected(unsigned Read, const Instance &Sink, const std::vector<long> &Values);

  ConditionalProgram Program;
  std::vector<ProgramRead> Reads;
  std::vector<DataflowOfRead> Flows;
  std::vector<Instance> Instances; ///< in the order of execution
  std::map<std::string, unsigned> ElementNumbers;
  std::vector<std::pair<int64_t, int64_t>> Bounds; ///< [element]
  std::vector<Element> Memory;
  std::vector<bool> Executed; ///< [instance]
  std::map<std::pair<unsigned, std::vector<long>>, std::string> Known;
  unsigned NumCompared = 0;
};

} // namespace specrt

#endif
