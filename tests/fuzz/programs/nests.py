# tests/fuzz/programs/nests.py - random loop nests
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nests of several families over a view of arrays. Counters lie from 0 to 23 whatever the sizes are,
but for the stencils in one dimension."""
import dataclasses

from expressions import Expressions


@dataclasses.dataclass
class Traits:
    """What the nests of a kernel may use."""
    index: str = "int"        # type of counters and sizes
    helper: tuple = None      # (name, number of arguments) of a function of the program
    extremes: bool = False    # fmin, fmax, copysign, fma
    libm: bool = False        # exp, sin, ...
    finite: bool = False      # operations that rarely make infinities or NaNs of other values
    pragmas: bool = False     # of clang for loops
    simd: bool = False        # of OpenMP for reductions
    threads: bool = False     # of OpenMP for loops; the arrays do not overlap
    lambdas: bool = False     # loops as calls of a template with a lambda
    own: bool = False         # arrays of the function itself
    work: str = ""            # name of a static array that iterations write anew; "": none

    @property
    def wide(self):
        """Counts further than a char."""
        return "char" not in self.index

    @property
    def signed(self):
        return not self.index.startswith(("unsigned", "size_t"))


class Nests:
    """lines: the nests so far; deepest: how many loops the deepest one has."""

    def __init__(self, dice, element, view, traits):
        self.dice, self.element, self.view, self.traits = dice, element, view, traits
        self.counters, self.lines, self.scalar, self.deepest, self.labels = [], [], None, 1, 0
        self.last = None
        self.is_long = False    # has a stencil in one dimension
        self.is_reordered = False  # a pragma lets clang reorder
        self.expressions = Expressions(dice, element, traits, self.leaf, self.counter)

    # Pieces.

    def emit(self, text):
        self.lines.append("  " * (len(self.counters) + 1) + text)

    def counter(self):
        """Mostly another one than last time."""
        others = [counter for counter in self.counters if counter != self.last]
        if others and not self.dice.one_in(5):
            self.last = self.dice.pick(others)
        elif self.counters:
            self.last = self.dice.pick(self.counters)
        else:
            return "n"
        return self.last

    def leaf(self):
        if self.scalar and self.dice.one_in(4):
            return self.scalar
        return self.view.any(self.counter) if self.counters else self.view.matrix("A", "1", "2")

    def pragma(self):
        dice = self.dice
        if self.traits.pragmas and dice.one_in(3):
            text = dice.pick(["vectorize(enable)", "vectorize_width(4)", "interleave_count(2)",
                              "unroll(full)", "unroll(disable)", "unroll_count(3)",
                              "vectorize(disable)", "distribute(enable)"])
            self.is_reordered |= "vectorize" in text or "interleave" in text
            self.emit(f"#pragma clang loop {text}")

    def open(self, counter, low, high, step=1, backwards=False):
        index = self.traits.index
        self.deepest = max(self.deepest, len(self.counters) + 1)
        increment = f"++{counter}" if step == 1 else f"{counter} += {step}"
        if not backwards and self.dice.one_in(16):
            self.emit(f"{{ {index} {counter}_next = {low}; while ({counter}_next < {high}) {{")
            self.counters.append(counter)
            self.emit(f"{index} {counter} = {counter}_next; {counter}_next += {step};")
            return "}}"
        self.pragma()
        if backwards and self.traits.signed:
            self.emit(f"for ({index} {counter} = {high} - 1; {counter} >= {low}; --{counter}) {{")
        else:
            self.emit(f"for ({index} {counter} = {low}; {counter} < {high}; {increment}) {{")
        self.counters.append(counter)
        return "}"

    def close(self, end="}"):
        self.counters.pop()
        self.emit(end)

    # Families.

    def nest(self):
        families = [(6, self.general), (3, self.product), (2, self.reduction), (2, self.carried),
                    (1, self.search), (2, self.stencil), (1 if self.view.has_rows else 0, self.walk)]
        if self.traits.threads:
            families.append((8, self.parallel))
        if self.traits.lambdas:
            families.append((8, self.lambdas))
        if self.traits.own:
            families.append((8, self.own))
        if self.traits.work:
            families.append((12, self.worked))
        self.dice.weighted(families)()

    def general(self):
        """Any loops with statements at any depth."""
        if self.dice.one_in(3):
            self.emit(f"{{ {self.element.name} s = {self.leaf()};")
            self.scalar = "s"
        self.loop(1, self.dice.weighted([(2, 1), (5, 2), (4, 3), (1, 4)]))
        if self.scalar:
            self.emit(f"{self.view.matrix('B', '0', '1')} = s; }}")
            self.scalar = None

    def loop(self, depth, deepest):
        dice = self.dice
        low, high = "0", dice.pick(["n", "m", "p", "n", "12"] +
                                   (["n - 1"] if self.traits.signed else []))
        if self.counters and dice.one_in(3):
            bound = dice.pick(self.counters)
            if dice.one_in(2):
                low = bound
            elif dice.one_in(3):
                high = f"({bound} + 3 < {high} ? {bound} + 3 : {high})"
            else:
                high = bound
        elif dice.one_in(4):
            low = dice.pick(["1", "2", "5"])
        end = self.open(f"i{depth}", low, high, dice.pick([1, 1, 1, 1, 2, 3]), dice.one_in(6))
        innermost = depth == deepest
        if innermost or dice.one_in(3):
            self.statements()
        if not innermost:
            self.loop(depth + 1, deepest)
            if dice.one_in(5):
                self.loop(depth + 1, depth + 1)
            if dice.one_in(4):
                self.statements()
        elif dice.one_in(10):
            self.switch()
        elif dice.one_in(10):
            leave = dice.weighted([(4, "break"), (4, "continue"), (0 if self.scalar else 1, "return")])
            self.emit(f"if ({self.expressions.condition()}) {leave};")
            self.statements()
        self.close(end)

    def statements(self):
        for _ in range(self.dice.between(1, 2)):
            guarded = self.dice.one_in(4)
            if guarded:
                self.emit(f"if ({self.expressions.condition()})")
            self.statement()
            if guarded and self.dice.one_in(3):
                self.emit("else")
                self.statement()

    def switch(self):
        self.emit(f"switch (({self.counter()} + {self.counter()}) % 4) {{")
        for case in self.dice.pick([["case 1:", "default:"], ["case 0: case 3:", "case 2:"]]):
            self.emit(case)
            self.statement()
            if not self.dice.one_in(3):
                self.emit("break;")
        self.emit("}")

    def statement(self):
        target = self.scalar if self.scalar and self.dice.one_in(3) else self.view.any(self.counter)
        self.emit(f"{target} = {self.expressions.value(self.dice.between(1, 2))};")

    def update(self, target, term):
        """target += term in the element's arithmetic."""
        element, wide = self.element, self.element.wide
        if element.floating:
            return f"{target} {self.dice.pick(['+=', '+=', '+=', '-='])} {term};"
        if element.bounded:
            return f"{target} = ({element.name})(({target} + {term}) % 97);"
        return f"{target} = ({element.name})(({wide}){target} + {term});"

    def times(self, left, right):
        if self.element.floating or self.element.bounded:
            return f"{left} * {right}"
        return f"({self.element.wide}){left} * ({self.element.wide}){right}"

    def product(self):
        """C[i,j] += A[i,k] * B[k,j] and what looks like it, in any order."""
        dice, view = self.dice, self.view
        order = dice.shuffled("ijk")
        bounds = {"i": "n", "j": "m", "k": "p"}
        result = view.matrix(view.arrays[2], "i", view.place("j"))
        if dice.one_in(5):
            result = view.matrix(view.arrays[2], "j", "i")
        initial = order[2] == "k" and dice.one_in(3)
        ends = []
        for counter in order:
            low = "0"
            if ends and dice.one_in(5):
                low = dice.pick(self.counters)
            if initial and counter == "k":
                self.emit(f"{result} = {dice.pick(['0', self.expressions.constant()])};")
            ends.append(self.open(counter, low, bounds[counter], 1, dice.one_in(12)))
        left = view.matrix(dice.pick([view.arrays[0], view.arrays[0], view.arrays[2]]),
                           *dice.pick([("i", view.place("k")), ("i", "k"), ("k", "i")]))
        right = view.matrix(view.arrays[1], *dice.pick([("k", "j"), (view.place("k"), "j"),
                                                        ("j", "k")]))
        term = self.times(left, right)
        if self.element.floating and dice.one_in(3):
            term += f" * {self.expressions.constant()}"
        if dice.one_in(6):
            self.emit(f"if ({self.expressions.condition()})")
        self.emit(self.update(result, term))
        while ends:
            self.close(ends.pop())

    def reduction(self):
        """Sums and extrema over a row, with the pragmas that let clang reorder them."""
        dice, view, element = self.dice, self.view, self.element
        end = self.open("i", "0", "n")
        self.emit(f"{element.name} s = {dice.pick(['0', view.matrix('A', 'i', '0')])};")
        extremum = dice.one_in(4)
        if self.traits.simd and dice.one_in(2) and not extremum:
            self.emit("#pragma omp simd reduction(+:s)")
            self.emit(f"for ({self.traits.index} j = 0; j < m; ++j) {{")
            self.counters.append("j")
            self.is_reordered, inner = True, "}"
        else:
            inner = self.open("j", "0", "m", dice.pick([1, 1, 1, 2]))
        left, right = view.matrix("A", "i", "j"), view.matrix("B", "j", view.place("i"))
        if dice.one_in(2):
            right = view.matrix("B", "i", view.place("j"))
        if extremum and element.floating and self.traits.extremes:
            self.emit(f"s = {dice.pick(['fmin', 'fmax'])}{element.suffix}(s, {left});")
        elif extremum:
            self.emit(f"if ({left} {dice.pick(['<', '>'])} s) s = {left};")
        else:
            self.emit(self.update("s", dice.pick([left, self.times(left, right)])
                                  if element.floating or element.bounded
                                  else self.times(left, right)))
        self.close(inner)
        if dice.one_in(3):
            self.emit(self.update(view.matrix("C", "i", "1"), "s" if element.floating or
                                  element.bounded else f"({element.wide})s"))
        else:
            self.emit(f"{view.matrix('C', 'i', '0')} = s;")
        self.close(end)

    def carried(self):
        """A value that goes from iteration to iteration, in a variable or through memory."""
        dice, view, name = self.dice, self.view, self.element.name
        end = self.open("i", "0", dice.pick(["n", "4"]))
        source, target = dice.pick([("A", "B"), ("B", "A"), ("A", "A")])
        if dice.one_in(2):
            self.emit(f"{name} a = {view.matrix(source, 'i', '0')};")
            self.scalar = "a"
            inner = self.open("j", "0", "m")
            self.emit(f"{name} b = {view.matrix(source, 'i', '(j + 1)')};")
            self.emit(f"{view.matrix(target, 'i', 'j')} = {self.expressions.value(1)};")
            self.emit("a = b;")
            self.close(inner)
            self.scalar = None
        else:
            inner = self.open("j", "0", "m")
            self.emit(f"{view.matrix(target, 'i', '(j + 1)')} = ({name})("
                      + (self.times(view.matrix(target, "i", "j"), view.matrix(source, "j", "i"))
                         + (" % 97" if self.element.bounded else "")) + ");")
            self.close(inner)
        self.close(end)

    def search(self):
        """Leaves at the first element that fits."""
        dice = self.dice
        label = f"found{self.labels}"
        self.labels += 1
        outer = self.open("i", "0", "n")
        inner = self.open("j", "0", "m")
        leave = dice.pick(["break;", f"goto {label};"])
        self.emit(f"if ({self.view.matrix('A', 'i', 'j')} == {self.expressions.constant()}) "
                  f"{{ {self.view.matrix('B', 'i', 'j')} = {self.expressions.value(1)}; {leave} }}")
        self.statement()
        self.close(inner)
        self.close(outer)
        self.emit(f"{label}:;")

    def stencil(self):
        """Time steps over a grid, in place or with two arrays."""
        dice, view, element = self.dice, self.view, self.element
        flat = view.is_flat and self.traits.wide and dice.one_in(2)
        source, target = dice.pick([("A", "B"), ("A", "A"), ("B", "A")])
        self.is_long |= flat
        index = self.traits.index
        self.emit(f"for ({index} t = 0; t < {dice.pick(['5', '3', '12', 'p'])}; ++t) {{")
        self.counters.append("t")
        for first, second in dice.pick([[(source, target)], [(source, target), (target, source)]]):
            if flat:
                point = lambda array, o: f"{array}[i + {1 + o}]"  # noqa: E731
                ends = [self.open("i", "0", "n * 50")]
            else:
                ends = [self.open("i", "0", "n"), self.open("j", "0", "m")]
                point = lambda array, o: view.matrix(  # noqa: E731
                    array, dice.pick(["(i + 1)", f"(i + {1 + o})"]), f"(j + {1 + o})")
            terms = [point(first, dice.between(-1, 1)) for _ in range(dice.between(2, 4))]
            if element.floating:
                text = f"{self.expressions.constant()} * ({' + '.join(terms)})"
            elif element.bounded:
                text = f"({' - '.join(terms)} + 3 * {terms[0]}) % 97"
            else:
                text = " + ".join(f"({element.wide}){term}" for term in terms)
            self.emit(f"{point(second, 0)} = ({element.name})({text});")
            while ends:
                self.close(ends.pop())
        self.close()

    def walk(self):
        """Pointers that move with the loop, within a row where there are rows."""
        dice, name = self.dice, self.element.name
        first, second = self.view.matrix("A", "0", "2"), self.view.matrix("B", "1", "0")
        self.emit(f"{{ {name} *to = &{first}; const {name} *from = &{second};")
        end = self.open("i", "0", dice.pick(["n", "m", "12"]))
        self.scalar = "*from"
        self.emit(f"*to = {self.expressions.value(1)};")
        self.scalar = None
        self.emit(f"to += {dice.pick([1, 1, 2 if self.view.is_flat else 1])}; ++from;")
        self.close(end)
        self.emit("}")

    def parallel(self):
        """Iterations that OpenMP may run on any thread."""
        view = self.view
        self.emit(f"#pragma omp {self.dice.pick(['parallel for', 'parallel for schedule(static)'])}")
        self.emit(f"for ({self.traits.index} i = 0; i < n; ++i) {{")
        self.counters.append("i")
        end = self.open("j", "0", "m")
        self.emit(self.update(view.matrix("C", "i", "j"),
                              self.times(view.matrix("A", "i", view.place("j")),
                                         view.matrix("B", "j", view.place("i")))))
        self.close(end)
        self.close()

    def own(self):
        """A small array that may become registers, with constants or other values."""
        dice, view, element = self.dice, self.view, self.element
        size = dice.pick([3, 8, 16, 24])
        self.emit(f"{{ {element.name} own[{size}];")
        end = self.open("i", "0", str(size))
        value = self.expressions.value(1)
        if dice.one_in(2):
            value = self.times(f"({element.name})i", self.expressions.constant())
        self.emit(f"own[i] = ({element.name})({value}{' % 97' if element.bounded else ''});")
        self.close(end)
        ends = [self.open("j", "0", dice.pick(["1", "3", "m"])), self.open("i", "0", str(size))]
        other = dice.pick([f"({element.name})i", self.expressions.constant(), self.leaf()])
        place = dice.pick(["own[i]", f"own[(i + 1) % {size}]"])
        target = dice.pick([place, "own[i]", view.matrix("A", "i", "j"), view.any(self.counter)])
        if dice.one_in(2):
            self.emit(f"{target} = {self.expressions.constant()};")
        self.emit(self.update(target, self.times(place, other)))
        while ends:
            self.close(ends.pop())
        self.emit(f"{view.matrix('B', '0', '2')} = own[{dice.below(size)}]; }}")

    def worked(self):
        """Iterations that write a static array before they read it, or nearly so."""
        dice, view, element, work = self.dice, self.view, self.element, self.traits.work
        ends = [self.open("i", "0", "n")]
        low = dice.weighted([(8, "0"), (1, "1"), (1, "i")])
        inner = self.open("j", low, dice.pick(["m", "m", "(m + 1)"]))
        value = self.times(view.matrix("A", "i", "j"), self.expressions.constant())
        self.emit(f"{work}[j] = ({element.name})({value}{' % 97' if element.bounded else ''});")
        self.close(inner)
        if dice.one_in(3):  # a recurrence along the array
            inner = self.open("j", "1", "m")
            self.emit(self.update(f"{work}[j]", f"{work}[j - 1]"))
            self.close(inner)
        for _ in range(dice.between(1, 2)):
            inner = self.open("j", "1", "m")
            place = dice.weighted([(4, "j"), (3, "j - 1"), (1, "j + 1")])
            target = view.matrix(dice.pick(["B", "C"]), "i", dice.pick(["j", view.place("j")]))
            self.emit(self.update(target, f"{work}[{place}]"))
            self.close(inner)
        while ends:
            self.close(ends.pop())

    def lambdas(self):
        """Loops that a template makes of a function object."""
        index = self.traits.index
        depth = self.dice.between(1, 3)
        for level, bound in zip(range(depth), self.dice.shuffled("nmp")):
            self.emit(f"each<{index}>({self.dice.pick(['0', '1'])}, {bound}, "
                      f"[&]({index} i{level}) {{")
            self.counters.append(f"i{level}")
        self.deepest = max(self.deepest, depth)
        self.statements()
        for _ in range(depth):
            self.close("});")
