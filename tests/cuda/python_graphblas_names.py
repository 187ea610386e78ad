"""The names of python-graphblas's classes, and which of them objects of the device have.

``python -m tests.cuda.python_graphblas_names`` prints the tables of docs/python-graphblas.md.
"""

from __future__ import annotations

import graphblas as gb
from graphblas.core.mask import StructuralMask
from graphblas.core.matrix import TransposedMatrix

from graphla import cuda
from graphla.cuda.expressions.statement import Mask
from graphla.errors import NotSupported

CLASSES = {
    "Vector": (gb.Vector, cuda.Vector),
    "Matrix": (gb.Matrix, cuda.Matrix),
    "TransposedMatrix": (TransposedMatrix, cuda.TransposedMatrix),
    "Scalar": (gb.Scalar, cuda.Scalar),
    "Mask": (StructuralMask, Mask),
}
OBJECTS = {  # of which attributes are looked up
    "Vector.ss": (gb.Vector.ss, cuda.Vector.ss),
    "Matrix.ss": (gb.Matrix.ss, cuda.Matrix.ss),
    "graphblas.ss": (gb.ss, cuda.ss),
}
OF_EVERY_OBJECT = {*dir(object)} - {"__eq__", "__ge__", "__gt__", "__le__", "__lt__", "__ne__"}
IGNORED = OF_EVERY_OBJECT | {
    "__annotations__", "__del__", "__dict__", "__module__", "__networkx_backend__",
    "__networkx_plugin__", "__slots__", "__weakref__",
}  # fmt: skip
# Names that are there, and refuse each call.
REFUSED = {"Vector": {"__iter__"}, "Matrix": {"__iter__"}, "TransposedMatrix": {"__iter__"}}


def public(x):
    """Return the public names of a class or an object, and the special ones of Python."""
    return {n for n in dir(x) if n not in IGNORED and (n[0] != "_" or n.startswith("__"))}


def has(x, name):
    """Whether an object has a name that is not refused."""
    try:
        return hasattr(type(x), name) or hasattr(x, name)
    except NotSupported:
        return False


def works():
    """Return for each class the names that work, and those that are refused."""
    found = {}
    for table in (CLASSES, OBJECTS):
        for title, (theirs, ours) in table.items():
            names = public(theirs) if table is CLASSES else {n for n in dir(theirs) if n[0] != "_"}
            refused = {n for n in names if not has(ours, n)} | REFUSED.get(title, set())
            found[title] = sorted(names - refused), sorted(refused & names)
    return found


def rows():
    """Return the rows of the table: class, names that work, names that are refused."""
    return [
        f"| {title} | {' '.join(f'`{n}`' for n in good)} | {' '.join(f'`{n}`' for n in bad)} |"
        for title, (good, bad) in works().items()
    ]


if __name__ == "__main__":
    print("\n".join(rows()))
