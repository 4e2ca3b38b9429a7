# tests/fuzz/programs/expressions.py - random values out of elements, counters and calls
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No expression has undefined behaviour: integers wrap in an unsigned type or stay small, divisors
are positive, shifts are constant, nothing floating becomes an integer, and the sign of what may be a
NaN is not looked at."""


class Expressions:
    """leaf() gives an element or scalar of the kernel, counter() an integer of its loops."""

    def __init__(self, dice, element, traits, leaf, counter):
        self.dice, self.element, self.traits = dice, element, traits
        self.leaf, self.counter = leaf, counter

    def value(self, depth=2):
        """Something to store, of the element's type."""
        text = self.term(depth)
        if self.element.bounded:
            text = f"({text}) % {self.dice.pick([97, 97, 64, 31])}"
        return f"({self.element.name})({text})"

    def condition(self):
        dice = self.dice
        kind = dice.below(4)
        if kind == 0:
            return f"({self.counter()} + {self.counter()}) % {dice.pick([2, 3, 5])} == 0"
        if kind == 1:
            return f"{self.counter()} {dice.pick(['<', '>=', '!='])} {self.counter()}"
        if kind == 2:
            return f"{self.counter()} < {dice.pick(['7', '11', 'n', 'm'])}"
        return f"{self.leaf()} > {self.constant()}"

    def constant(self):
        dice, element = self.dice, self.element
        if element.floating:
            text = dice.pick(["0.5", "1.5", "3.0", "0.25", "0.1", "1.0", "0.0", "-0.0", "2.0"])
            return text + element.suffix if element.suffix and not dice.one_in(5) else text
        return str(dice.pick([1, 2, 3, 5, 7, 13, 31]))

    def term(self, depth):
        if depth == 0 or self.dice.one_in(6):
            return self.operand()
        return self.floating(depth) if self.element.floating else self.integer(depth)

    def operand(self):
        dice = self.dice
        kind = dice.below(10)
        if kind == 0:
            text = self.counter()
        elif kind <= 2:
            text = self.constant()
        else:
            text = self.leaf()
        if dice.one_in(24) and self.traits.wide:
            text = f"X[{self.counter()} * 2]"
            return f"({self.element.name})({text} % 31)"
        if not self.element.floating and not self.element.bounded:
            return f"({self.element.wide}){text}"
        if kind == 0 and not self.element.floating:
            return f"(int)({text})"
        return f"({self.element.name}){text}" if kind == 0 else text

    def helper(self, depth):
        name, arity = self.traits.helper
        return f"{name}({', '.join(self.value(depth - 1) for _ in range(arity))})"

    def integer(self, depth):
        dice = self.dice
        left = self.term(depth - 1)
        if self.traits.helper and dice.one_in(6):
            # What it returns is as large as any element.
            text = self.helper(depth)
            return text if self.element.bounded else f"({self.element.wide}){text}"
        kind = dice.below(9)
        if kind == 0:
            return f"({left}) / ({'(uint32_t)' if not self.element.bounded else ''}{dice.between(1, 7)})"
        if kind == 1 and not self.element.bounded:
            return f"({left}) {dice.pick(['>>', '<<'])} {dice.between(1, 5)}"
        right = self.term(depth - 1)
        if kind == 2:
            return f"(({left}) {dice.pick(['<', '>'])} ({right}) ? ({left}) : ({right}))"
        return f"({left}) {dice.pick(['+', '+', '-', '-', '*', '^', '&', '|'])} ({right})"

    def floating(self, depth):
        dice, s = self.dice, self.element.suffix
        if self.traits.helper and dice.one_in(6):
            return self.helper(depth)
        left = self.term(depth - 1)
        kind = dice.below(24)
        if kind == 0:
            return f"sqrt{s}(fabs{s}({left}))"
        if kind == 1:
            return f"{dice.pick(['floor', 'ceil', 'trunc', 'rint', 'fabs'])}{s}({left})"
        if kind == 2:
            return f"pow{s}(fabs{s}({left}), n % 3)"
        if kind == 3:
            return f"({left}) * {self.constant()}"
        if kind == 4:
            return f"-({left})"
        if kind == 5 and self.traits.libm:
            return self.elementary(dice.pick(["exp", "sin", "cos", "log", "tanh", "cbrt"]), left)
        right = self.term(depth - 1)
        if kind == 6 or (kind == 7 and self.traits.finite):
            return f"({left}) / (1 + fabs{s}({right}))"
        if kind == 7:
            return f"({left}) / ({right})"
        if kind == 8:
            return f"(({left}) {dice.pick(['<', '>', '<='])} ({right}) ? ({left}) : ({right}))"
        if kind <= 11 and self.traits.extremes:
            return self.extreme(left, right)
        if kind <= 14:
            return f"({left}) * ({right}) {dice.pick(['+', '-'])} {self.term(depth - 1)}"
        return f"({left}) {dice.pick(['+', '-', '*'])} ({right})"

    def elementary(self, name, argument):
        """A function of math.h."""
        s = self.element.suffix
        if self.traits.finite and name in ("exp", "log"):
            sign = {"exp": "-", "log": "1 + "}[name]
            argument = f"{sign}fabs{s}({argument})"
        return f"{name}{s}({argument})"

    def extreme(self, left, right):
        """fmin and the like: exact for zeros of both signs."""
        dice, s = self.dice, self.element.suffix
        # A conversion to fewer bits may overflow, and raises no exception where it is emulated.
        kind = dice.below(4 if self.traits.finite else 5)
        if kind == 4:
            # Rounds to fewer bits and back.
            return f"({self.element.name})({dice.pick(['_Float16', '__bf16'])})({left})"
        if kind == 0:
            return f"fma{s}({left}, {right}, {self.operand()})"
        if kind == 1:
            # The sign of a NaN is not determined.
            return f"copysign{s}({left}, ({right}) == ({right}) ? ({right}) : 1)"
        if dice.one_in(3):
            right = self.constant()
        return f"{dice.pick(['fmin', 'fmax'])}{s}({left}, {right})"
