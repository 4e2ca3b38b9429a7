//===- runtime/compile/compile_job.h - a request that owns all it refers to ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_COMPILE_COMPILE_JOB_H
#define SPECRT_RUNTIME_COMPILE_COMPILE_JOB_H

#include "runtime/base/log.h"
#include "runtime/compile/region_copy.h"
#include "runtime/compile/settled_candidate.h"
#include "specrt/jit_api.h"
#include <mutex>
#include <new>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace specrt {

/// A deep copy of a request: a compile that was given up may go on reading it for ever. With keys
/// it also gathers what the compile settles before it ends.
class CompileJob {
public:
  CompileJob(const specrt_jit_request &R, const specrt_jit_api &Api, CandidateKeys Keys)
      : Api(Api), Keys(std::move(Keys)), Region(*R.region, /*WithBitcode=*/true),
        Facts(R.facts, R.facts + R.region->num_args), Cells(R.cells, R.cells + R.num_cells),
        Sequences(R.sequences, R.sequences + R.num_sequences), Copy(R) {
    const size_t NumAccesses = R.region->num_accesses;
    if (R.overlaps)
      Overlaps.assign(R.overlaps, R.overlaps + NumAccesses * NumAccesses);
    if (R.zeros)
      Zeros.assign(R.zeros, R.zeros + NumAccesses);
    Copy.zeros = R.zeros ? Zeros.data() : nullptr;
    Copy.region = &Region.region();
    Copy.facts = Facts.data();
    Copy.overlaps = R.overlaps ? Overlaps.data() : nullptr;
    Copy.cells = Cells.data();
    for (const specrt_sequence_fact &Fact : Sequences)
      Pieces.emplace_back(Fact.pieces, Fact.pieces + Fact.num_pieces);
    for (size_t I = 0; I < Sequences.size(); ++I)
      Sequences[I].pieces = Pieces[I].data();
    Copy.sequences = Sequences.data();
    copyRows();
    for (const char **Text : {&Copy.only, &Copy.existing, &Copy.absent, &Copy.dump_directory})
      if (*Text)
        *Text = Strings.emplace_back(*Text).c_str();
    if (this->Keys)
      Copy.settled = settled;
    Copy.context = this;
  }
  CompileJob(const CompileJob &) = delete;
  CompileJob &operator=(const CompileJob &) = delete;

  const specrt_jit_request &request() const { return Copy; }

  /// What was settled since the last call. Any thread.
  std::vector<SettledCandidate> takeSettled() {
    std::lock_guard Guard(Mutex);
    return std::exchange(Settled, {});
  }

  const specrt_jit_result *Result = nullptr;
  const specrt_jit_instrumented *Instrumented = nullptr;

private:
  void copyRows() {
    Rows.assign(Copy.rows, Copy.rows + Copy.num_rows);
    for (specrt_rows_fact &Fact : Rows) {
      auto &Own = Classes.emplace_back(Fact.classes, Fact.classes + Fact.num_classes);
      for (specrt_row_class &Class : Own)
        Class.entries =
            Entries.emplace_back(Class.entries, Class.entries + Class.num_entries).data();
      Fact.classes = Own.data();
      copyTraces(Fact.traces);
    }
    Copy.rows = Rows.data();
  }
  void copyTraces(specrt_row_traces &Of) {
    const auto &Own = TraceLengths.emplace_back(Of.lengths, Of.lengths + Of.num_rows);
    const auto Entries = std::accumulate(Own.begin(), Own.end(), size_t{0});
    Of.lengths = Own.data();
    Of.kinds = TraceKinds.emplace_back(Of.kinds, Of.kinds + Entries).data();
    Of.values = TraceValues.emplace_back(Of.values, Of.values + Entries).data();
  }
  static void settled(void *Context, const char *Name, const specrt_jit_candidate *Candidate) {
    try {
      static_cast<CompileJob *>(Context)->settle(Name, Candidate);
    } catch (const std::bad_alloc &) {
      // Nothing may be thrown through the compiler.
      logLine(LogLevel::Info, "a candidate is not kept: no memory");
    }
  }
  void settle(const char *Name, const specrt_jit_candidate *Candidate) {
    SettledCandidate New = Candidate ? linkCandidate(Api, Region.region(), *Candidate, Keys(Name))
                                     : SettledCandidate{.Name = Name};
    std::lock_guard Guard(Mutex);
    Settled.push_back(std::move(New));
  }

  const specrt_jit_api &Api;
  const CandidateKeys Keys;
  std::mutex Mutex;
  std::vector<SettledCandidate> Settled;
  RegionCopy Region;
  std::vector<specrt_fact> Facts;
  std::vector<specrt_cell_fact> Cells;
  std::vector<specrt_sequence_fact> Sequences;
  std::vector<std::vector<specrt_sequence_piece>> Pieces; ///< of Sequences
  std::vector<specrt_rows_fact> Rows;
  std::deque<std::vector<specrt_row_class>> Classes; ///< of Rows
  std::deque<std::vector<specrt_row_entry>> Entries; ///< of Classes
  std::deque<std::vector<uint32_t>> TraceLengths;    ///< of Rows
  std::deque<std::vector<uint8_t>> TraceKinds;
  std::deque<std::vector<int64_t>> TraceValues;
  std::vector<uint8_t> Overlaps, Zeros;
  std::deque<std::string> Strings;
  specrt_jit_request Copy;
};

} // namespace specrt

#endif
