//===- bench/tiles.cpp - compares predicted tiles of time and space with others ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: bench-tiles NEST POINTS STEPS THREADS REPETITIONS
//
// Compiles a stencil for these numbers of points (along each axis), steps and threads through the
// phases of the specializer: untiled, with the tiles of chooseTimeTiles, and with a grid of others
// around those, from a quarter to four times as wide and high, pipelined and as diamonds. The best
// of the grid and the predicted ones are then timed again in turn, so that one lucky measurement
// does not decide. Prints one JSON object. The exit status is 1 if a result differs in a bit.
//
//===----------------------------------------------------------------------===//
#include "runtime/parallel/parallel.h"
#include "specializer/strategies/time_tiles.h"
#include "tests/polyhedral/nest_compiler.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <set>

using namespace specrt;

namespace {

constexpr unsigned NumFinalists = 4;
/// The least time of the final rounds of one candidate together.
constexpr double ShortSeconds = 0.05;
/// A candidate that takes this many times as long as the best one in the first round is dropped.
constexpr double Hopeless = 1.3;

struct Problem {
  std::string Nest;
  long Points, Steps;
  unsigned Threads;

  bool isFlat() const { return Nest == "jacobi_1d"; }
  Sizes sizes() const { return {Points, isFlat() ? 1 : Points, Steps}; }
  size_t elements() const { return size_t(Points) * (isFlat() ? 1 : size_t(Points)); }
};

/// The two grids of a stencil, arrays C and B of the nests, which have no array A.
struct Grids {
  std::vector<double> C, B;
  explicit Grids(const Problem &P) : C(P.elements()), B(P.elements()) { reset(); }
  void reset() {
    for (size_t I = 0; I < C.size(); ++I) {
      C[I] = 1 + double(I * 7919 % 1009) / 1009;
      B[I] = 1 + double(I * 104729 % 1013) / 1013;
    }
  }
  void run(Nest *Code, const Sizes &S) { Code(S[0], S[1], S[2], nullptr, B.data(), C.data()); }
  /// Returns whether both have the same values bit for bit.
  bool identical(const Grids &Other) const {
    auto Same = [](const std::vector<double> &X, const std::vector<double> &Y) {
      return !std::memcmp(X.data(), Y.data(), X.size() * sizeof(double));
    };
    return Same(C, Other.C) && Same(B, Other.B);
  }
};

struct Candidate {
  std::string Name;
  std::unique_ptr<NestCompiler> Compiler; ///< owns the code
  Nest *Code = nullptr;
  double Seconds = std::numeric_limits<double>::infinity();
  bool IsPredicted = false;
};

class Measurement {
public:
  explicit Measurement(Problem P) : P(std::move(P)), Data(this->P), Reference(this->P) {}

  bool run(unsigned Repetitions);

private:
  bool compile(Candidate &C, const TimeTiles *Tiles, std::optional<TimeTiles> *Used, bool Tiled);
  void add(const TimeTiles &Tiles);
  void addGrid(const std::optional<TimeTiles> &Predicted);
  bool check(Candidate &C);
  void time(Candidate &C);
  void print(const Candidate &Predicted, const Candidate &Best) const;

