//===- specializer/sparse/equations/language/components.cpp - strongly connected components -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/equations/language/components.h"

#include <algorithm>

namespace specrt {
namespace {

class Components {
public:
  explicit Components(const std::vector<std::vector<unsigned>> &Uses)
      : Uses(Uses), Index(Uses.size(), 0), Lowest(Uses.size(), 0), IsOpen(Uses.size(), false) {}

  std::vector<std::vector<unsigned>> run() {
    for (unsigned Node = 0; Node < Uses.size(); ++Node)
      if (Index[Node] == 0)
        visit(Node);
    return std::move(Found);
  }

private:
  // Recursion is at most as deep as the longest chain of statements.
  void visit(unsigned Node) {
    Index[Node] = Lowest[Node] = ++Counter;
    Open.push_back(Node);
    IsOpen[Node] = true;
    for (unsigned Used : Uses[Node])
      if (Index[Used] == 0) {
        visit(Used);
        Lowest[Node] = std::min(Lowest[Node], Lowest[Used]);
      } else if (IsOpen[Used]) {
        Lowest[Node] = std::min(Lowest[Node], Index[Used]);
      }
    if (Lowest[Node] != Index[Node])
      return;
    const auto Begin = std::find(Open.begin(), Open.end(), Node);
    Found.emplace_back(Begin, Open.end());
    Open.erase(Begin, Open.end());
    for (unsigned Member : Found.back())
      IsOpen[Member] = false;
    std::sort(Found.back().begin(), Found.back().end());
  }

  const std::vector<std::vector<unsigned>> &Uses;
  std::vector<unsigned> Index, Lowest, Open;
  std::vector<bool> IsOpen;
  unsigned Counter = 0;
  std::vector<std::vector<unsigned>> Found;
};

} // namespace

std::vector<std::vector<unsigned>>
componentsInOrder(const std::vector<std::vector<unsigned>> &Uses) {
  return Components(Uses).run();
}

} // namespace specrt
