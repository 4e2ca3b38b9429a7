# bench/polybench/chart.py - draws ratios as an SVG, with nothing but the standard library
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One row per kernel, one panel per number of threads, a mark per way to run the kernel, on a
logarithmic axis: marks right of 1 are faster than the baseline."""
import math
from xml.sax.saxutils import escape

ROW, PANEL, MARGIN, GAP, HEAD, FOOT = 19, 430, 130, 56, 96, 44
INK, FAINT, BAND = "#222", "#d5d5d5", "#f5f6f8"

# Name of a ratio -> (legend, shape, colour). Drawn in this order, the last on top.
SERIES = {
    "gcc": ("gcc -O3", "square", "#9a9a9a"),
    "polly": ("Polly (best of two builds)", "diamond", "#e08214"),
    "openblas": ("OpenBLAS", "triangle", "#1b9e4b"),
    "first": ("specrt, first run", "ring", "#2166ac"),
    "second": ("specrt, second run", "disc", "#2166ac"),
}


def mark(shape, x, y, colour):
    if shape == "square":
        return f'<rect x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7" fill="{colour}"/>'
    if shape == "diamond":
        return (f'<path d="M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z" fill="{colour}"/>')
    if shape == "triangle":
        return f'<path d="M{x:.1f} {y - 5:.1f}l5 9h-10z" fill="{colour}"/>'
    if shape == "ring":
        return (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="white" stroke="{colour}" '
                'stroke-width="1.8"/>')
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}"/>'


def text(x, y, content, anchor="start", size=12, colour=INK, weight="normal"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
            f'font-weight="{weight}" fill="{colour}">{escape(content)}</text>')


def number(value):
    return f"{value:g}" if value >= 1 else f"1/{round(1 / value)}"


class Axis:
    """Powers of two from below the smallest to above the largest value."""

    def __init__(self, values):
        known = [v for v in values if v > 0 and math.isfinite(v)] + [0.5, 2.0]
        self.low = math.floor(math.log2(min(known)))
        self.high = math.ceil(math.log2(max(known)))

    def position(self, left, value):
        return left + PANEL * (math.log2(value) - self.low) / (self.high - self.low)

    def ticks(self):
        step = max(1, (self.high - self.low) // 8)
        return [2.0 ** e for e in range(self.low, self.high + 1) if e % step == 0]


def draw_panel(axis, left, title, rows):
    top, bottom = HEAD, HEAD + ROW * len(rows)
    parts = [text(left + PANEL / 2, top - 12, title, "middle", 13, weight="bold")]
    for i in range(0, len(rows), 2):
        parts.append(f'<rect x="{left}" y="{top + i * ROW}" width="{PANEL}" height="{ROW}" '
                     f'fill="{BAND}"/>')
    for tick in axis.ticks():
        x = axis.position(left, tick)
        parts.append(f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{bottom}" '
                     f'stroke="{INK if tick == 1 else FAINT}"/>')
        parts.append(text(x, bottom + 16, number(tick) + "×", "middle", 11))
    for i, (_, ratios, _) in enumerate(rows):
        y = top + (i + 0.5) * ROW
        second = ratios.get("second", math.nan)
        if second > 0:
            parts.append(f'<line x1="{axis.position(left, 1):.1f}" y1="{y}" '
                         f'x2="{axis.position(left, second):.1f}" y2="{y}" stroke="#2166ac" '
                         'stroke-width="2.5" stroke-opacity="0.35"/>')
        for name, (_, shape, colour) in SERIES.items():
            if ratios.get(name, math.nan) > 0:
                parts.append(mark(shape, axis.position(left, ratios[name]), y, colour))
    return parts


def draw_legend():
    parts, x = [], MARGIN
    for legend, shape, colour in SERIES.values():
        parts += [mark(shape, x + 6, 50, colour), text(x + 17, 54, legend)]
        x += 50 + 6.6 * len(legend)
    return parts


def ratios(title, panels):
    """SVG text. \\p panels: [(title, [(row name, {series: ratio or nan}, identical)])], the same
    rows in each; a row that is not identical is marked."""
    rows = panels[0][1]
    axis = Axis([value for _, panel in panels for _, values, _ in panel
                 for name, value in values.items() if name in SERIES])
    width = max(MARGIN + len(panels) * (PANEL + GAP), 920)
    height = HEAD + ROW * len(rows) + FOOT
    parts = [text(MARGIN, 26, title, size=16, weight="bold"), *draw_legend()]
    for i, (name, _, identical) in enumerate(rows):
        parts.append(text(MARGIN - 10, HEAD + (i + 0.5) * ROW + 4,
                          name if identical else name + " ≠", "end", 12,
                          INK if identical else "#c00"))
    for i, (panel_title, panel_rows) in enumerate(panels):
        parts += draw_panel(axis, MARGIN + i * (PANEL + GAP), panel_title, panel_rows)
    parts.append(text(MARGIN, height - 8, "right of 1×: faster than the baseline", size=11,
                      colour="#666"))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="DejaVu Sans, Helvetica, sans-serif">\n'
            f'<rect width="{width}" height="{height}" fill="white"/>\n' +
            "\n".join(parts) + "\n</svg>\n")
