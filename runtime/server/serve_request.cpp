//===- runtime/server/serve_request.cpp - one request, in a process of its own ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/server/serve_request.h"
#include "guards/words.h"
#include "profiler/feedback/nest_tables.h"
#include "profiler/plans/assumptions.h"
#include "profiler/store/store_file.h"
#include "runtime/cache/identity.h"
#include "runtime/cache/stored_plan.h"
#include "runtime/executor/replay.h"
#include "runtime/protocol/structure_message.h"
#include "specializer/strategies/table/candidates.h"
#include "support/attempt.h"
#include "support/nullable_text.h"
#include "support/write_all.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <sys/mman.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace specrt {
namespace {

constexpr const char *BudgetIsUsedUp = "the compile budget was used up";

/// Writes frames to the server. Ignores failures, because the results for later runs are in the
/// store. Any thread.
class Answers {
public:
  explicit Answers(int To) : To(To) {}

  template <class T> void send(MessageKind Kind, const T &Message) const {
    const std::string Bytes = frameOf(Kind, Message);
    const std::lock_guard Guard(Mutex);
    (void)writeAll(To, Bytes);
  }
  /// Sends the frame that ends the answer, and ends the process.
  template <class T> [[noreturn]] void sendLast(MessageKind Kind, const T &Message) const {
    send(Kind, Message);
    _exit(0);
  }
  /// Answers a malformed request.
  void refuse() const {
    send(MessageKind::Failed,
         FailureMessage{FailureMessage::Cause::NotUnderstood, "the request is not understood"});
  }

private:
  const int To;
  mutable std::mutex Mutex;
};

const Answers *LogAnswers = nullptr;

/// Starts a thread that calls \p AtEnd once the compile is overdue. The compiler itself checks its
/// budget between passes only, and one operation of isl on numbers of hundreds of digits may take
/// minutes.
void watchBudget(const specrt_jit_api &Api, std::function<void()> AtEnd) {
  try {
    std::thread([&Api, AtEnd = std::move(AtEnd)] {
      // a tenth of the time that makes a compile overdue
      constexpr std::chrono::milliseconds Pause(20);
      while (!Api.is_overdue())
        std::this_thread::sleep_for(Pause);
      AtEnd();
    }).detach();
  } catch (const std::system_error &) {
    // Without a thread the server ends the process later (Job::isEndless).
  }
}

/// Links \p Candidate into \p Object. Returns "" or, in one sentence, why there is no object.
std::string linkObject(const specrt_jit_api &Api, const specrt_region &Region,
                       const specrt_jit_candidate &Candidate, const std::string &Key,
                       std::string &Object) {
  const Descriptor File(memfd_create("specrt-link", MFD_CLOEXEC));
  if (!File)
    return NoMemoryText;
  const specrt_jit_link Link{&Region, &Candidate, 1, 0, Key.c_str(), File.get()};
  std::string Why = orEmpty(Api.link(&Link));
  if (Why.empty() && !readAll(File, Object, Why))
    Why = "the linked code " + Why;
  return Why;
}

/// Replays the candidates on the captured call. If none of them gives the program's result, then
/// the call has accessed memory that was not captured or another thread has written to it: nothing
/// is concluded about the candidates.
StoredReplays storedReplays(const ReplayRequest &Request, int Capture) {
  StoredReplays Found{.CallNs = capturedNs(Capture)};
  const std::vector<ReplayResult> Results = replay(Request, Capture, Found.Problem);
  using Outcome = ReplayResult::Outcome;
  const auto IsSame = [](const ReplayResult &R) { return R.Is == Outcome::Same; };
  const auto IsLate = [](const ReplayResult &R) { return R.Is == Outcome::Late; };
  if (!Found.Problem.empty())
    return Found;
  if (std::none_of(Results.begin(), Results.end(), IsSame)) {
    Found.Problem = "no candidate gives the program's result on the captured call";
    return Found;
  }
  if (std::any_of(Results.begin(), Results.end(), IsLate))
    Found.Problem = "there was no time for all candidates";
  for (const ReplayResult &R : Results) {
    // The next run logs why a candidate is never used: this one's log is closed.
    if (IsSame(R) || R.Is == Outcome::Differs || R.Is == Outcome::Faulted)
      Found.Candidates.push_back({R.Name, R.Ns, R.Why});
  }
  return Found;
}

/// A compile request and the memory that its C form points to.
class CompileJob {
public:
  CompileJob(const specrt_jit_api &Api, CompileRequest From, const std::string &CacheDirectory,
             int Capture, const Answers &To)
      : Api(Api), Asked(std::move(From)), StoreDirectory(Asked.IsKept ? CacheDirectory : ""),
        Capture(Capture), To(To), Region(std::move(Asked.Region)),
        Assumed(std::move(Asked.Assumed)) {}

