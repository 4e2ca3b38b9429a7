# tests/fuzz/programs/elements.py - the types that arrays consist of
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import dataclasses


@dataclasses.dataclass(frozen=True)
class Element:
    """bounded: signed arithmetic on values below 97, folded back when stored, so that nothing
    overflows; other integers are computed with in an unsigned type and wrap."""
    name: str      # in C
    enumerator: str  # in driver.h
    floating: bool = False
    bounded: bool = False

    @property
    def wide(self):
        """The unsigned type that wrapping arithmetic is done in; never a promoted one."""
        return "uint64_t" if "64" in self.name else "uint32_t"

    @property
    def suffix(self):
        """Of the functions in math.h."""
        return "f" if self.name == "float" else ""

    @property
    def ordinary_values(self):
        return "ORDINARY" if self.floating else "BOUNDED" if self.bounded else "ANY"


DOUBLE = Element("double", "F64", floating=True)
FLOAT = Element("float", "F32", floating=True)
INTEGERS = [Element(f"{sign}int{bits}_t", f"I{bits}", bounded=bounded)
            for bits in (8, 16, 32, 64) for sign, bounded in (("u", False), ("", False), ("", True))]


def pick_element(dice):
    return dice.weighted([(5, DOUBLE), (3, FLOAT), (5, None)]) or dice.pick(INTEGERS)
