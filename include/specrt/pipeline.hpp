//===- specrt/pipeline.hpp - loop nests that are executed in turn ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs loop nests that follow each other:
//
//     specrt::pipeline(
//         specrt::nest(specrt::range(0, n), specrt::range(0, m),
//                      [=](long i, long j) { t[i * m + j] = in[i * m + j] + in[i * m + j + 1]; }),
//         specrt::nest(specrt::range(1, n - 1), specrt::range(0, m),
//                      [=](long i, long j) { out[i * m + j] = t[(i - 1) * m + j] + t[(i + 1) * m +
//                      j]; }));
//
// The nests compute what they compute one after the other. With specrt-clang they are one region,
// of which libspecrt makes versions that run them in turn: a block of rows of the first nest, then
// those rows of the second that need no others, and so on, while caches hold the rows between them.
//
// The loops of all nests lie on a common *referential domain*: iteration k of a loop lies at
// position offset + grain * k. How far a nest has to stay behind the ones before follows from what
// the bodies access, when a version is compiled: the least offsets are taken. A program that knows
// better ones gives them, as in nest(...).at<1, 2>(), and grains, as in nest(...).grain<2>(), each
// for the outermost and the second loop. Offsets with which an iteration would run before one that
// it depends on are refused: `specrt explain` names the dependence and the least offsets, and the
// nests run one after the other. Where the compiler cannot make one region of the nests, it says so
// with -Rpass-missed=specrt.
//
// Bodies should capture by value: values that they access through references to the caller's
// variables are loaded in each iteration. Header-only; without libspecrt, nests are ordinary loops.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PIPELINE_HPP
#define SPECRT_PIPELINE_HPP

#include "specrt/annotations.h"
#include <cstddef>
#include <tuple>
#include <utility>

// A nest that is not inlined is a call, which keeps the others from being one region with it.
#if defined(__clang__)
#define SPECRT_INLINE __attribute__((always_inline)) inline
#else
#define SPECRT_INLINE inline
#endif
// Clang 15 and later take packs of arguments in annotations, and inline single calls on demand.
#if defined(__clang__) && __clang_major__ >= 15
#define SPECRT_INLINE_CALL [[clang::always_inline]]
#else
#define SPECRT_INLINE_CALL
#endif

namespace specrt {

/// The iterations First, First + 1, ..., Last - 1; none if Last <= First.
struct LoopRange {
  long First = 0, Last = 0;
};

constexpr LoopRange range(long First, long Last) { return {First, Last}; }
constexpr LoopRange range(long Last) { return {0, Last}; }

/// Stands for the least legal offset of a loop.
inline constexpr long LeastOffset = -1;
/// The grain of a loop for which libspecrt is to choose one.
inline constexpr long ChosenGrain = 0;

/// The places of the two outermost loops of a nest on the referential domain.
template <long Offset0, long Offset1, long Grain0, long Grain1> struct LoopPositions {
  static_assert(Offset0 >= LeastOffset && Offset1 >= LeastOffset, "offsets are at least 0");
  static_assert(Grain0 >= ChosenGrain && Grain1 >= ChosenGrain, "grains are at least 1");
};

/// Loops and the body of the innermost one. The range of an inner loop may be a function of the
/// counters outside of it, as in nest(range(n), [](long i) { return range(i + 1); }, Body).
template <typename Body, typename Positions, typename... Ranges> class LoopNest;

template <typename Body, long O0, long O1, long G0, long G1, typename... Ranges>
class LoopNest<Body, LoopPositions<O0, O1, G0, G1>, LoopRange, Ranges...> {
public:
  static constexpr long Offset0 = O0, Offset1 = O1, Grain0 = G0, Grain1 = G1;

  LoopNest(Body Do, LoopRange Outermost, Ranges... Inner)
      : Do(std::move(Do)), Outermost(Outermost), Inner(std::move(Inner)...) {}

  /// Returns the same nest with these offsets, which are at least 0.
  template <long Outer, long Second = LeastOffset> auto at() const {
    return moved<LoopPositions<Outer, Second, G0, G1>>();
  }
  /// Returns the same nest with these grains, which are at least 1.
  template <long Outer, long Second = ChosenGrain> auto grain() const {
    return moved<LoopPositions<O0, O1, Outer, Second>>();
  }

