//===- tools/terminal.h - formats text for a terminal ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names come from programs and files: all text for a terminal goes through printable() first, so
// that no name can move the cursor or change colours.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TOOLS_TERMINAL_H
#define SPECRT_TOOLS_TERMINAL_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace specrt::tools {

/// The widest line that commands print.
inline constexpr size_t LineWidth = 100;

enum class Ink : uint8_t { Plain, Bold, Soft, Good, Warn, Bad };

/// Returns whether Out (a file descriptor) gets colours: it is a terminal and NO_COLOR is not set.
bool wantsColour(int Out);

/// Enables or disables colours for this process; they are disabled at the start.
void setColour(bool On);

/// Returns Text between the escape codes of Ink, or Text if colours are disabled.
std::string ink(Ink I, const std::string &Text);

/// Returns Text with control characters and invalid UTF-8 replaced by '?'.
std::string printable(std::string_view Text);

/// Breaks Text at spaces into lines. The first one begins with First, the others with as many
/// blanks; a word longer than a line is not broken. Ends with a newline. Text must be printable.
std::string wrapped(const std::string &First, const std::string &Text, size_t Width = LineWidth);

/// Does what wrapped does for Pieces that are not broken themselves, with a blank between them.
std::string filled(const std::string &First, const std::vector<std::string> &Pieces,
                   size_t Width = LineWidth);

/// A table with a header, aligned columns and two blanks between them.
class Table {
public:
  struct Column {
    std::string Name;
    bool Right = false;   ///< numbers
    size_t MaxWidth = 60; ///< longer cells are shortened
    bool IsName = false;  ///< of a function: shortened by shortenedName
  };
  struct Cell {
    std::string Text; ///< printable
    Ink Colour = Ink::Plain;
  };

  /// Shortens names where a line would be longer than \p MostWidth.
  explicit Table(std::vector<Column> Columns, size_t MostWidth = SIZE_MAX)
      : Columns(std::move(Columns)), MostWidth(MostWidth) {}
  /// Adds a row, with one cell per column.
  void add(std::vector<Cell> Row) { Rows.push_back(std::move(Row)); }
  bool empty() const { return Rows.empty(); }
  std::string text() const;

private:
  std::vector<Column> Columns;
  size_t MostWidth;
  std::vector<std::vector<Cell>> Rows;
};

/// Returns for example "1,234,567".
std::string grouped(uint64_t Number);
/// Returns for example "12.3 MB".
std::string bytesText(uint64_t Bytes);
/// Returns for example "3.42x", or "-" when one of the two is unknown (0).
std::string gainText(double OriginalNs, double Ns);
/// Returns formatNs(Ns), or "-" when it is unknown (0).
std::string timeText(double Ns);
/// Returns for example "2026-11-21 14:03" in local time; "-" for 0.
std::string dateText(uint64_t Seconds);

} // namespace specrt::tools

#endif
