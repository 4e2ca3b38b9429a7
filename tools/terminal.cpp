//===- tools/terminal.cpp - formats text for a terminal -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/terminal.h"
#include "runtime/base/text.h"
#include "runtime/decide/verdict.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace specrt::tools {
namespace {

bool Colour = false;

const char *codeOf(Ink I) {
  switch (I) {
  case Ink::Plain:
    return "";
  case Ink::Bold:
    return "1";
  case Ink::Soft:
    return "2";
  case Ink::Good:
    return "32";
  case Ink::Warn:
    return "33";
  case Ink::Bad:
    return "31";
  }
  return "";
}

/// Returns the bytes of the UTF-8 sequence at the start of Text, or 0 when it is invalid.
size_t sequenceLength(std::string_view Text) {
  auto Byte = [&](size_t I) { return static_cast<unsigned char>(Text[I]); };
  unsigned char Lead = Byte(0);
  size_t Length = Lead < 0x80                   ? 1
                  : Lead >= 0xc2 && Lead < 0xe0 ? 2
                  : Lead >= 0xe0 && Lead < 0xf0 ? 3
                  : Lead >= 0xf0 && Lead < 0xf5 ? 4
                                                : 0;
  if (Length == 0 || Length > Text.size())
    return 0;
  for (size_t I = 1; I < Length; ++I)
    if ((Byte(I) & 0xc0) != 0x80)
      return 0;
  return Length;
}

/// Returns whether a sequence is a control character, including U+0080 to U+009F.
bool isControl(std::string_view Sequence) {
  auto First = static_cast<unsigned char>(Sequence[0]);
  return Sequence.size() == 1 ? First < 0x20 || First == 0x7f
                              : First == 0xc2 && static_cast<unsigned char>(Sequence[1]) < 0xa0;
}

} // namespace

bool wantsColour(int Out) {
  const char *Never = std::getenv("NO_COLOR"), *Terminal = std::getenv("TERM");
  return isatty(Out) && !(Never && *Never) && Terminal && std::strcmp(Terminal, "dumb") != 0;
}

void setColour(bool On) { Colour = On; }

std::string ink(Ink I, const std::string &Text) {
  if (!Colour || I == Ink::Plain || Text.empty())
    return Text;
  return fmt::format("\033[{}m{}\033[0m", codeOf(I), Text);
}

std::string printable(std::string_view Text) {
  std::string Out;
  while (!Text.empty()) {
    size_t Length = sequenceLength(Text);
    if (Length == 0 || isControl(Text.substr(0, Length)))
      Out += '?';
    else
      Out += Text.substr(0, Length);
    Text.remove_prefix(std::max<size_t>(Length, 1));
  }
  return Out;
}

std::string filled(const std::string &First, const std::vector<std::string> &Pieces, size_t Width) {
  std::string Out, Line = First;
  size_t Indent = columns(First);
  bool Empty = true;
  for (const std::string &Piece : Pieces) {
    if (!Empty && columns(Line) + 1 + columns(Piece) > Width) {
      Out += Line + "\n";
      Line = std::string(Indent, ' ');
      Empty = true;
    }
    Line += (Empty ? "" : " ") + Piece;
    Empty = false;
  }
  return Out + Line + "\n";
}

std::string wrapped(const std::string &First, const std::string &Text, size_t Width) {
  std::vector<std::string> Words;
  for (size_t Begin = 0; Begin < Text.size();) {
    size_t End = std::min(Text.find(' ', Begin), Text.size());
    if (End > Begin)
      Words.push_back(Text.substr(Begin, End - Begin));
    Begin = End + 1;
  }
  return filled(First, Words, Width);
}

/// The least width of a name; a shorter one would say nothing.
static constexpr size_t LeastNameWidth = 16;

std::string Table::text() const {
  std::vector<size_t> Widths;
  for (size_t C = 0; C < Columns.size(); ++C) {
    size_t Width = columns(Columns[C].Name);
    for (const auto &Row : Rows)
      Width = std::max(Width, columns(Row[C].Text));
    Widths.push_back(std::min(Width, std::max(Columns[C].MaxWidth, columns(Columns[C].Name))));
  }
  size_t Whole = 2 * (Columns.size() - 1);
  for (const size_t Width : Widths)
    Whole += Width;
  for (size_t C = 0; C < Columns.size(); ++C)
    if (Whole > MostWidth && Columns[C].IsName) {
      const size_t Least = std::min(Widths[C], LeastNameWidth);
      const size_t Shorter = std::max(Least, Widths[C] - std::min(Widths[C], Whole - MostWidth));
      Whole -= Widths[C] - Shorter;
      Widths[C] = Shorter;
    }
  std::string Out;
  auto AddRow = [&](auto CellAt) {
    std::string Line;
    size_t Pending = 0; // blanks that are written when more text follows
    for (size_t C = 0; C < Columns.size(); ++C) {
      Cell Content = CellAt(C);
      Content.Text = Columns[C].IsName ? shortenedName(Content.Text, Widths[C])
                                       : shortened(Content.Text, Widths[C]);
      size_t Gap = Widths[C] - columns(Content.Text);
      Pending += Columns[C].Right ? Gap : 0;
      if (!Content.Text.empty())
        Line += std::string(std::exchange(Pending, 0), ' ') + ink(Content.Colour, Content.Text);
      Pending += 2 + (Columns[C].Right ? 0 : Gap);
    }
    Out += Line + "\n";
  };
  AddRow([&](size_t C) { return Cell{Columns[C].Name, Ink::Soft}; });
  for (const auto &Row : Rows)
    AddRow([&](size_t C) { return Row[C]; });
  return Out;
}

std::string grouped(uint64_t Number) {
  std::string Digits = std::to_string(Number);
  for (size_t At = Digits.size(); At > 3; At -= 3)
    Digits.insert(At - 3, ",");
  return Digits;
}

std::string bytesText(uint64_t Bytes) {
  constexpr const char *Units[] = {"B", "kB", "MB", "GB", "TB"};
  double Value = static_cast<double>(Bytes);
  size_t Unit = 0;
  while (Value >= 1000 && Unit + 1 < std::size(Units)) {
    Value /= 1000;
    ++Unit;
  }
  return Unit == 0 ? fmt::format("{} B", Bytes) : fmt::format("{:.1f} {}", Value, Units[Unit]);
}

std::string gainText(double OriginalNs, double Ns) {
  return OriginalNs > 0 && Ns > 0 ? fmt::format("{:.2f}x", OriginalNs / Ns) : "-";
}

std::string timeText(double Ns) { return Ns > 0 ? formatNs(Ns) : "-"; }

std::string dateText(uint64_t Seconds) {
  time_t Time = static_cast<time_t>(Seconds);
  std::tm Local{};
  char Text[32];
  if (Seconds == 0 || !localtime_r(&Time, &Local) ||
      std::strftime(Text, sizeof(Text), "%Y-%m-%d %H:%M", &Local) == 0)
    return "-";
  return Text;
}

} // namespace specrt::tools