  /// Returns false when the request is malformed.
  bool prepare() {
    const specrt_region &R = Region.region();
    const auto Fits = [](const std::vector<uint8_t> &Bits, size_t Count) {
      return Bits.empty() || Bits.size() == Count;
    };
    if (!Region.isValid() || Assumed.Facts.size() != R.num_args ||
        !Fits(Assumed.Overlaps, size_t{R.num_accesses} * R.num_accesses) ||
        !Fits(Assumed.Zeros, R.num_accesses))
      return false;
    Settings.Fp = static_cast<FpMode>(Asked.FpMode);
    Settings.Threads = Asked.Threads;
    Settings.CompileBudgetMs = Asked.BudgetMs;
    Settings.CacheDirectory = StoreDirectory;
    Settings.Profile = Asked.ReadsStore ? ProfileMode::ReadWrite : ProfileMode::Write;
    fillRequest();
    return true;
  }

  void compile() {
    if (!StoreDirectory.empty()) {
      Store.emplace(StoreDirectory, Asked.StoreLimit,
                    [this](const StoreMessage &Problem) { tell(Problem); });
      Keep.emplace(*Store, Region.region(), Assumed, Settings);
    }
    if (Capture >= 0 && Keep)
      return compileAndReplay();
    watchBudget(Api, [this] { To.sendLast(MessageKind::Compiled, answerSoFar()); });
    const specrt_jit_result *Result = Api.compile(&Plain);
    // Candidates that exceeded the budget are not tried by later runs either.
    if (Keep && !Result->error && isStoreThere())
      Keep->end(/*All=*/Asked.Only.empty());
    To.send(MessageKind::Compiled, answerFrom(*Result));
  }

  void instrument() {
    watchBudget(Api, [this] {
      InstrumentAnswer Late;
      Late.HasFailed = true;
      Late.Error = BudgetIsUsedUp;
      To.sendLast(MessageKind::Instrumented, Late);
    });
    const specrt_jit_instrumented *Made =
        Api.instrument(&Plain, reinterpret_cast<specrt_recording *>(Asked.Recording));
    InstrumentAnswer Answer;
    Answer.HasFailed = Made->error != nullptr;
    Answer.Error = orEmpty(Made->error);
    if (!Made->error) {
      specrt_jit_candidate Body{};
      Body.name = "instrumented";
      Body.body = Made->body;
      Body.handle = Made->handle;
      Body.guards = Made->guards;
      Answer.Key = keyOf(Body.name);
      Answer.Error = linkObject(Api, Region.region(), Body, Answer.Key, Answer.Object);
      Answer.HasFailed = !Answer.Error.empty();
      Answer.Accesses.assign(Made->accesses, Made->accesses + Made->num_accesses);
      Answer.Loops.assign(Made->loops, Made->loops + Made->num_loops);
      Answer.Carried.assign(Made->carried, Made->carried + Made->num_carried);
      Answer.NumRowLoops = Made->num_row_loops;
      Answer.Words = Made->words;
    }
    To.send(MessageKind::Instrumented, Answer);
  }

private:
  /// Compiles the candidates that the store still lacks and replays all of them.
  void compileAndReplay() {
    CompileAnswer Answer;
    if (const MissingCandidates Missing = Keep->missing(); Missing.Any) {
      Asked.Existing = Missing.Existing;
      Asked.Absent = Missing.Absent;
      Plain.existing = orNull(Asked.Existing);
      Plain.absent = orNull(Asked.Absent);
      watchBudget(Api, [this] {
        CompileAnswer Late = answerSoFar();
        const std::lock_guard Guard(Mutex);
        if (isStoreThere())
          Keep->end(/*All=*/true);
        replayStored();
        To.sendLast(MessageKind::Compiled, Late);
      });
      const specrt_jit_result *Result = Api.compile(&Plain);
      const std::lock_guard Guard(Mutex);
      if (Result->error)
        return To.send(MessageKind::Compiled, answerFrom(*Result));
      if (isStoreThere())
        Keep->end(/*All=*/true);
      Answer = answerFrom(*Result);
    }
    const std::lock_guard Guard(Mutex);
    replayStored();
    To.send(MessageKind::Compiled, Answer);
  }

