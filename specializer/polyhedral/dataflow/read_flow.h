//===- specializer/polyhedral/dataflow/read_flow.h - the dataflow of one read ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_DATAFLOW_READ_FLOW_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_DATAFLOW_READ_FLOW_H

#include "specializer/polyhedral/dataflow/on_demand.h"

namespace specrt {

/// Returns the dataflow of \p Read, a read of statement \p Sink whose filter is \p SinkFilter. \p
/// Filters are those of all statements. Returns nothing if isl gives up.
std::optional<DataflowOfRead> flowOfRead(const ConditionalProgram &Program,
                                         const std::vector<ComparableFilter> &Filters,
                                         unsigned Sink, const ComparableFilter &SinkFilter,
                                         const isl::map &Read);

} // namespace specrt

#endif
