//===- runtime/protocol/messages.h - what programs and their server tell each other ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program greets its server once and then asks one thing at a time. The server answers with any
// number of Candidate, Progress and Log messages and then one that ends the request: Compiled,
// Instrumented, Described, Propagated or Failed. Both ends are of one build.
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
  // To the server.
  Greeting,
  Compile,    ///< CompileRequest
  Instrument, ///< CompileRequest; Recording counts
  Describe,   ///< DescribeRequest
  Propagate,  ///< PropagateRequest
  // From the server.
  Elsewhere,    ///< another server has the socket: connect to that
  Log,          ///< LogMessage
  Progress,     ///< ProgressMessage
  Candidate,    ///< CandidateMessage
  Compiled,     ///< CompileAnswer
  Instrumented, ///< InstrumentAnswer
  Described,    ///< DescribeAnswer
  Propagated,   ///< PropagateAnswer
  Failed        ///< FailureMessage
};

struct Greeting {
  static constexpr uint32_t CurrentVersion = 1;
  uint32_t Version = CurrentVersion;
  std::string Identity = {}; ///< of the build and the processor (runtime/cache/identity.h)
  template <class Archive> void fields(Archive &A) { A(Version, Identity); }
};

/// Asks for candidates of one region, or for its instrumented version. As specrt_jit_request.
struct CompileRequest {
  template <class Archive> void fields(Archive &A) {
    A(Region, Assumed, Only, Existing, Absent, DumpDirectory, IsKept, StoreLimit, SharedKey, FpMode,
      Threads, BudgetMs, AfterExitMs, SecondsPerCall, FirstIteration, Recording, WantsNest,
      WantsZeros, IsAwaited, ReadsStore);
  }

  RegionMessage Region;
  Assumptions Assumed;
  std::string Only, Existing, Absent;
  std::string DumpDirectory; ///< absolute; "": none
  bool IsKept = false;       ///< in the server's cache directory
  uint64_t StoreLimit = 0;   ///< bytes of compiled versions in there
  /// Requests of equal keys want the same: one compile serves all of them. "": it is shared with
  /// nobody.
  std::string SharedKey;
  uint32_t FpMode = 0, Threads = 1, BudgetMs = 0;
  uint32_t AfterExitMs = 0; ///< processor time that it may still take when nobody waits any more
  double SecondsPerCall = 0;
  uint64_t FirstIteration = 0;
  uint64_t Recording = 0; ///< address of the program's specrt_recording
  bool WantsNest = false, WantsZeros = false;
  bool IsAwaited = false;  ///< a call waits for it
  bool ReadsStore = false; ///< what is known of the plan's candidates already counts
};

/// Of a function for specrt_wrap. What the original calls gets its addresses in the program, so the
/// first answer may say which of them are wanted (DescribeAnswer::Wanted).
struct DescribeRequest {
  struct Type {
    std::vector<uint8_t> Bytes; ///< of a specrt_c_type
    std::string Text;
    template <class Archive> void fields(Archive &A) { A(Bytes, Text); }
  };
  struct Name {
    std::string Text;
    bool HasAddress = false;
    std::string Why; ///< it has none
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
  int32_t Level = 0;              ///< of the compiler's: as specrt_jit_log has it
  std::string Text;
  template <class Archive> void fields(Archive &A) { A(From, Level, Text); }
};

/// Of a compile that is under way.
struct ProgressMessage {
  bool Rests = false; ///< it waits for a processor that nobody else wants
  template <class Archive> void fields(Archive &A) { A(Rests); }
};

/// A candidate that exists. That others do not exist is only kept in the store.
struct CandidateMessage {
  std::string Name, Key;
  std::string Object;  ///< the shared object; "": it is in the store under Key, or Problem says why
  std::string Problem; ///< why there is no object; one sentence, or ""
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
  std::string Error;                   ///< where it has: one sentence
  std::vector<std::string> Candidates; ///< names, in their order
  std::vector<Cause> Causes;
  std::vector<Note> Notes;
  Nest Loops; ///< that versions are made of; empty: nothing is told
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
  std::string Error; ///< where it has: one sentence
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

  std::vector<Name> Wanted; ///< with any, nothing else counts: ask again with these known
  uint32_t Status = 0;      ///< enum specrt_describe_status
  std::string Error;        ///< one sentence unless the status is OK
  RegionMessage Region;
};

/// Where an array may be nonzero, as specrt_array_structure.
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

/// As specrt_structure_request.
struct PropagateRequest {
  template <class Archive> void fields(Archive &A) {
    A(Bitcode, Region, Nest, BudgetMs, Values, Inputs);
  }

  std::string Bitcode, Region;
  uint32_t Nest = 0, BudgetMs = 0;
  std::vector<ParameterMessage> Values;
  std::vector<ArrayMessage> Inputs;
};

/// As specrt_structures.
struct PropagateAnswer {
  template <class Archive> void fields(Archive &A) {
    A(HasFailed, Error, Arrays, Parameters, Equations);
  }

  bool HasFailed = false;
  std::string Error; ///< where it has: one sentence
  std::vector<ArrayMessage> Arrays;
  std::vector<ParameterMessage> Parameters;
  std::string Equations;
};

struct FailureMessage {
  enum class Cause : uint32_t {
    NoCompiler,   ///< nothing can be compiled by this server
    NeverEnded,   ///< it took more than its time, and was stopped
    ServerEnded,  ///< or was killed, or lacks something: nothing is known of the request
    Crashed,      ///< the compiling process has
    NotUnderstood ///< the request is not as expected
  };
  Cause Why = Cause::Crashed;
  std::string Text; ///< one sentence, without a full stop
  template <class Archive> void fields(Archive &A) { A(Why, Text); }
};

} // namespace specrt

#endif