  /// Replays the stored candidates on the captured call and stores the results. Mutex held.
  void replayStored() {
    ReplayRequest Request;
    Request.Region = RegionMessage(Region.region());
    Request.Region.Bitcode.clear();
    Request.Threads = Asked.Threads;
    Request.MaxMs = Asked.AfterExitMs;
    Request.ComparesBits = Settings.Fp == FpMode::Strict;
    Request.Objects = Keep->objects();
    if (Request.Objects.empty())
      return;
    sortForReplay(Request.Objects);
    StoredReplays Found = storedReplays(Request, Capture);
    if (isStoreThere())
      Keep->addReplays(std::move(Found));
  }

  /// Puts the reference first and the most promising candidates next, in case there is no time for
  /// all of them.
  void sortForReplay(std::vector<StoredObject> &Objects) const {
    const auto Order = orderOfTrials(Asked.SecondsPerCall, Asked.Threads);
    const auto PlaceOf = [&](const StoredObject &Object) {
      const CandidateKind *const Kind = findCandidate(Object.Name);
      if (Kind && Kind->Strategy == StrategyId::Constants)
        return std::ptrdiff_t{-1};
      return std::find(Order.begin(), Order.end(), Kind) - Order.begin();
    };
    std::sort(Objects.begin(), Objects.end(), [&](const StoredObject &A, const StoredObject &B) {
      return std::pair(PlaceOf(A), A.Name) < std::pair(PlaceOf(B), B.Name);
    });
  }

  void fillRequest() {
    const specrt_region &R = Region.region();
    Plain.region = &R;
    Plain.facts = Assumed.Facts.data();
    Plain.overlaps = Assumed.Overlaps.empty() ? nullptr : Assumed.Overlaps.data();
    Plain.cells = Assumed.Cells.data();
    Plain.num_cells = static_cast<uint32_t>(Assumed.Cells.size());
    Sequences = plainFacts(Assumed.Sequences);
    Plain.sequences = Sequences.data();
    Plain.num_sequences = static_cast<uint32_t>(Sequences.size());
    Rows.emplace(Assumed.Rows);
    Plain.rows = Rows->plain().data();
    Plain.num_rows = static_cast<uint32_t>(Rows->plain().size());
    Plain.zeros = Assumed.Zeros.empty() ? nullptr : Assumed.Zeros.data();
    Plain.only = orNull(Asked.Only);
    Plain.existing = orNull(Asked.Existing);
    Plain.absent = orNull(Asked.Absent);
    Plain.dump_directory = orNull(Asked.DumpDirectory);
    Plain.fp_mode = Asked.FpMode;
    Plain.threads = Asked.Threads;
    Plain.budget_ms = Asked.BudgetMs;
    Plain.seconds_per_call = Asked.SecondsPerCall;
    Plain.first_iteration = Asked.FirstIteration;
    Plain.end_iteration = Asked.EndIteration;
    Plain.wants_nest = Asked.WantsNest;
    Plain.wants_zeros = Asked.WantsZeros;
    Plain.settled = settled;
    Plain.context = this;
  }

  /// Returns false when the user has removed the cache: then nothing is stored.
  bool isStoreThere() const { return access(StoreDirectory.c_str(), F_OK) == 0; }

  std::string keyOf(const std::string &Name) const {
    return versionKey(identity(), Region.region(), Assumed, Name, Settings).Text;
  }

  void tell(const StoreMessage &Problem) const {
    using Source = LogMessage::Source;
    const bool IsFile = Problem.Is == StoreMessage::Kind::UnusableFile;
    To.send(MessageKind::Log,
            LogMessage{IsFile ? Source::StoreFile : Source::Store, /*Level=*/1, Problem.Text});
  }

