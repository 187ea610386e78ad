"""The STAR-machine: associative processing by bit slices, on the CPU and on the GPU.

A :class:`Table` holds rows of bits by its columns, the slices; a procedure works on all rows
at once, column by column. Positions are counted from 1, as in the model.

Source: A. Nepomniaschaya, the STAR language; T. Snytnikova, A. Nepomniaschaya, its
implementation on a GPU, 2016.
"""

from graphla.star.arcs import Arcs
from graphla.star.procedures import (
    add,
    greater,
    greater_equal,
    less,
    less_equal,
    match,
    maximum,
    merge,
    minimum,
    subtract,
    unequal,
    unite,
)
from graphla.star.slice import Slice
from graphla.star.table import Table
from graphla.star.weights import Weights
from graphla.star.word import Word

MATCH, LESS, LESSEQ, GREAT, GREATEQ = match, less, less_equal, greater, greater_equal
MIN, MAX, SETMIN, HIT = minimum, maximum, less, match
ADDV, ADDC, SUBTV, SUBTC, TMERGE, WMERGE = add, add, subtract, subtract, merge, merge

__all__ = [
    "Arcs", "Slice", "Table", "Weights", "Word", "add", "greater", "greater_equal", "less",
    "less_equal", "match", "maximum", "merge", "minimum", "subtract", "unequal", "unite",
]  # fmt: skip
