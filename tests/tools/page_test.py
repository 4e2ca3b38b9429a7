#!/usr/bin/env python3
# tests/tools/page_test.py - the page is well-formed, needs nothing else, and shows the report
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a report with names that try to break out, has the tool write its page, and checks the
page's elements, that it refers to nothing outside, and that the data are unchanged. Where Chromium is
installed it also runs the page and looks at the result.

usage: page_test.py SPECRT
"""
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

VOID = {"meta", "input", "br", "link", "img", "hr"}
EVIL = "</script><script>document.title='broken out'</script>"
REPORT = {
    "format": 1, "version": "0", "program": "/bin/prog" + EVIL, "pid": 1, "written": 1700000000,
    "elapsed_ms": 120.0, "settings": {"SPECRT_HOT": EVIL}, "threads": 2, "counters": {"compiles": 2},
    "regions": [{
        "name": "kernel" + EVIL, "function": "k", "file": "a&b.c", "line": 3, "state": "specialised",
        "reason": "", "advice": "", "hot": True, "calls": 1000, "hits": 900, "misses": 5,
        "original_ns": 2000.0, "best_ns": 500.0, "sampled_calls": 10, "notes": "note <b>",
        "versions": [{"candidate": "contraction", "values": "n == 5", "guards": ["n == 5 <" + EVIL],
                      "hits": 900, "misses": 5, "original_ns": 2000.0, "ns": 500.0,
                      "compile_ms": 12.0, "parallel": False}],
        "title": "Kernel::run:3, inlined into main" + EVIL,
        "retired": [{"candidate": "source-order", "values": "n == 5", "ns": 900.0, "compile_ms": 9.0,
                     "reason": "slower than the winner", "advice": ""}],
        "causes": [{"kind": "alias", "message": "they may overlap", "file": "a&b.c", "line": 4,
                    "speculative": True, "advice": "restrict" + EVIL}],
        "arguments": [{"name": "n", "min": "5", "max": "6",
                       "values": [{"value": "5", "count": 9}, {"value": "6", "count": 1}]}],
        "on_stack_replacements": [
            {"candidate": "source-order", "taken": False},
            {"candidate": "contraction" + EVIL, "taken": True, "iteration": 230, "iterations": 1000,
             "before_ns": 2e8, "ns": 2e7, "original_at_least_ns": 7e8, "original_at_most_ns": 7.2e8}],
        "feedback": {
            "from": "recording", "omitted": False,
            "loops": [{"line": 3, "depth": 1, "trips": 9,
                       "parallel": {"answer": "no", "because": "line 5 -> line 5 through a" + EVIL},
                       "vectorisable": {"answer": "unknown", "because": ""},
                       "tilable": {"answer": "yes", "because": "with loop 2"}},
                      {"line": 4, "depth": 2, "trips": 9,
                       "parallel": {"answer": "yes", "because": ""},
                       "vectorisable": {"answer": "yes", "because": ""},
                       "tilable": {"answer": "yes", "because": "with loop 1"}}],
            "accesses": [{"line": 5, "column": 1, "write": True, "array": "a", "width": 8,
                          "strides": [{"loop": 1, "bytes": 512}, {"loop": 2, "bytes": None}],
                          "function": "a + 512*c1 + T*c2" + EVIL, "points": 81, "pieces": 1,
                          "affine_percent": 40.0}],
            "dependences": [{"kind": "value", "loop": 2, "from": 5, "to": 5, "array": "",
                             "distance": "(0, 1)", "role": "ordered-reduction",
                             "text": "the sum of line 5"}],
            "advice": ["skew loop 2" + EVIL],
            "picture": {"outer": 1, "inner": 2, "outer_trips": 9, "inner_trips": 9,
                        "rows": [[0, 0, 8], [1, 0, 8], [2, 0, 8]], "arrows": [[1, 0], [1, -1]],
                        "not_drawn": 0}},
        "equations": {"text": "S1: c[i] = a[i] * b[i]" + EVIL + "\n  S1 = In.a\n",
                      "skips": "where a[i] is zero, an iteration of loop 1 (i) does nothing" + EVIL},
        "nonzeros": {"lists": [{"array": "a" + EVIL, "elements": 400, "listed": 3, "rows": 20,
                                "picture": {"width": 20, "lines": [[0, 3], [], [19]],
                                            "classes": [-1, -1, -1]}}],
                     "predicted": [{"array": "c", "elements": 20, "nonzero": 2, "words": 64,
                                    "zero": 60, "if_zero_before": True}]},
        "trip_counts": [], "alias_pairs": [], "times": {"min_ns": 5, "histogram": []},
        "timeline": [{"ms": 1.0, "event": "first-call"}, {"ms": 3.0, "event": "hot"},
                     {"ms": 3.1, "event": "compile-begin"},
                     {"ms": 40.0, "event": "compile-end", "text": "2 candidates"},
                     {"ms": 41.0, "event": "published", "text": "contraction"},
                     {"ms": 50.0, "event": "published", "text": "contraction-parallel, from the cache"},
                     {"ms": 80.0, "event": "version-ended", "text": "contraction-parallel: too slow"}]},
        {"name": "cached:7", "function": "h", "file": "h.c", "line": 7, "state": "specialised",
         "reason": "", "advice": "", "hot": True, "calls": 1, "hits": 1, "misses": 0,
         "original_ns": 2e7, "best_ns": 1e7, "sampled_calls": 1, "retired": [], "causes": [],
         "versions": [{"candidate": "vector", "values": "n == 5", "guards": ["n == 5"], "hits": 1,
                       "misses": 0, "original_ns": 2e7, "ns": 1e7, "compile_ms": 0,
                       "from_cache": True}],
         "timeline": [{"ms": 0.5, "event": "published", "text": "vector, from the cache"},
                      {"ms": 1.0, "event": "first-call"}]},
        {"name": "cold:9", "function": "c", "file": "", "line": 0, "state": "profiling",
         "reason": "", "advice": "too short", "hot": False, "calls": 1, "versions": [],
         "retired": [], "causes": []}],
}
problems = []


def check(condition, message):
    if not condition:
        problems.append(message)


class Page(html.parser.HTMLParser):
    """Checks that elements nest, and collects the references and the data."""

    def __init__(self):
        super().__init__()
        self.open, self.scripts, self.references, self.data = [], 0, [], ""
        self.in_data = False

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.references += [values[name] for name in ("src", "href", "action") if name in values]
        self.scripts += tag == "script"
        self.in_data = tag == "script" and values.get("type") == "application/json"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        check(self.open and self.open[-1] == tag, f"</{tag}> does not close {self.open[-1:]}")
        self.in_data = False
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data):
        self.data += data if self.in_data else ""


def check_source(text):
    page = Page()
    page.feed(text)
    page.close()
    check(not page.open, f"elements left open: {page.open}")
    check(page.scripts == 2, f"{page.scripts} script elements instead of 2")
    check(not page.references, f"the page refers to {page.references}")
    check(json.loads(page.data) == REPORT, "the data are not those of the report")
    # The name of the SVG namespace looks like an address and is none.
    rest = text.replace("http://www.w3.org/2000/svg", "")
    check(not re.search(r"https?:|//[a-z]+\.|@import|url\(", rest), "an address outside the page")


def check_in_browser(browser, path, folder):
    ran = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu",
                          f"--user-data-dir={folder}/profile", "--virtual-time-budget=3000",
                          "--enable-logging=stderr", "--dump-dom", f"file://{path}"],
                         check=False, capture_output=True, text=True, timeout=90)
    body = re.sub(r"<script.*?</script>", "", ran.stdout, flags=re.DOTALL)
    check("CONSOLE" not in ran.stderr, "the page reports errors: " +
          "".join(line for line in ran.stderr.splitlines() if "CONSOLE" in line))
    for words in ("4.00×", "<svg", "Kernel::run:3, inlined into main&lt;/script",
                  "Observed in 10 sampled calls<", "Where the time went", "2.00 ms → 650 µs", "20.0 ms → 10.0 ms",
                  "specrt explain --words", ">120 ms</text>", "n == 5 &lt;", "restrict&lt;/script&gt;",
                  "show 1 region that", "slower than the winner", "a&amp;b.c:4",
                  "at iteration 230 of 1", "200 ms in the original, then 20.0 ms instead of 700 ms",
                  "skew loop 2&lt;/script&gt;", "through a&lt;/script&gt;", "not known", "40 %",
                  "a + 512*c1 + T*c2", "512, none", "the sum of line 5, a reduction: in another order",
                  "S1: c[i] = a[i] * b[i]&lt;/script&gt;", "of loop 1 (i) does nothing&lt;/script&gt;",
                  "3 of 400 elements are not zero, 0.750 %", "where rows of a&lt;/script",
                  "2 may be nonzero, 10.0 %, if all were zero before; 4 of 64 words",
                  "<polygon", "iterations of loops 1 and 2",
                  "contraction-parallel: too slow (50.0 ms to 80.0 ms)", "contraction (41.0 ms to 120 ms)"):
        check(words in body, f"the page does not show {words}")
    check("cold:9" not in body, "a region that never became hot is shown unasked")
    check("kernel&lt;" not in body, "a region is called by its identity")
    check("<title>broken out" not in ran.stdout, "a name was run as a script")


def check_widths(browser, path, folder):
    """Nothing sticks out to the right, on a phone or a desktop, in light or dark."""
    measured, frame = pathlib.Path(folder, "measured.html"), pathlib.Path(folder, "frame.html")
    measured.write_text(path.read_text().replace("</body>", """<script>
      parent.postMessage(document.documentElement.scrollWidth + " in " + innerWidth + " " +
        document.querySelector(".timeline svg text").getBoundingClientRect().height + " " +
        getComputedStyle(document.body).backgroundColor, "*");</script></body>"""))
    colours = set()
    for width, dark in ((360, False), (1400, False), (1400, True)):
        # A frame, because windows have a least width.
        frame.write_text(f"""<script>onmessage = e => document.title = e.data;</script>
          <iframe src="measured.html" width="{width}" height="800" frameborder="0"></iframe>""")
        flags = ["--blink-settings=preferredColorScheme=0"] if dark else []
        ran = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", *flags,
                              f"--user-data-dir={folder}/profile", "--window-size=1500,900",
                              "--virtual-time-budget=3000", "--dump-dom", f"file://{frame}"],
                             check=False, capture_output=True, text=True, timeout=90)
        found = re.search(r"<title>(\d+) in (\d+) ([\d.]+) (.*?)</title>", ran.stdout)
        check(found and int(found[1]) <= int(found[2]) == width,
              f"at {width} pixels the page is wider: {found and found[0]}")
        check(found and float(found[3]) > 9, f"at {width} pixels timelines are too small to read")
        colours.add(found and found[4])
    check(len(colours) == 2, f"dark mode looks like light mode: {colours}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        source, target = pathlib.Path(folder, "r.json"), pathlib.Path(folder, "r.html")
        source.write_text(json.dumps(REPORT))
        subprocess.run([sys.argv[1], "report", source, "--html", target], check=True)
        check_source(target.read_text())
        browser = shutil.which("chromium")
        if browser:
            check_in_browser(browser, target, folder)
            check_widths(browser, target, folder)
        print("\n".join([*problems, f"page_test: {len(problems)} problems"
                         + ("" if browser else " (not run: no chromium)")]))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