  static void settled(void *Context, const char *Name, const specrt_jit_candidate *Candidate) {
    auto &Job = *static_cast<CompileJob *>(Context);
    if (Candidate)
      Job.link(*Candidate);
    else if (Job.Keep && Job.isStoreThere())
      Job.Keep->addAbsent(Name);
  }

  void link(const specrt_jit_candidate &Candidate) {
    const std::lock_guard Guard(Mutex);
    CandidateMessage Made;
    Made.Name = Candidate.name;
    Made.Key = keyOf(Made.Name);
    Made.Problem = linkObject(Api, Region.region(), Candidate, Made.Key, Made.Object);
    if (Keep && Made.Problem.empty() && isStoreThere())
      Keep->add(Made.Name, VersionKey{Made.Key}, GuardList(Candidate.guards), Made.Object);
    To.send(MessageKind::Candidate, Made);
    Names.push_back(Made.Name);
  }

  /// Returns the answer when the budget is used up: the candidates that exist.
  CompileAnswer answerSoFar() {
    const std::lock_guard Guard(Mutex);
    CompileAnswer Answer;
    Answer.Candidates = Names;
    Answer.HasFailed = Names.empty();
    if (Answer.HasFailed)
      Answer.Error = BudgetIsUsedUp;
    Answer.Notes.push_back(
        {SPECRT_NOTE_BUDGET, std::string("not all was built: ") + BudgetIsUsedUp});
    Answer.TotalMs = Asked.BudgetMs;
    return Answer;
  }

  static CompileAnswer answerFrom(const specrt_jit_result &Result) {
    CompileAnswer Answer;
    Answer.HasFailed = Result.error != nullptr;
    Answer.Error = orEmpty(Result.error);
    for (uint32_t I = 0; I < Result.num_candidates; ++I)
      Answer.Candidates.push_back(orEmpty(Result.candidates[I].name));
    for (uint32_t I = 0; I < Result.num_causes; ++I) {
      const specrt_jit_cause &C = Result.causes[I];
      Answer.Causes.push_back(
          {orEmpty(C.kind), orEmpty(C.message), orEmpty(C.file), C.line, C.speculative != 0});
    }
    for (uint32_t I = 0; I < Result.num_notes; ++I)
      Answer.Notes.push_back({Result.notes[I].code, orEmpty(Result.notes[I].text)});
    if (Result.nest.num_loops > 0)
      Answer.Loops = modelNest(Result.nest);
    Answer.HasZeros = Result.zeros.equations != nullptr;
    Answer.Equations = orEmpty(Result.zeros.equations);
    Answer.Skips = orEmpty(Result.zeros.skips);
    Answer.Program = orEmpty(Result.zeros.program);
    Answer.TotalMs = Result.total_ms;
    return Answer;
  }

  const specrt_jit_api &Api;
  CompileRequest Asked;
  const std::string StoreDirectory; ///< "": nothing is kept
  const int Capture;                ///< negative: none
  const Answers &To;
  const ReceivedRegion Region;
  const Assumptions Assumed;
  Config Settings;
  std::vector<specrt_sequence_fact> Sequences;
  std::optional<RowFacts> Rows;
  std::optional<VersionStore> Store;
  std::optional<StoredPlan> Keep;
  specrt_jit_request Plain{};
  std::mutex Mutex; ///< held while a candidate is stored, and while candidates are replayed
  std::vector<std::string> Names; ///< of the candidates so far; guarded by Mutex
};

/// A request to describe a function and the memory that its C form points to.
class DescribeJob {
public:
  DescribeJob(const specrt_jit_api &Api, const DescribeRequest &Asked, const Answers &To)
      : Api(Api), Asked(Asked), To(To) {}

