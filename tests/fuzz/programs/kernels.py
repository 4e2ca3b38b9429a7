# tests/fuzz/programs/kernels.py - functions around nests, and how they are called
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import dataclasses
import re

import elements
import views
from nests import Nests, Traits

ELEMENTS_PER_ARRAY = 36 * 40
# What one series may execute, in iterations of innermost loops at most.
WORK_PER_SERIES = 300_000


@dataclasses.dataclass
class Kernel:
    name: str
    element: elements.Element
    text: str         # everything that belongs into its file
    series: list      # initialisers of struct series
    num_nests: int
    globals: str = ""  # the name of an array of its file
    exact: bool = True  # -O0 computes the same bits


def make_kernel(dice, name, features, num_nests):
    element = elements.pick_element(dice)
    needs_distance = dice.one_in(4) or features.threads
    traits = Traits(
        index=dice.pick(["int", "int", "int", "int", "long", "long", "unsigned", "size_t", "short",
                         "unsigned char"]),
        extremes=features.extremes and element.floating, libm=dice.one_in(4), finite=features.finite,
        pragmas=features.pragmas, simd=features.simd,
        threads=features.threads, lambdas=features.cxx and dice.one_in(2), own=features.own,
        work=f"work_{name}" if features.work else "")
    view = views.pick_view(dice, element, needs_distance and dice.one_in(2), features.cxx)
    if isinstance(view, (views.Rows, views.Fields)) or view.pitch != "40":
        traits.threads = False
    view.signed = traits.signed
    helper, traits.helper = make_helper(dice, name, element, features)
    support = helper + view.support(name)
    if features.work:
        support += f"static {element.name} work_{name}[64];\n"
    nests = Nests(dice, element, view, traits)
    before = view.before()
    if element.floating and features.contracts and dice.one_in(2):
        before.insert(0, f"#pragma clang fp contract({dice.pick(features.contracts)})")
    for _ in range(num_nests):
        if features.modes and dice.one_in(6):
            nests.emit(f"set_mode({dice.pick(features.modes)});")
        nests.nest()
    parameters = view.declarations() + [f"{traits.index} {size}" for size in "nmp"]
    parameters.append("const int *X")
    lines = "\n".join(nests.lines) + "\n"
    if features.statics:
        lines, declarations, values = in_statics(name, element, view, traits, lines)
        support += declarations
        before += values
    body = "".join(f"  {line}\n" for line in before) + lines
    function, callee = wrap(dice, name, features, element, parameters, body)
    text = support + function + caller(name, element, view, traits, callee)
    return Kernel(name, element, text, make_series(dice, element, traits, nests, features,
                                                   needs_distance), num_nests,
                  view.globals, not traits.extremes and not nests.is_reordered)


def in_statics(name, element, view, traits, lines):
    """Nests that read sizes, and arrays behind pointers, from static variables: (the nests, the
    variables, what sets them)."""
    types = {size: f"{traits.index} " for size in "nmp"}
    if isinstance(view, views.Flat):
        types |= {array: f"{element.name} *" for array in "ABC"}
    lines = re.sub(rf"\b([{''.join(types)}])\b", rf"\1_{name}", lines)
    return (lines, "".join(f"static {kind}{old}_{name};\n" for old, kind in types.items()),
            [f"{old}_{name} = {old};" for old in types])


def make_helper(dice, kernel, element, features):
    """A function that nests call: (its text, (name, arity) or None)."""
    if not dice.one_in(2):
        return "", None
    if dice.one_in(4):
        return "", (f"{dice.pick(['outside', 'shared'])}_{element.name}", 2)
    name, helper = element.name, f"help_{kernel}"
    target = ""
    if features.targets and dice.one_in(2):
        target = f'__attribute__((target("{dice.pick(features.targets)}"))) '
    linkage = dice.pick(["static ", "static __attribute__((noinline)) ",
                         "__attribute__((noinline)) ", "inline " if features.cxx else "static inline "])
    if element.floating:
        formula = dice.pick(["x * y + x", "x * x - y * y", "x / (1 + y * y)", "x > y ? x : y"])
    elif element.bounded:
        formula = dice.pick(["(x * y) % 97", "x > y ? x : y", "(x - y) % 31"])
    else:
        formula = dice.pick([f"({element.wide})x * y + 3", "x ^ y", "x > y ? x : y"])
    formula = f"({name})({formula})"
    if dice.one_in(3):
        # It calls itself.
        text = (f"{linkage}{name} {helper}_at({name} x, {name} y, int depth) "
                f"{{ return depth > 0 ? {helper}_at({formula}, y, depth - 1) : x; }}\n"
                f"static {name} {helper}({name} x, {name} y) {{ return {helper}_at(x, y, 3); }}\n")
        return text, (helper, 2)
    return f"{target}{linkage}{name} {helper}({name} x, {name} y) {{ return {formula}; }}\n", (helper, 2)


