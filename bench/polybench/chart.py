# bench/polybench/chart.py - draws ratios as an SVG, with nothing but the standard library
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One row per kernel, one panel per number of threads, a mark per way to run the kernel, on a
logarithmic axis: marks right of 1 are faster than the baseline. The second run's ratio stands beside
its row. The same text for the same figures, in a light and in a dark theme; 860 wide with two
panels, which is about what a page of GitHub leaves for it. A row's title says all its figures."""
import dataclasses
import math
from xml.sax.saxutils import escape

ROW, PANEL, MARGIN, GAP, HEAD, FOOT = 17, 322, 112, 52, 92, 42


@dataclasses.dataclass(frozen=True)
class Theme:
    paper: str
    ink: str
    pale: str   # less important text
    line: str
    band: str   # every other row
    wrong: str  # a row whose results differ
    colours: dict  # of the series


LIGHT = Theme("#ffffff", "#1f2328", "#59636e", "#d1d9e0", "#f3f5f7", "#cf222e",
              {"gcc": "#818b98", "polly": "#bc4c00", "openblas": "#1a7f37", "first": "#0969da",
               "second": "#0969da"})
DARK = Theme("#0d1117", "#e6edf3", "#9198a1", "#3d444d", "#161b22", "#f85149",
             {"gcc": "#8b949e", "polly": "#f0883e", "openblas": "#3fb950", "first": "#58a6ff",
              "second": "#58a6ff"})

# Name of a ratio -> (legend, shape). Drawn in this order, the last on top.
SERIES = {
    "gcc": ("gcc -O3", "square"),
    "polly": ("Polly", "diamond"),
    "openblas": ("OpenBLAS", "triangle"),
    "first": ("specrt, first run", "ring"),
    "second": ("specrt, second run", "disc"),
}


def known(value):
    return value is not None and math.isfinite(value) and value > 0


def number(value):
    """A ratio in about three digits, as in the tables."""
    return f"{value:.{0 if value >= 20 else 1 if value >= 10 else 2}f}"


def tick_label(value):
    return f"{value:g}×" if value >= 1 else f"1/{round(1 / value)}×"


class Axis:
    """Powers of two from below the smallest to above the largest value."""

    def __init__(self, values):
        exponents = [math.log2(v) for v in values if known(v)] + [-1, 1]
        self.low, self.high = math.floor(min(exponents)), math.ceil(max(exponents))

    def position(self, left, value):
        return left + PANEL * (math.log2(value) - self.low) / (self.high - self.low)

    def ticks(self):
        step = max(1, (self.high - self.low) // 6)
        return [2.0 ** e for e in range(self.low, self.high + 1) if e % step == 0]


class Drawing:
    """The pieces that everything consists of, in the colours of a theme."""

    def __init__(self, theme):
        self.theme = theme
        self.parts = []

    def text(self, x, y, content, anchor="start", size=12, colour=None, weight="normal"):
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
            f'font-weight="{weight}" fill="{colour or self.theme.ink}">{escape(content)}</text>')

    def mark(self, series, x, y):
        colour, shape = self.theme.colours[series], SERIES[series][1]
        self.parts.append({
            "square": f'<rect x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6" fill="{colour}"/>',
            "diamond": f'<path d="M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z" fill="{colour}"/>',
            "triangle": f'<path d="M{x:.1f} {y - 5:.1f}l5 9h-10z" fill="{colour}"/>',
            "ring": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.6" fill="{self.theme.paper}" '
                    f'stroke="{colour}" stroke-width="1.8"/>',
            "disc": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.6" fill="{colour}"/>'}[shape])

    def legend(self):
        x = MARGIN
        for series, (words, _) in SERIES.items():
            self.mark(series, x + 6, 50)
            self.text(x + 17, 54, words)
            x += 44 + 6.4 * len(words)

    def names(self, rows):
        for i, (name, _, identical) in enumerate(rows):
            self.text(MARGIN - 10, HEAD + (i + 0.5) * ROW + 4, name if identical else name + " ≠",
                      "end", 12, None if identical else self.theme.wrong)

    def grid(self, axis, left, rows):
        bottom = HEAD + ROW * rows
        for i in range(0, rows, 2):
            self.parts.append(f'<rect x="{left}" y="{HEAD + i * ROW}" width="{PANEL}" '
                              f'height="{ROW}" fill="{self.theme.band}"/>')
        for tick in axis.ticks():
            x = axis.position(left, tick)
            self.parts.append(f'<line x1="{x:.1f}" y1="{HEAD}" x2="{x:.1f}" y2="{bottom}" '
                              f'stroke="{self.theme.pale if tick == 1 else self.theme.line}"/>')
            self.text(x, bottom + 16, tick_label(tick), "middle", 11, self.theme.pale)

    def row(self, axis, left, y, name, values):
        values = {series: values[series] for series in SERIES if known(values.get(series))}
        said = ", ".join(f"{SERIES[series][0]} {number(value)}×" for series, value in values.items())
        self.parts.append(f"<g><title>{escape(f'{name}: {said}')}</title>")
        if "second" in values:
            colour = self.theme.colours["second"]
            self.parts.append(f'<line x1="{axis.position(left, 1):.1f}" y1="{y:.1f}" '
                              f'x2="{axis.position(left, values["second"]):.1f}" y2="{y:.1f}" '
                              f'stroke="{colour}" stroke-width="2.5" stroke-opacity="0.4"/>')
            self.text(left + PANEL + GAP - 10, y + 4, number(values["second"]) + "×", "end", 11,
                      colour, "bold")
        for series, value in values.items():
            self.mark(series, axis.position(left, value), y)
        self.parts.append("</g>")

    def panel(self, axis, left, title, rows):
        self.text(left + PANEL / 2, HEAD - 10, title, "middle", 13, weight="bold")
        self.grid(axis, left, len(rows))
        for i, (name, values, _) in enumerate(rows):
            self.row(axis, left, HEAD + (i + 0.5) * ROW, name, values)


def ratios(title, note, description, panels, theme=LIGHT):
    """SVG text. \\p panels: [(title, [(row name, {series: ratio, nan or None}, identical)])], the
    same rows in each; a row that is not identical is marked. \\p note stands below, \\p description
    is for who cannot see the picture."""
    rows = panels[0][1]
    axis = Axis([value for _, panel in panels for _, values, _ in panel
                 for series, value in values.items() if series in SERIES])
    width, height = MARGIN + max(len(panels), 2) * (PANEL + GAP), HEAD + ROW * len(rows) + FOOT
    drawing = Drawing(theme)
    drawing.text(MARGIN, 26, title, size=16, weight="bold")
    drawing.legend()
    drawing.names(rows)
    for i, (panel_title, panel_rows) in enumerate(panels):
        drawing.panel(axis, MARGIN + i * (PANEL + GAP), panel_title, panel_rows)
    drawing.text(MARGIN, height - 8, note, size=11, colour=theme.pale)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" aria-labelledby="title desc" '
            'font-family="DejaVu Sans, Helvetica, Arial, sans-serif">\n'
            f'<title id="title">{escape(title)}</title>\n'
            f'<desc id="desc">{escape(description)}</desc>\n'
            f'<rect width="{width}" height="{height}" fill="{theme.paper}"/>\n' +
            "\n".join(drawing.parts) + "\n</svg>\n")
