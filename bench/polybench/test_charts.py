#!/usr/bin/env python3
# bench/polybench/test_charts.py - checks the charts and the table that are made from results
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: test_charts.py"""
import json
import math
import pathlib
import re
import sys
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import publish  # noqa: E402  (knows where the others are)
import chart  # noqa: E402
import results  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"
THEMES = {"light": chart.LIGHT, "dark": chart.DARK}
EVIL = 'a<b>&"c"'

failures = 0


def check(condition, message):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", message)


def measured(**changes):
    """What polybench.py writes for two kernels, one of them with all that may be missing."""
    gemm = {"kernel": "gemm", "identical": True, "clang_seconds": 0.1234567,
            "ratios": {"1t": {"gcc": 0.987654, "polly": 1.5, "openblas": 40.04, "first": 4.0,
                              "second": 32.0, "steady": 33.0},
                       "2t": {"gcc": 0.987654, "polly": 1.5, "openblas": 70.0, "first": 4.0,
                              "second": 64.0, "steady": 66.0}}}
    poor = {"kernel": "lu", "identical": False, "clang_seconds": 2.1e-4,
            "ratios": {threads: {"gcc": None, "polly": None, "openblas": None, "first": 0.5,
                                 "second": 2.0, "steady": 2.0} for threads in ("1t", "2t")}}
    return {"size": "LARGE", "form": "flat", "rounds": 3, "seconds": 1.0, "threads": [1, 2],
            "openblas_core": "", "limits": {}, "kernels": [poor | changes, gemm]}


def charts(**changes):
    stored = results.Results(results.summarise(measured(**changes), "a machine"))
    return stored.charts(["gemm", changes.get("kernel", "lu")])


def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def check_colours():
    """Contrasts as WCAG 2.1 wants them: 4.5 for text, 3 for what else has a meaning."""
    for name, theme in THEMES.items():
        for paper in (theme.paper, theme.band):
            texts = (theme.ink, theme.pale, theme.wrong, theme.colours["second"])
            for colour, least in [(c, 4.5) for c in texts] + [(c, 3) for c in theme.colours.values()]:
                if colour != theme.wrong or paper == theme.paper:
                    check(contrast(colour, paper) >= least, f"{name}: {colour} on {paper} has a "
                          f"contrast of {contrast(colour, paper):.2f} only")


def positions(svg, element, attribute):
    return [float(found.get(attribute)) for found in svg.iter(SVG + element)]


def check_picture():
    svg = xml.etree.ElementTree.fromstring(charts()["light"])
    width, height = float(svg.get("width")), float(svg.get("height"))
    check(svg.get("viewBox") == f"0 0 {width:g} {height:g}" and width <= 900,
          f"{width} is too wide for a page of GitHub")
    check(svg.get("role") == "img" and svg.get("aria-labelledby") == "title desc",
          "nothing tells what the picture is")
    check("PolyBench at LARGE" in svg.find(SVG + "title").text, "a wrong title")
    words = svg.find(SVG + "desc").text
    check("a machine" in words and "8.00 for the second" in words and "2.00 (lu) to 32 (gemm)" in words,
          f"a wrong description: {words}")
    for x, limit in ((x, width) for x in positions(svg, "text", "x")):
        check(0 <= x <= limit, f"text outside of the picture: {x}")
    for y in positions(svg, "text", "y"):
        check(0 <= y <= height, f"text outside of the picture: {y}")
    shown = [text.text for text in svg.iter(SVG + "text")]
    check(shown.index("gemm") < shown.index("lu ≠"), f"not sorted, or not marked: {shown}")
    rows = [title.text for title in svg.iter(SVG + "title")]
    check("lu: specrt, first run 0.50×, specrt, second run 2.00×" in rows,
          f"what was not measured is shown, or what was is not: {rows}")


def check_marks():
    """Equal ratios are equally far apart, and marks stand where the axis says."""
    axis = chart.Axis([0.3, 60, math.nan, None])
    check((axis.low, axis.high) == (-2, 6), f"an axis from {axis.low} to {axis.high}")
    at = [axis.position(10, value) for value in (0.25, 1, 2, 4, 64)]
    check(at[0] == 10 and at[4] == 10 + chart.PANEL and math.isclose(at[2] - at[1], at[3] - at[2]),
          f"a wrong scale: {at}")
    check(1.0 in axis.ticks(), "the baseline has no line")
    svg = xml.etree.ElementTree.fromstring(charts()["light"])
    second = [float(c.get("cx")) for c in svg.iter(SVG + "circle") if c.get("r") == "4.6"]
    # From 1/2 to 128, after the legend's; gemm, lu and their mean.
    expected = [chart.MARGIN + chart.PANEL * (exponent + 1) / 8 for exponent in (5, 1, 3)]
    check(all(math.isclose(a, b, abs_tol=0.1) for a, b in zip(second[1:4], expected)),
          f"second runs at {second[1:4]}, not {expected}")


def check_themes():
    both = charts()
    check(both == charts(), "the same results give different pictures")
    plain = {}
    for name, theme in THEMES.items():
        colours = {*theme.colours.values()} | {v for v in vars(theme).values() if isinstance(v, str)}
        check({*re.findall(r"#[0-9a-f]{6}", both[name])} <= colours, f"{name}: a foreign colour")
        plain[name] = re.sub(r"#[0-9a-f]{6}", "#", both[name])
    check(plain["light"] == plain["dark"] and both["light"] != both["dark"],
          "themes differ in more than colours")
    xml.etree.ElementTree.fromstring(charts(kernel=EVIL)["dark"])


def check_table():
    stored = results.summarise(measured(), "a machine")
    check(json.loads(results.as_json(stored)) == stored, "what is stored is not what was measured")
    check("steady" not in results.as_json(stored), "more is stored than is published")
    rows = results.Results(stored).table().splitlines()
    check(rows[2] == "| lu ≠ | 210 µs |  |  | 0.50 | **2.00** |  |  | 0.50 | **2.00** |  |" and
          rows[3] == "| gemm | 123 ms | 0.99 | 1.50 | 4.00 | **32** | 40 | 1.50 | 4.00 | **64** | 70 |",
          f"a wrong table: {rows}")
    unknown = results.Results(results.summarise(measured(clang_seconds=None, ratios={
        "1t": {"second": None}, "2t": {}})))
    check("| lu ≠ |" + "  |" * 10 in unknown.table(), f"a wrong table: {unknown.table()}")
    check("lu ≠" in unknown.charts(["lu", "gemm"])["light"], "a kernel without figures has no row")


def check_blocks():
    text = f"before\n{publish.BEGIN}old\n{publish.END}after\n"
    check(publish.replace_block(text, "new\n", "x") ==
          f"before\n{publish.BEGIN}new\n{publish.END}after\n", "a block is not replaced")
    check("\n\n" not in publish.picture("words " * 50), "an empty line ends the picture")
    for wrong in ("nothing", publish.BEGIN, text + text):
        try:
            publish.replace_block(wrong, "new\n", "x")
            check(False, f"no error for {wrong!r}")
        except SystemExit as error:
            check("markers" in str(error), f"an unclear error: {error}")


def main():
    for part in (check_colours, check_picture, check_marks, check_themes, check_table, check_blocks):
        part()
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
