# tests/fuzz/programs/dice.py - random choices that are the same everywhere
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A seed means the same program on every machine and for every version of Python: only the bits of
the generator are used, whose sequence is promised."""
import random


class Dice:
    def __init__(self, seed):
        self._random = random.Random(seed)

    def below(self, bound):
        return self._random.getrandbits(32) % bound

    def between(self, low, high):
        """Both included."""
        return low + self.below(high - low + 1)

    def one_in(self, count):
        return self.below(count) == 0

    def pick(self, choices):
        return choices[self.below(len(choices))]

    def weighted(self, choices):
        """One of (weight, choice)."""
        left = self.below(sum(weight for weight, _ in choices))
        for weight, choice in choices:
            if left < weight:
                return choice
            left -= weight
        raise AssertionError("weights do not add up")

    def shuffled(self, choices):
        rest, result = list(choices), []
        while rest:
            result.append(rest.pop(self.below(len(rest))))
        return result
