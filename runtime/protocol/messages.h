//===- runtime/protocol/messages.h - the messages of programs and compile servers ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program sends one Greeting and then one request at a time. The server answers a request, but
// for CompileLater, with any number of Candidate, Progress and Log messages, followed by one that
// ends it: Compiled, Instrumented, Described, Propagated or Failed. Both ends are of one build.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_PROTOCOL_MESSAGES_H
#define SPECRT_RUNTIME_PROTOCOL_MESSAGES_H

#include "runtime/protocol/archive.h"
#include "runtime/protocol/observed_fields.h"
#include "runtime/protocol/region_message.h"
#include <cstdint>
#include <string>
#include <vector>

namespace specrt {

enum class MessageKind : uint32_t {
  // Messages to the server.
  Greeting,
  Compile,      ///< CompileRequest
  CompileLater, ///< CompileRequest without an answer; other requests may follow at once
  Instrument,   ///< CompileRequest; Recording counts
  Describe,     ///< DescribeRequest
  Propagate,    ///< PropagateRequest
  // Messages from the server.
  Elsewhere,    ///< another server has the socket: connect to that
  Log,          ///< LogMessage
  Progress,     ///< ProgressMessage
  Candidate,    ///< CandidateMessage
  Compiled,     ///< CompileAnswer
  Instrumented, ///< InstrumentAnswer
  Described,    ///< DescribeAnswer
  Propagated,   ///< PropagateAnswer
  Failed,       ///< FailureMessage
  // Messages between a compiling process and an executor (runtime/executor/replay.h).
  Replay,  ///< ReplayRequest
  Replayed ///< ReplayResult
};

/// A server that has sent nothing for several of these intervals, in nanoseconds, does not work.
inline constexpr uint64_t ProgressIntervalNs = 1'000'000'000;

struct Greeting {
  std::string Identity = {}; ///< of the build and the processor (runtime/cache/identity.h)
  template <class Archive> void fields(Archive &A) { A(Identity); }
};

/// Asks for candidates of one region, or for its instrumented version (see specrt_jit_request).
struct CompileRequest {
  template <class Archive> void fields(Archive &A) {
    A(Region, Assumed, Only, Existing, Absent, DumpDirectory, IsKept, StoreLimit, SharedKey, FpMode,
      Threads, BudgetMs, AfterExitMs, SecondsPerCall, FirstIteration, EndIteration, Recording,
      WantsNest, WantsZeros, IsAwaited, ReadsStore, HasCapture);
  }

  RegionMessage Region;
  Assumptions Assumed;
  std::string Only, Existing, Absent;
  std::string DumpDirectory; ///< absolute; "": none
  bool IsKept = false;       ///< in the server's cache directory
  uint64_t StoreLimit = 0;   ///< bytes of compiled versions in there
  /// One compile serves all requests of equal keys. "": the request is not shared.
  std::string SharedKey;
  uint32_t FpMode = 0, Threads = 1, BudgetMs = 0;
  uint32_t AfterExitMs = 0; ///< processor time after the last client has left
  double SecondsPerCall = 0;
  uint64_t FirstIteration = 0, EndIteration = 0;
  uint64_t Recording = 0; ///< address of the program's specrt_recording
  bool WantsNest = false, WantsZeros = false;
  bool IsAwaited = false;  ///< a call waits for it
  bool ReadsStore = false; ///< candidates in the store need not be compiled again
  bool HasCapture = false; ///< a captured call is attached, on which candidates are replayed
};

/// Asks for the region of a function that specrt_wrap was given. Only the program knows the
/// addresses of symbols: if an answer lists DescribeAnswer::Wanted, the program repeats the request
/// with those in Known.
struct DescribeRequest {
  struct Type {
    std::vector<uint8_t> Bytes; ///< of a specrt_c_type
    std::string Text;
    template <class Archive> void fields(Archive &A) { A(Bytes, Text); }
  };
  struct Name {
    std::string Text;
    bool HasAddress = false;
    std::string Why; ///< why it has no address
    template <class Archive> void fields(Archive &A) { A(Text, HasAddress, Why); }
  };
  template <class Archive> void fields(Archive &A) {
    A(Bitcode, Function, Result, Arguments, Known, FpMode, BudgetMs, IsAwaited);
  }

