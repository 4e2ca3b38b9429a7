//===- structure/summary/spy_plot.cpp - draws a pattern as SVG ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/summary/spy_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace specrt {
namespace {

constexpr int64_t MaxCells = 400;
constexpr int64_t StripGap = 6, StripWidth = 8;
constexpr unsigned Shades = 5;
constexpr unsigned ClassColours = 6; // colours repeat after these

constexpr const char *Style =
    "<style>"
    "svg{background:#fff;color-scheme:light dark}"
    ".e{fill:#12497f}.f{fill:none;stroke:#8a9099;stroke-width:.5}.r{fill:#c9ced4}"
    ".c0{fill:#2f9e62}.c1{fill:#d9822b}.c2{fill:#4a7fd4}.c3{fill:#a855a8}.c4{fill:#c9a400}"
    ".c5{fill:#b3403a}"
    "@media (prefers-color-scheme:dark){svg{background:#14171a}.e{fill:#8cc4ff}"
    ".f{stroke:#6b7480}.r{fill:#3a4149}}"
    "</style>";

std::string escaped(const std::string &Text) {
  std::string Result;
  for (char C : Text)
    switch (C) {
    case '&':
      Result += "&amp;";
      break;
    case '<':
      Result += "&lt;";
      break;
    case '>':
      Result += "&gt;";
      break;
    default:
      // XML does not allow control characters.
      Result += static_cast<unsigned char>(C) < 0x20 ? '?' : C;
    }
  return Result;
}

/// Collects the many rectangles of one colour in a path.
class Path {
public:
  void add(int64_t X, int64_t Y, int64_t Width) {
    char Text[80];
    const int Length = std::snprintf(Text, sizeof(Text), "M%lld %lldh%lldv1h-%lldz",
                                     static_cast<long long>(X), static_cast<long long>(Y),
                                     static_cast<long long>(Width), static_cast<long long>(Width));
    Data.append(Text, static_cast<size_t>(Length));
  }
  std::string element(const std::string &Class, const std::string &More = "") const {
    return Data.empty() ? "" : "<path class=\"" + Class + "\"" + More + " d=\"" + Data + "\"/>\n";
  }

private:
  std::string Data;
};

/// Rows and columns per cell, and the number of cells.
struct Zoom {
  int64_t PerCell, Height, Width;

  explicit Zoom(const CsrPattern &P)
      : PerCell(std::max<int64_t>(1, (std::max(P.rows(), P.Columns) + MaxCells - 1) / MaxCells)),
        Height((P.rows() + PerCell - 1) / PerCell), Width((P.Columns + PerCell - 1) / PerCell) {}
};

/// Returns the shade of a cell, 0 if it is empty. Shades grow with the square root, so that few
/// entries in a large cell are visible.
unsigned shadeOf(uint32_t Entries, double Places) {
  if (Entries == 0)
    return 0;
  const double Share = std::sqrt(static_cast<double>(Entries) / Places);
  return 1 + std::min(Shades - 1, static_cast<unsigned>(Share * Shades));
}

std::string entryPaths(const CsrPattern &P, const Zoom &Z) {
  std::array<Path, Shades + 1> Paths;
  std::vector<uint32_t> Cells(static_cast<size_t>(Z.Width));
  for (int64_t Y = 0; Y < Z.Height; ++Y) {
    std::fill(Cells.begin(), Cells.end(), 0);
    const int64_t End = std::min(P.rows(), (Y + 1) * Z.PerCell);
    for (int64_t Row = Y * Z.PerCell; Row < End; ++Row)
      for (uint32_t Column : P.row(Row))
        ++Cells[static_cast<size_t>(Column / Z.PerCell)];
    const auto ShadeAt = [&](int64_t X) {
      return shadeOf(Cells[static_cast<size_t>(X)], static_cast<double>(Z.PerCell * Z.PerCell));
    };
    for (int64_t X = 0; X < Z.Width;) {
      const unsigned Shade = ShadeAt(X);
      const int64_t From = X;
      while (X < Z.Width && ShadeAt(X) == Shade)
        ++X;
      if (Shade)
        Paths[Shade].add(From, Y, X - From);
    }
  }
  std::string Result;
  for (unsigned Shade = 1; Shade <= Shades; ++Shade) {
    char Opacity[40];
    std::snprintf(Opacity, sizeof(Opacity), " opacity=\"%.2f\"", 0.3 + 0.7 * Shade / Shades);
    Result += Paths[Shade].element("e", Opacity);
  }
  return Result;
}

/// Returns a strip with the most frequent class in each line of cells.
std::string classPaths(const RowStructure &S, const Zoom &Z) {
  constexpr unsigned Rest = ClassColours;
  using Votes = std::array<int64_t, ClassColours + 1>;
  std::vector<Votes> Lines(static_cast<size_t>(Z.Height));
  for (const RowSegment &Segment : S.Segments)
    for (int64_t K = 0; K < Segment.Count; ++K)
      ++Lines[static_cast<size_t>(S.rowOf(Segment, K) / Z.PerCell)]
             [Segment.Class == RestClass ? Rest : Segment.Class % ClassColours];
  std::array<Path, ClassColours + 1> Paths;
  for (size_t Y = 0; Y < Lines.size(); ++Y) {
    const auto Most = std::max_element(Lines[Y].begin(), Lines[Y].end());
    if (*Most)
      Paths[static_cast<size_t>(Most - Lines[Y].begin())].add(Z.Width + StripGap,
                                                              static_cast<int64_t>(Y), StripWidth);
  }
  std::string Result = Paths[Rest].element("r");
  for (unsigned C = 0; C < ClassColours; ++C)
    Result += Paths[C].element("c" + std::to_string(C));
  return Result;
}

} // namespace

std::string spyPlot(const CsrPattern &P, const RowStructure &Structure, const std::string &Title) {
  const Zoom Z(P);
  const int64_t Width = Z.Width + StripGap + StripWidth;
  // Small matrices are drawn larger.
  const int64_t Scale = MaxCells / std::max({Z.Width, Z.Height, int64_t{1}});
  const auto Text = [](int64_t Number) { return std::to_string(Number); };
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + Text(Width * Scale) +
         "\" height=\"" + Text(Z.Height * Scale) + "\" viewBox=\"0 0 " + Text(Width) + " " +
         Text(Z.Height) + "\" shape-rendering=\"crispEdges\" role=\"img\">\n<title>" +
         escaped(Title) + "</title>\n" + Style + "\n" + entryPaths(P, Z) +
         "<rect class=\"f\" width=\"" + Text(Z.Width) + "\" height=\"" + Text(Z.Height) + "\"/>\n" +
         classPaths(Structure, Z) + "</svg>\n";
}

} // namespace specrt