  Problem P;
  Grids Data, Reference;
  std::vector<Candidate> Candidates;
  std::set<std::string> Known;
};

/// Compiles \p C with \p Tiles, or with chosen ones if null. Returns false if there are no tiles.
bool Measurement::compile(Candidate &C, const TimeTiles *Tiles, std::optional<TimeTiles> *Used,
                          bool Tiled) {
  TimeTileStrategy Strategy(Tiles, Used);
  C.Compiler = std::make_unique<NestCompiler>(SPECRT_TILES_IR, P.Nest);
  PolyhedralOptions Options;
  Options.Schedule = Tiled ? &Strategy : nullptr;
  Options.Parallel = P.Threads > 1;
  Options.Target = describeHost(C.Compiler->costs(), P.Threads);
  PolyhedralResult Result = C.Compiler->specialize(P.sizes(), Options);
  if (Tiled && Result.NumGenerated == 0)
    return false;
  C.Code =
      C.Compiler->compile({&specrt_parallel_loop_runtime_start, &specrt_parallel_private_loop_start,
                           &specrt_parallel_pipeline_start, &specrt_parallel_nest_start,
                           &specrt_loop_private, &specrt_loop_runtime_next, &specrt_loop_nest_next,
                           &specrt_loop_step, &specrt_loop_end_nowait, &specrt_parallel_end});
  return true;
}

std::string describe(const TimeTiles &T) {
  std::string Text = T.Shape == TileShape::Diamond ? "diamond" : std::to_string(T.Height);
  for (long Width : T.Widths)
    Text += "x" + (Width ? std::to_string(Width) : std::string("all"));
  return Text;
}

void Measurement::add(const TimeTiles &Tiles) {
  Candidate C;
  C.Name = describe(Tiles);
  if (Known.insert(C.Name).second && compile(C, &Tiles, nullptr, /*Tiled=*/true))
    Candidates.push_back(std::move(C));
}

/// Adds tiles around the predicted ones, or around a guess if none are predicted.
void Measurement::addGrid(const std::optional<TimeTiles> &Predicted) {
  constexpr double Factors[] = {0.25, 0.5, 1, 2, 4};
  unsigned NumAxes = P.isFlat() ? 1 : 2;
  TimeTiles Base;
  Base.Height = std::min(32L, P.Steps);
  Base.Widths.assign(NumAxes, 0);
  Base.Widths[0] = std::max(8L, P.Points / 8);
  if (Predicted)
    Base = *Predicted;
  // If the sides of a diamond move by one point per step, it is on average half as high as wide.
  bool IsDiamond = Base.Shape == TileShape::Diamond;
  long Height = IsDiamond ? std::max(2L, Base.Widths[0] / 4) : Base.Height;
  long Diamond = IsDiamond ? Base.Widths[0] : Base.Widths[0] + 2 * Base.Height;
  auto Scaled = [](long Length, double Factor, long Most) {
    return std::clamp(std::lround(double(Length) * Factor), 2L, std::max(2L, Most));
  };
  for (double Wide : Factors) {
    TimeTiles T = Base;
    T.Shape = TileShape::Pipelined;
    T.Widths[0] = Scaled(Base.Widths[0], Wide, P.Points);
    for (double High : Factors) {
      T.Height = Scaled(Height, High, P.Steps);
      add(T);
    }
    T.Shape = TileShape::Diamond;
    T.Widths[0] = Scaled(Diamond, Wide, P.Points / 2);
    if (P.Threads > 1)
      add(T);
  }
  if (NumAxes == 2)
    for (long Width : {0L, 256L, 1024L}) {
      TimeTiles T = Base;
      T.Widths[1] = Width;
      if (Width < P.Points)
        add(T);
    }
}

/// Returns whether \p C computes the same bits as the untiled nest. Also warms up.
bool Measurement::check(Candidate &C) {
  Data.reset();
  Data.run(C.Code, P.sizes());
  return Data.identical(Reference);
}

void Measurement::time(Candidate &C) {
  using Clock = std::chrono::steady_clock;
  auto Begin = Clock::now();
  Data.run(C.Code, P.sizes());
  C.Seconds = std::min(C.Seconds, std::chrono::duration<double>(Clock::now() - Begin).count());
}

bool Measurement::run(unsigned Repetitions) {
  specrt_parallel_configure(P.Threads);
  Candidate Untiled, Predicted;
  Untiled.Name = "untiled";
  compile(Untiled, nullptr, nullptr, /*Tiled=*/false);
  std::optional<TimeTiles> Chosen;
  if (!compile(Predicted, nullptr, &Chosen, /*Tiled=*/true))
    Chosen.reset();
  Untiled.IsPredicted = !Chosen;
  Candidates.push_back(std::move(Untiled));
  if (Chosen) {
    Predicted.IsPredicted = true;
    Predicted.Name = describe(*Chosen);
    Known.insert(Predicted.Name);
    Candidates.push_back(std::move(Predicted));
  }
  addGrid(Chosen);

  NestCompiler Plain(SPECRT_TILES_IR, P.Nest);
  Reference.run(Plain.compile(), P.sizes());
  double Best = std::numeric_limits<double>::infinity();
  for (Candidate &C : Candidates) {
    if (!check(C)) {
      std::fprintf(stderr, "error: %s with tiles %s gives another result\n", P.Nest.c_str(),
                   C.Name.c_str());
      return false;
    }
    time(C);
    if (C.Seconds < Hopeless * Best)
      time(C);
    Best = std::min(Best, C.Seconds);
  }
  auto Faster = [](const Candidate &X, const Candidate &Y) { return X.Seconds < Y.Seconds; };
  std::sort(Candidates.begin(), Candidates.end(), Faster);
  auto IsPredicted = [](const Candidate &C) { return C.IsPredicted; };
  auto InFinal = Candidates.begin() + std::min<long>(NumFinalists, long(Candidates.size()));
  if (std::find_if(Candidates.begin(), InFinal, IsPredicted) == InFinal)
    std::iter_swap(InFinal - 1, std::find_if(InFinal, Candidates.end(), IsPredicted));
  // Other work of the machine disturbs short calls more.
  double Rounds = std::clamp(ShortSeconds / Best, double(Repetitions), 10.0 * Repetitions);
  for (unsigned R = 0; R < unsigned(Rounds); ++R)
    for (auto C = Candidates.begin(); C != InFinal; ++C)
      time(*C);
  print(*std::find_if(Candidates.begin(), InFinal, IsPredicted),
        *std::min_element(Candidates.begin(), InFinal, Faster));
  return true;
}

void Measurement::print(const Candidate &Predicted, const Candidate &Best) const {
  std::printf("{\"nest\": \"%s\", \"points\": %ld, \"steps\": %ld, \"threads\": %u, "
              "\"predicted\": \"%s\", \"predicted_s\": %.9f, \"best\": \"%s\", \"best_s\": %.9f, "
              "\"all\": {",
              P.Nest.c_str(), P.Points, P.Steps, P.Threads, Predicted.Name.c_str(),
              Predicted.Seconds, Best.Name.c_str(), Best.Seconds);
  for (const Candidate &C : Candidates)
    std::printf("%s\"%s\": %.9f", &C == &Candidates.front() ? "" : ", ", C.Name.c_str(), C.Seconds);
  std::printf("}}\n");
}

} // namespace

int main(int Argc, char **Argv) {
  constexpr int NumNumbers = 4;
  long Numbers[NumNumbers] = {};
  bool AreGood = Argc == 2 + NumNumbers;
  for (int I = 0; AreGood && I < NumNumbers; ++I) {
    char *End = nullptr;
    Numbers[I] = std::strtol(Argv[2 + I], &End, 10);
    AreGood = *End == 0 && Numbers[I] > 0;
  }
  if (!AreGood) {
    std::fprintf(stderr, "usage: %s NEST POINTS STEPS THREADS REPETITIONS\n", Argv[0]);
    return 2;
  }
  return Measurement({Argv[1], Numbers[0], Numbers[1], unsigned(Numbers[2])})
                 .run(unsigned(Numbers[3]))
             ? 0
             : 1;
}
