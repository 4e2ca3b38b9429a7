# tests/fuzz/programs/views.py - how a kernel sees its three arrays
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All arrays of a kernel lie in one pool, see driver.h. Counters lie from 0 to 23: rows below 36 and
columns below 40 are inside a matrix, subscripts from -64 to 1440 inside a flat array."""

LARGEST = 23


class View:
    """arrays: names that subscripts can be put behind."""
    pitch = "40"     # elements from row to row where that can be another number
    is_flat = False  # subscripts are free
    has_rows = True  # a row is an array of elements
    globals = ""     # the name of an array of the file, if there is one
    signed = True    # counters may become negative within subscripts

    def __init__(self, dice, element):
        self.dice, self.element = dice, element
        self.arrays = ["A", "B", "C"]

    def place(self, counter):
        """The counter itself, or shifted by a little."""
        dice = self.dice
        if dice.one_in(3):
            return f"({counter} + {dice.between(1, 9)})"
        if dice.one_in(24):
            return f"({LARGEST} - {counter})"
        return counter

    def matrix(self, array, row, column):
        """Element (row, column), both below 36 and 40."""
        raise NotImplementedError

    def any(self, counter):
        """An element at a place that need not be affine; counter() gives counters."""
        return self.matrix(self.dice.pick(self.arrays), self.place(counter()),
                           self.place(counter()))

    def declarations(self):
        """Parameters, without the sizes."""
        raise NotImplementedError

    def before(self):
        """Lines at the start of the kernel."""
        return []

    def support(self, kernel):
        """Text in front of the kernel."""
        return ""

    def setup(self):
        """Lines of the caller in front of the call."""
        return []

    def arguments(self):
        """For the parameters, in terms of "call" and of "pool", where the first array may begin."""
        raise NotImplementedError


def _places():
    return [f"pool + call->place[{i}]" for i in range(3)]


class Flat(View):
    """T *A: any subscript, and pointers that come out of functions or chains of additions."""
    is_flat = True

    def __init__(self, dice, element, restrict):
        super().__init__(dice, element)
        self.restrict_word = "__restrict " if restrict else ""
        self.pitch = dice.weighted([(6, "40"), (1, "n"), (1, "m"), (1, "p")])
        self.derived = dice.pick(["", "", "", "accessor", "chain"])
        if self.derived:
            self.arrays = self.arrays + ["Q"]

    def matrix(self, array, row, column):
        return f"{array}[{row} * {self.pitch} + {column}]"

    def any(self, counter):
        dice, array = self.dice, self.dice.pick(self.arrays)
        kind = dice.below(14)
        first = counter()
        if kind == 0:
            return f"{array}[{first} - {dice.between(1, 9)}]" if self.signed else f"{array}[{first}]"
        if kind == 1:
            return f"{array}[{first} + {dice.below(40)}]"
        second = counter()
        if kind == 2:
            return f"{array}[{first} * {second}]"
        if kind == 3:
            return f"{array}[{dice.between(2, 5)} * {first} + {second}]"
        if kind == 4:
            return f"{array}[(({first} + {second}) / 2) * 40 + {counter()}]"
        if kind == 5:
            return f"{array}[({first} * {second}) % {dice.pick([7, 16, 97])}]"
        if kind == 6:
            return f"{array}[X[{first} * 5 + {dice.below(5)}] + {second}]"
        if kind == 7:
            return f"{array}[({first} ^ {second}) * 2]"
        return self.matrix(array, self.place(first), self.place(second))

    def declarations(self):
        return [f"{self.element.name} *{self.restrict_word}{name}" for name in "ABC"]

    def before(self):
        name = self.element.name
        if self.derived == "accessor":
            return [f"{name} *Q = {self.accessor}(A, {self.dice.below(9)});"]
        if self.derived == "chain":
            base = self.dice.pick(["A", "B"])
            sizes = [self.dice.pick(["n", "m", "p"]) for _ in range(13)]
            return [f"{name} *Q = {base};"] + [f"Q += {size} & 1;" for size in sizes]
        return []

    def support(self, kernel):
        if self.derived != "accessor":
            return ""
        if self.dice.one_in(3):
            self.accessor = f"outside_row_{self.element.name}"
            return ""
        self.accessor = f"row_{kernel}"
        where = self.dice.pick(["static __attribute__((noinline))", "static",
                                "__attribute__((noinline))"])
        return (f"{where} {self.element.name} *{self.accessor}({self.element.name} *p, long o) "
                "{ return p + o; }\n")

    def arguments(self):
        return _places()


class Matrix(View):
    """T (*A)[40]."""

    def matrix(self, array, row, column):
        return f"{array}[{row}][{column}]"

    def declarations(self):
        return [f"{self.element.name} (*{name})[PITCH]" for name in "ABC"]

    def arguments(self):
        return [f"({self.element.name} (*)[PITCH])({place})" for place in _places()]


class Variable(Matrix):
    """T A[][w] with a width that is an argument. C only."""

    def declarations(self):
        return ["int w"] + [f"{self.element.name} {name}[][w]" for name in "ABC"]

    def arguments(self):
        return ["PITCH"] + [f"({self.element.name} (*)[PITCH])({place})" for place in _places()]


class Rows(Matrix):
    """T **A."""

    def declarations(self):
        return [f"{self.element.name} **{name}" for name in "ABC"]

    def arguments(self):
        return [f"({self.element.name} **)call->rows[{i}]" for i in range(3)]


class Object(View):
    """struct grid *A, with an accessor."""

    def __init__(self, dice, element):
        super().__init__(dice, element)
        self.inlined = dice.pick([True, True, True, False])

    def support(self, kernel):
        self.kernel = kernel
        name = self.element.name
        attribute = "" if self.inlined else "__attribute__((noinline)) "
        return (f"struct grid_{kernel} {{ {name} *data; long pitch; }};\n"
                f"{attribute}static {name} *at_{kernel}(struct grid_{kernel} *g, long i, long j) "
                "{ return g->data + i * g->pitch + j; }\n")

    def matrix(self, array, row, column):
        return f"*at_{self.kernel}({array}, {row}, {column})"

    def declarations(self):
        return [f"struct grid_{self.kernel} *{name}" for name in "ABC"]

    def setup(self):
        return [f"struct grid_{self.kernel} grids[3] = {{" +
                ", ".join(f"{{{place}, PITCH}}" for place in _places()) + "};"]

    def arguments(self):
        return [f"&grids[{i}]" for i in range(3)]


class Global(View):
    """Arrays of the file itself beside those of the pool."""

    def support(self, kernel):
        alignment = self.dice.pick(["", "", "__attribute__((aligned(64))) "])
        self.kernel = kernel
        self.globals = f"globals_{kernel}"
        self.arrays = ["A", "B", self.globals]
        return f"{alignment}{self.element.name} {self.globals}[ROWS][PITCH];\n"

    def matrix(self, array, row, column):
        if array == "C":
            array = self.globals
        return f"{array}[{row}][{column}]"

    def declarations(self):
        return [f"{self.element.name} (*{name})[PITCH]" for name in "AB"]

    def arguments(self):
        return [f"({self.element.name} (*)[PITCH])({place})" for place in _places()[:2]]


class Fields(View):
    """Arrays of structures, at places of whole ones: where they overlap otherwise, clang still tells
    the x of one from the y of another."""
    has_rows = False

    def support(self, kernel):
        self.kernel = kernel
        return f"struct cell_{kernel} {{ {self.element.name} x, y; }};\n"

    def matrix(self, array, row, column):
        return f"{array}[{row} * 16 + {column}].{self.dice.pick(['x', 'y'])}"

    def declarations(self):
        return [f"struct cell_{self.kernel} *{name}" for name in "ABC"]

    def arguments(self):
        return [f"(struct cell_{self.kernel} *)pool + (call->place[{i}] + 1) / 2" for i in range(3)]


def pick_view(dice, element, restrict, cxx):
    make = dice.weighted([(8, lambda: Flat(dice, element, restrict)),
                          (3, lambda: Matrix(dice, element)),
                          (2, lambda: (Matrix if cxx else Variable)(dice, element)),
                          (2, lambda: Rows(dice, element)),
                          (2, lambda: Object(dice, element)),
                          (1, lambda: Fields(dice, element)),
                          (3, lambda: Global(dice, element))])
    return make()
