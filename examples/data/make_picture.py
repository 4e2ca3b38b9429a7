#!/usr/bin/env python3
# examples/data/make_picture.py - writes picture.ppm, the picture of the blur example
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rings, stripes and a gradient, computed in integers so that every machine makes the same bytes.

usage: make_picture.py [columns rows [file]]    (default: 400 300, picture.ppm beside this script)
"""
import pathlib
import sys


def pixel(x, y, columns, rows):
    """Red rings, green stripes and a blue gradient, each 0 .. 255."""
    distance = (2 * x - columns) ** 2 + (2 * y - rows) ** 2
    red = 255 if distance // 9000 % 2 == 0 else 40
    green = 220 if (x + 2 * y) // 16 % 3 == 0 else 60
    blue = 255 * x // max(columns - 1, 1)
    return red, green, blue


def main():
    if len(sys.argv) == 2:
        sys.exit(__doc__)
    columns, rows = (int(a) for a in sys.argv[1:3]) if len(sys.argv) > 2 else (400, 300)
    default = pathlib.Path(__file__).with_name("picture.ppm")
    path = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else default
    if columns < 1 or rows < 1:
        sys.exit("columns and rows must be positive")
    data = bytearray()
    for y in range(rows):
        for x in range(columns):
            data += bytes(pixel(x, y, columns, rows))
    path.write_bytes(b"P6\n# made by make_picture.py\n%d %d\n255\n" % (columns, rows) + bytes(data))


if __name__ == "__main__":
    main()
