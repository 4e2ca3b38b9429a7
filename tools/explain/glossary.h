//===- tools/explain/glossary.h - what the words of reports mean ----------===//
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

/// States, counts, candidates, guards and causes; docs/tools.md has the same.
std::span<const GlossaryRow> glossary();

/// All of it for a terminal.
std::string glossaryText();

} // namespace specrt::tools

#endif
