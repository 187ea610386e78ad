"""The STAR-machine: associative processing of tables of bits, on the CPU and on the GPU.

STAR is an abstract model of vertical processing: data are accessed by content, one column of bits
at a time, for all rows at once. Its terms, which the names here follow:

table
    A matrix of bits, stored by columns (:class:`Table`). A row is a number, column 1 its most
    significant bit. A field is a range of columns.
slice
    A column of n bits, one bit for each row (:class:`Slice`): a column of a table, or the set of
    rows whose bit is 1. A control slice X selects the rows that a procedure works on.
word
    A row of bits (:class:`Word`), read as a number.
basic procedures
    Functions over all rows that a control slice selects: MATCH (rows equal to a word), LESS and
    GREAT (comparison with a word), MIN and MAX (rows with the extreme value), HIT and SETMIN
    (comparison of two tables), ADDV and ADDC (addition of a word or a table), SUBTV and SUBTC
    (subtraction), TMERGE and WMERGE (write a table or a word into rows). They take time
    proportional to the number of columns, independently of the number of rows in the model.
operations of slices
    SET, CLR (all bits 1, or 0), FND (position of the first 1), STEP (the same, and clear this
    bit), NUMB (number of ones), FRST (keep the first 1 only), SOME (is any bit 1).

Positions are counted from 1, as in the model. Python names are lower case; the upper-case names
of the model are aliases. A graph is an adjacency :class:`Table`, a list of arcs (:class:`Arcs`) or
a matrix of :class:`Weights`; :mod:`graphla.star.algorithms` has algorithms on them.

Layers: `bits` and `slices`, `table`, `procedures`, then the graph forms and algorithms. All of
them call the operations of one engine, the functions of `on_cpu` or `on_cuda`, which have the same
names and parameters.

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
from graphla.star.slices import Slice, Word
from graphla.star.table import Table
from graphla.star.weights import Weights

MATCH, LESS, LESSEQ, GREAT, GREATEQ = match, less, less_equal, greater, greater_equal
MIN, MAX, SETMIN, HIT = minimum, maximum, less, match
ADDV, ADDC, SUBTV, SUBTC, TMERGE, WMERGE = add, add, subtract, subtract, merge, merge

__all__ = [
    "Arcs", "Slice", "Table", "Weights", "Word", "add", "greater", "greater_equal", "less",
    "less_equal", "match", "maximum", "merge", "minimum", "subtract", "unequal", "unite",
]  # fmt: skip