  std::string Bitcode = {}, Function = {};
  Type Result = {};
  std::vector<Type> Arguments = {};
  std::vector<Name> Known = {};
  uint32_t FpMode = 0, BudgetMs = 0;
  bool IsAwaited = false;
};

struct LogMessage {
  enum class Source : uint32_t { Compiler, Store, StoreFile };
  Source From = Source::Compiler; ///< Store and StoreFile: see StoreMessage
  int32_t Level = 0;              ///< as for specrt_jit_log
  std::string Text;
  template <class Archive> void fields(Archive &A) { A(From, Level, Text); }
};

/// Sent for each unfinished request once per ProgressIntervalNs, and when IsPaused changes.
struct ProgressMessage {
  bool IsPaused = false; ///< the compile waits for a free processor
  template <class Archive> void fields(Archive &A) { A(IsPaused); }
};

/// A candidate that was compiled. That a region lacks a candidate is recorded in the store only.
struct CandidateMessage {
  std::string Name, Key;
  std::string Object;  ///< the shared object; "" on failure
  std::string Problem; ///< on failure, one sentence; else ""
  template <class Archive> void fields(Archive &A) { A(Name, Key, Object, Problem); }
};

struct CompileAnswer {
  struct Cause {
    std::string Kind, Message, File;
    uint32_t Line = 0;
    bool Speculative = false;
    template <class Archive> void fields(Archive &A) { A(Kind, Message, File, Line, Speculative); }
  };
  struct Note {
    uint32_t Code = 0;
    std::string Text;
    template <class Archive> void fields(Archive &A) { A(Code, Text); }
  };
  template <class Archive> void fields(Archive &A) {
    A(HasFailed, Error, Candidates, Causes, Notes, Loops, HasZeros, Equations, Skips, Program,
      TotalMs);
  }

  bool HasFailed = false;
  std::string Error;                   ///< one sentence if HasFailed
  std::vector<std::string> Candidates; ///< names, in their order
  std::vector<Cause> Causes;
  std::vector<Note> Notes;
  Nest Loops; ///< the loops from which versions are made; empty: unknown
  bool HasZeros = false;
  std::string Equations, Skips, Program;
  double TotalMs = 0;
};

/// The object's one body is the instrumented version.
struct InstrumentAnswer {
  template <class Archive> void fields(Archive &A) {
    A(HasFailed, Error, Object, Key, Accesses, Loops, Carried, NumRowLoops, Words);
  }

  bool HasFailed = false;
  std::string Error; ///< on failure, one sentence
  std::string Object, Key;
  std::vector<specrt_recorded_access> Accesses;
  std::vector<specrt_recorded_loop> Loops;
  std::vector<specrt_carried_value> Carried;
  uint32_t NumRowLoops = 0, Words = 0;
};

struct DescribeAnswer {
  struct Name {
    std::string Text;
    bool HasOneMeaning = false;
    template <class Archive> void fields(Archive &A) { A(Text, HasOneMeaning); }
  };
  template <class Archive> void fields(Archive &A) { A(Wanted, Status, Error, Region); }

  std::vector<Name> Wanted; ///< if not empty, the rest is void: ask again with these in Known
  uint32_t Status = 0;      ///< enum specrt_describe_status
  std::string Error;        ///< one sentence unless the status is OK
  RegionMessage Region;
};

/// The places where an array may be nonzero, as specrt_array_structure.
struct ArrayMessage {
  template <class Archive> void fields(Archive &A) {
    A(Name, NumDimensions, IsEverywhere, IsRead, IsWritten, Boxes, Extent);
  }

  std::string Name;
  uint32_t NumDimensions = 0;
  bool IsEverywhere = false, IsRead = false, IsWritten = false;
  std::vector<specrt_box> Boxes;
  std::vector<int64_t> Extent; ///< [SPECRT_STRUCTURE_MAX_DIMENSIONS]
};

struct ParameterMessage {
  std::string Name;
  int64_t Value = 0;
  template <class Archive> void fields(Archive &A) { A(Name, Value); }
};

/// The members of specrt_structure_request.
struct PropagateRequest {
  template <class Archive> void fields(Archive &A) {
    A(Bitcode, Region, Nest, BudgetMs, Values, Inputs);
  }

  std::string Bitcode, Region;
  uint32_t Nest = 0, BudgetMs = 0;
  std::vector<ParameterMessage> Values;
  std::vector<ArrayMessage> Inputs;
};

/// The members of specrt_structures.
struct PropagateAnswer {
  template <class Archive> void fields(Archive &A) {
    A(HasFailed, Error, Arrays, Parameters, Equations);
  }

  bool HasFailed = false;
  std::string Error; ///< on failure, one sentence
  std::vector<ArrayMessage> Arrays;
  std::vector<ParameterMessage> Parameters;
  std::string Equations;
};

struct FailureMessage {
  enum class Cause : uint32_t {
    NoCompiler,   ///< the server cannot load the compiler
    NeverEnded,   ///< the compiling process exceeded its budget and was killed
    ServerEnded,  ///< the server or the process was killed or lacked memory: says nothing of the
                  ///< request
    Crashed,      ///< the compiling process crashed
    NotUnderstood ///< the request is malformed
  };
  Cause Why = Cause::Crashed;
  std::string Text; ///< one sentence, without a full stop
  template <class Archive> void fields(Archive &A) { A(Why, Text); }
};

} // namespace specrt

#endif
