//===- specializer/sparse/equations/language/components.h - strongly connected components -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_EQUATIONS_LANGUAGE_COMPONENTS_H
#define SPECRT_SPECIALIZER_SPARSE_EQUATIONS_LANGUAGE_COMPONENTS_H

#include <vector>

namespace specrt {

/// Returns the strongly connected components of the graph in which node I uses the nodes Uses[I]
/// (Tarjan), each after those that it uses; the nodes of a component ascend.
std::vector<std::vector<unsigned>>
componentsInOrder(const std::vector<std::vector<unsigned>> &Uses);

} // namespace specrt

#endif
