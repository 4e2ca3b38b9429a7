//===- tools/explain/glossary.cpp - the meanings of the words in reports --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/explain/glossary.h"
#include "tools/terminal.h"

#include <algorithm>
#include <fmt/format.h>

namespace specrt::tools {
namespace {

constexpr GlossaryRow Rows[] = {
    {nullptr, "States of a region"},
    {"cold", "not called yet, or not for long enough to be looked at"},
    {"profiling", "some of its calls are observed: times, values, addresses"},
    {"preparing", "an earlier run knew it: what that learned and compiled is being loaded"},
    {"compiling", "hot, and its first version is being made; it runs its original code"},
    {"trial", "candidates and the original take turns on real calls and are timed"},
    {"specialised", "at least one version is in use"},
    {"waiting", "the compile server measures candidates on a captured call; until then it runs its "
                "original code"},
    {"retired", "no version was worth it: it runs its original code"},
    {"blocked", "it cannot be specialised here, for the reason given: it runs its original code"},
    {nullptr, "Calls"},
    {"region", "a loop nest that the compiler prepared for versions"},
    {"hot", "its original code ran for SPECRT_HOT milliseconds altogether"},
    {"candidate",
     "a version that was made; the fastest is taken into use, when it beats the original"},
    {"hit", "a call that a version took"},
    {"miss", "a call for which the guards of all versions failed, so that the original ran"},
    {"gain", "time of the original by time of the version, of the calls that the version takes"},
    {nullptr, "Candidates, by what they do with the loops"},
    {"constants",
     "nothing but put the recurring values in; the compiler does what it can with them"},
    {"source-order",
     "keep the order of the loops, and vectorise what is now known to be independent"},
    {"vector", "vectorise an outer loop: neighbouring iterations of it run side by side"},
    {"isl-schedule", "a new order of loops, found by the polyhedral library isl"},
    {"contraction", "products of matrices and what is like them, by blocks that fit the caches"},
    {"time-tiled", "several time steps at once on a part of the grid that fits the caches"},
    {"pipeline", "nests that follow each other take turns on blocks of rows that a cache holds"},
    {"rows", "loops over rows of sparse matrices: one code for all rows that look alike"},
    {"rows-unrolled", "the same, where these are few and no two look alike: code for each row"},
    {"zeros", "in loops over arrays that are mostly zero, leave out what zeros make idle"},
    {"-parallel",
     "the same on several threads; with source-order, which share the loops as they are"},
    {nullptr, "Guards: a version runs when all of its guards hold"},
    {"n == 300", "an argument, or a number in memory, has the value that the version was made for"},
    {"thread.first == 0", "this thread's share of an OpenMP loop begins with iteration 0"},
    {"0 <= n <= 300", "an argument lies in this range"},
    {"A is a multiple of 64", "an array begins at such an address"},
    {"A[0, 800) and B[0, 800) do not overlap",
     "these bytes, counted from where the arrays begin, are different ones"},
    {"A == B",
     "two arguments are the same address, as they were in at least 95 % of the observed time"},
    {"elements of 4 bytes at A go up by 1 from 0 (100 elements)",
     "indices hold what they held when observed"},
    {"9 rows of A[0, 80), written, and B[0, 800) do not overlap",
     "nor do rows behind row pointers that are written"},
    {"floating point rounds to nearest",
     "as at the start of a program; otherwise bits would differ"},
    {nullptr, "Causes: what the compiler alone cannot know, or the polyhedral model not express"},
    {"alias", "arrays may overlap in memory"},
    {"non-affine access", "an index is not a sum of loop counters times constants"},
    {"element size", "an array is accessed with elements of different sizes"},
    {"non-affine bound", "the same of the number of iterations"},
    {"non-affine branch", "the same of a condition"},
    {"variant base", "the address of an array changes inside of the loops"},
    {"unknown base", "which array is accessed is decided at run time"},
    {"data-dependent control", "data decide how often or whether something is executed"},
    {"loop exits", "a loop may be left from its middle"},
    {"call", "a function is called whose effects are not known"},
    {"volatile or atomic", "memory that others may look at meanwhile"},
    {"control flow", "jumps that are no loops and branches"},
    {"indirection", "addresses, bounds or branches follow from what is read in the loops"},
    {"integer to pointer", "an address was computed as a number"},
    {"stack allocation", "memory on the stack is allocated in the loops"},
    {"other", "anything else; the message says what"},
};

} // namespace

std::span<const GlossaryRow> glossary() { return Rows; }

std::string glossaryText() {
  std::string Text;
  for (const GlossaryRow &Row : Rows)
    if (!Row.Word)
      Text += fmt::format("{}{}\n", Text.empty() ? "" : "\n", ink(Ink::Bold, Row.Meaning));
    else
      Text += wrapped(fmt::format("  {:<22}  ", Row.Word), Row.Meaning);
  return Text;
}

} // namespace specrt::tools
