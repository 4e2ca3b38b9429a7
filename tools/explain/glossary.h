//===- tools/explain/glossary.h - the meanings of the words in reports ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_EXPLAIN_GLOSSARY_H
#define SPECRT_TOOLS_EXPLAIN_GLOSSARY_H

#include <span>
#include <string>

namespace specrt::tools {

struct GlossaryRow {
  const char *Word; ///< null: Meaning is the title of the rows that follow
  const char *Meaning;
};

/// Returns states, counts, candidates, guards and causes, as in docs/tools.md.
std::span<const GlossaryRow> glossary();

/// Returns the whole glossary as text for a terminal.
std::string glossaryText();

} // namespace specrt::tools

#endif