  /// Returns whether each loop whose range is no function has iterations.
  SPECRT_INLINE bool hasIterations() const {
    return Outermost.First < Outermost.Last &&
           haveIterations(std::make_index_sequence<sizeof...(Ranges)>());
  }
  /// Runs all iterations in order.
  void run() const {
    for (long I = Outermost.First; I < Outermost.Last; ++I)
      runInner<0>(I);
  }
  /// Runs all iterations in order if hasIterations() holds. No branch surrounds the nest then.
  SPECRT_INLINE void runSome() const {
    long I = Outermost.First;
    do
      runInner<0>(I);
    while (++I < Outermost.Last);
  }

private:
  template <typename Positions> auto moved() const {
    return std::apply(
        [&](const Ranges &...Each) {
          return LoopNest<Body, Positions, LoopRange, Ranges...>(Do, Outermost, Each...);
        },
        Inner);
  }
  template <size_t... I>
  SPECRT_INLINE bool haveIterations(std::index_sequence<I...> /*Depths*/) const {
    return (hasIterations(std::get<I>(Inner)) && ...);
  }
  SPECRT_INLINE static bool hasIterations(const LoopRange &Of) { return Of.First < Of.Last; }
  template <typename Function> SPECRT_INLINE static bool hasIterations(const Function &) {
    return true;
  }
  template <typename... Counters>
  SPECRT_INLINE static LoopRange rangeAt(const LoopRange &Of, Counters...) {
    return Of;
  }
  template <typename Function, typename... Counters>
  SPECRT_INLINE static LoopRange rangeAt(const Function &Of, Counters... At) {
    SPECRT_INLINE_CALL return Of(At...);
  }

  template <size_t Depth, typename... Counters> SPECRT_INLINE void runInner(Counters... At) const {
    if constexpr (Depth == sizeof...(Ranges)) {
      SPECRT_INLINE_CALL Do(At...);
    } else {
      const LoopRange Of = rangeAt(std::get<Depth>(Inner), At...);
      for (long I = Of.First; I < Of.Last; ++I)
        runInner<Depth + 1>(At..., I);
    }
  }

  Body Do;
  LoopRange Outermost;
  std::tuple<Ranges...> Inner;
};

namespace detail {

template <typename Tuple, size_t... I> auto makeNest(const Tuple &All, std::index_sequence<I...>) {
  return LoopNest<std::tuple_element_t<sizeof...(I), Tuple>,
                  LoopPositions<LeastOffset, LeastOffset, 0, 0>, std::tuple_element_t<I, Tuple>...>(
      std::get<sizeof...(I)>(All), std::get<I>(All)...);
}

/// Runs nests of which some have no iterations. This code is not instrumented.
template <typename... Nests> SPECRT_NOINSTRUMENT void runEach(const Nests &...Each) {
  (Each.run(), ...);
}

/// Works on copies, so that what bodies have captured is loaded once. The conditions stand in front
/// of all nests, so that there are no branches between these. Returns false if it does nothing.
template <typename... Nests> SPECRT_INLINE bool runCopies(Nests... Each) {
  if (!(Each.hasIterations() && ...))
    return false;
  (Each.runSome(), ...);
  return true;
}

#if defined(__clang__) && __clang_major__ >= 15
/// Becomes one region. The plugin reads the positions of the nests from the annotation.
template <typename... Nests>
__attribute__((noinline, annotate("specrt_pipeline", Nests::Offset0..., Nests::Offset1...,
                                  Nests::Grain0..., Nests::Grain1...))) void
runPipeline(const Nests &...Each) {
  if (!runCopies(Each...))
    runEach(Each...);
}
#else
template <typename... Nests> void runPipeline(const Nests &...Each) {
  if (!runCopies(Each...))
    runEach(Each...);
}
#endif

} // namespace detail

#undef SPECRT_INLINE
#undef SPECRT_INLINE_CALL

/// Returns a nest of the loops over \p Ranges, from the outermost one on, with a body that is
/// called with their counters: nest(Range, ..., Body).
template <typename... RangesAndBody> auto nest(RangesAndBody... Each) {
  static_assert(sizeof...(Each) > 1, "a nest has a loop and a body");
  return detail::makeNest(std::tuple<RangesAndBody...>(std::move(Each)...),
                          std::make_index_sequence<sizeof...(Each) - 1>());
}

/// Runs the nests with the results of running them one after the other.
template <typename... Nests> void pipeline(const Nests &...Each) { detail::runPipeline(Each...); }

} // namespace specrt

#endif
