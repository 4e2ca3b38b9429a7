//===- bench/feedback/bfs.cpp - one level of a search in a graph ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/feedback/kernel.h"

__attribute__((noinline)) void level(long NumNodes, const int *First, const int *Edges,
                                     const int *IsActive, int *Cost, int *IsNext) {
  for (long Node = 0; Node < NumNodes; ++Node)
    if (IsActive[Node])
      for (long Edge = First[Node]; Edge < First[Node + 1]; ++Edge) {
        const int Other = Edges[Edge];
        if (Cost[Other] < 0 || Cost[Other] > Cost[Node] + 1) {
          Cost[Other] = Cost[Node] + 1;
          IsNext[Other] = 1;
        }
      }
}

int main() {
  constexpr long NumNodes = 2000;
  std::vector<int> First(NumNodes + 1), Edges, IsActive(NumNodes), Cost(NumNodes, -1),
      IsNext(NumNodes);
  for (long Node = 0; Node < NumNodes; ++Node) {
    First[Node] = int(Edges.size());
    for (uint32_t Left = 1 + dice(10); Left > 0; --Left)
      Edges.push_back(int(dice(NumNodes)));
    IsActive[Node] = dice(3) == 0;
  }
  First[NumNodes] = int(Edges.size());
  return repeat(
      [&] {
        std::fill(Cost.begin(), Cost.end(), -1);
        level(NumNodes, First.data(), Edges.data(), IsActive.data(), Cost.data(), IsNext.data());
      },
      Cost);
}