  void describe() {
    specrt_c_type Result;
    std::vector<specrt_c_type> Arguments(Asked.Arguments.size());
    bool Fits = restoreType(Asked.Result, Result);
    for (size_t I = 0; I < Arguments.size(); ++I)
      Fits = Fits && restoreType(Asked.Arguments[I], Arguments[I]);
    if (!Fits)
      return To.refuse();
    specrt_describe_request Plain{};
    Plain.bitcode = Asked.Bitcode.data();
    Plain.bitcode_size = Asked.Bitcode.size();
    Plain.function = Asked.Function.c_str();
    Plain.result = &Result;
    Plain.arguments = Arguments.data();
    Plain.num_arguments = static_cast<uint32_t>(Arguments.size());
    Plain.fp_mode = Asked.FpMode;
    Plain.budget_ms = Asked.BudgetMs;
    Plain.resolve = resolve;
    Plain.context = this;
    const specrt_describe_result *Found = Api.describe(&Plain);
    Answer.Status = Found->status;
    Answer.Error = orEmpty(Found->error);
    if (Found->status == SPECRT_DESCRIBE_OK)
      Answer.Region = RegionMessage(Found->region);
    To.send(MessageKind::Described, Answer);
  }

private:
  static bool restoreType(const DescribeRequest::Type &From, specrt_c_type &To) {
    if (From.Bytes.size() != sizeof(To))
      return false;
    std::memcpy(&To, From.Bytes.data(), sizeof(To));
    To.text = From.Text.c_str();
    return true;
  }

  /// Returns whether a symbol has an address in the program, as a pointer that is null or not. A
  /// symbol that is not in the request is added to DescribeAnswer::Wanted and assumed to have one.
  static void *resolve(void *Self, const char *Name, int HasOneMeaning, const char **Why) {
    auto &Job = *static_cast<DescribeJob *>(Self);
    for (const DescribeRequest::Name &Known : Job.Asked.Known) {
      if (Known.Text != Name)
        continue;
      *Why = Known.Why.c_str();
      return Known.HasAddress ? Self : nullptr;
    }
    Job.Answer.Wanted.push_back({Name, HasOneMeaning != 0});
    return Self;
  }

  const specrt_jit_api &Api;
  const DescribeRequest &Asked;
  const Answers &To;
  DescribeAnswer Answer;
};

} // namespace

void logFromCompiler(int Level, const char *Message) {
  if (LogAnswers)
    LogAnswers->send(MessageKind::Log, LogMessage{LogMessage::Source::Compiler, Level, Message});
}

/// Serves a PropagateRequest.
static void propagate(const specrt_jit_api &Api, const PropagateRequest &Asked, const Answers &To) {
  const std::vector<specrt_parameter> Values = plain(Asked.Values);
  const std::optional<std::vector<specrt_array_structure>> Inputs = plain(Asked.Inputs);
  if (!Inputs)
    return To.refuse();
  specrt_structure_request Plain{};
  Plain.bitcode = Asked.Bitcode.data();
  Plain.bitcode_size = Asked.Bitcode.size();
  Plain.region = Asked.Region.c_str();
  Plain.nest = Asked.Nest;
  Plain.budget_ms = Asked.BudgetMs;
  Plain.values = Values.data();
  Plain.inputs = Inputs->data();
  Plain.num_values = static_cast<uint32_t>(Values.size());
  Plain.num_inputs = static_cast<uint32_t>(Inputs->size());
  const specrt_structures *Found = Api.propagate(&Plain);
  PropagateAnswer Answer;
  Answer.HasFailed = Found->error != nullptr;
  Answer.Error = orEmpty(Found->error);
  if (!Found->error) {
    Answer.Arrays = messagesOf(std::span(Found->arrays, Found->num_arrays));
    Answer.Parameters = messagesOf(std::span(Found->parameters, Found->num_parameters));
    Answer.Equations = orEmpty(Found->equations);
  }
  To.send(MessageKind::Propagated, Answer);
}

void serveRequest(const specrt_jit_api &Api, const Frame &Request,
                  const std::string &CacheDirectory, int To, int Capture) {
  const Answers Answer(To);
  LogAnswers = &Answer;
  if (Request.Kind == MessageKind::Describe) {
    DescribeRequest Asked;
    if (!restore(Request.Body, Asked))
      return Answer.refuse();
    return DescribeJob(Api, Asked, Answer).describe();
  }
  if (Request.Kind == MessageKind::Propagate) {
    PropagateRequest Asked;
    return restore(Request.Body, Asked) ? propagate(Api, Asked, Answer) : Answer.refuse();
  }
  CompileRequest Asked;
  if (!restore(Request.Body, Asked))
    return Answer.refuse();
  CompileJob Job(Api, std::move(Asked), CacheDirectory, Capture, Answer);
  if (!Job.prepare())
    return Answer.refuse();
  if (Request.Kind == MessageKind::Instrument)
    Job.instrument();
  else
    Job.compile();
}

} // namespace specrt