def wrap(dice, name, features, element, parameters, body):
    """The function with the nests and its name for callers."""
    target = ""
    if features.targets and dice.one_in(2):
        target = f'__attribute__((target("{dice.pick(features.targets)}"))) '
    names = [parameter.replace("[][w]", "").replace("[PITCH]", "").replace("(*", "").replace(
        ")", "").split()[-1].lstrip("*") for parameter in parameters]
    form = dice.weighted([(6, "plain"), (2, "noinline"), (1, "recursive"), (1, "static")] +
                         ([(3, "template"), (2, "method")] if features.cxx else []))
    joined = ", ".join(parameters)
    if form == "recursive":
        # The body may begin with a pragma that must be the first thing in its block.
        return (f"{target}static __attribute__((noinline)) void {name}({joined}, int depth) {{\n"
                f"  if (depth > 0)\n    {name}({', '.join(names)}, depth - 1);\n  {{\n{body}  }}\n}}\n",
                f"{name}(%s, 2)")
    if form == "template":
        typed = joined.replace(element.name + " ", "T ")
        return (f"template <class T, int Step> {target}void {name}({typed}) {{\n{body}}}\n",
                f"{name}<{element.name}, 1>(%s)")
    if form == "method":
        return (f"struct type_{name} {{\n  int unused;\n  {target}void operator()({joined}) const "
                f"{{\n{body}}}\n}};\n", f"type_{name}{{0}}(%s)")
    linkage = {"plain": "", "noinline": "__attribute__((noinline)) ", "static": "static "}[form]
    return f"{target}{linkage}void {name}({joined}) {{\n{body}}}\n", f"{name}(%s)"


def caller(name, element, view, traits, callee):
    """call_NAME, which the driver calls."""
    arguments = view.arguments() + [f"({traits.index})call->size[{i}]" for i in range(3)]
    arguments.append("call->index")
    setup = "".join(f"  {line}\n" for line in view.setup())
    return (f"C_LINKAGE void call_{name}(const struct call *call) {{\n"
            f"  {element.name} *pool = ({element.name} *)call->pool + MARGIN;\n"
            f"  (void)pool;\n{setup}  {callee % ', '.join(arguments)};\n}}\n")


def make_series(dice, element, traits, nests, features, needs_distance):
    largest = {1: 23, 2: 23, 3: 14}.get(nests.deepest, 8)
    if nests.is_long:
        largest = 23

    def sizes():
        return [dice.between(largest // 2, largest) for _ in range(3)]

    apart = [[0, ELEMENTS_PER_ARRAY, 2 * ELEMENTS_PER_ARRAY],
             [2 * ELEMENTS_PER_ARRAY, 0, ELEMENTS_PER_ARRAY]]
    overlapping = [[0, 0, 2 * ELEMENTS_PER_ARRAY], [0, 3, 2 * ELEMENTS_PER_ARRAY],
                   [0, ELEMENTS_PER_ARRAY, 1200], [5, 5, 5], [1, ELEMENTS_PER_ARRAY, 0]]
    usual, other = sizes(), sizes()
    small = [dice.below(4) for _ in range(3)]
    if traits.signed and dice.one_in(2):
        small[dice.below(3)] = -1
    values = element.ordinary_values
    work = max(1, usual[0] * usual[1] * usual[2]) if nests.deepest > 2 else usual[0] * usual[1]
    if nests.is_long:
        work = 20_000
    calls = max(30, min(150, WORK_PER_SERIES // work))
    place = dice.pick(apart)
    table = dice.below(3)

    def series(place, first, second, calls, values, mode="NEAREST"):
        return (f"{{{{{', '.join(map(str, place))}}}, {{{{{', '.join(map(str, first))}}}, "
                f"{{{', '.join(map(str, second))}}}}}, {calls}, {values}, {table}, {mode}}}")

    result = [series(place, usual, usual, calls, values)]
    for _ in range(dice.between(2, 4)):
        kind = dice.below(6)
        if kind == 0:
            result.append(series(place, usual, other, calls // 2, values))
        elif kind == 1 and not needs_distance:
            result.append(series(dice.pick(overlapping), usual, usual, calls // 4, values))
        elif kind == 2:
            result.append(series(place, small, usual, 12, values))
        elif kind == 3 and features.modes:
            result.append(series(place, usual, usual, calls // 3, values, dice.pick(features.modes)))
        elif kind == 4:
            table = dice.below(3)
            result.append(series(dice.pick(apart), usual, usual, calls // 3, values))
        elif element.floating and features.specials:
            result.append(series(place, usual, usual, calls // 3, "SPECIAL",
                                 dice.pick(features.modes or ["NEAREST"])))
        else:
            result.append(series(place, other, other, calls // 2, values))
    return result
