"""Reference models on Boolean arrays and Python integers, and strategies for operands."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from graphla.star import Slice, Table, Word
from tests.strategies import examples

drawn = examples(30)
LENGTHS = st.sampled_from([1, 2, 31, 63, 64, 65, 127, 128, 130, 200])
DENSITIES = st.sampled_from([0.0, 0.01, 0.5, 0.99, 1.0])


@st.composite
def bits(draw, n=None):
    """Draw a Boolean array, sparse, dense or in between."""
    n = draw(LENGTHS) if n is None else n
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return rng.random(n) < draw(DENSITIES)


@st.composite
def pairs(draw):
    """Draw two Boolean arrays of one length, which may be equal or nearly so."""
    x = draw(bits())
    y = draw(st.one_of(bits(x.size), st.just(x.copy())))
    return x, y


@st.composite
def tables(draw, widest=10):
    """Draw a Boolean array of rows, many of them equal, a control slice and a width."""
    n, k = draw(LENGTHS), draw(st.integers(1, widest))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    few = rng.random((draw(st.integers(1, 6)), k)) < 0.5
    return few[rng.integers(0, len(few), n)], draw(bits(n))


def numbers(rows):
    """Return the rows of a Boolean array as Python's integers, column 0 the highest bit."""
    return [int("".join("01"[int(b)] for b in row), 2) for row in rows]


def value(x):
    """Return a Boolean array as a Python integer."""
    return int("0" + "".join("01"[int(b)] for b in x), 2)


def sliced(x, engine):
    return Slice.from_numpy(x, engine=engine)


def worded(x, engine):
    return Word.from_numpy(x, engine=engine)


def tabled(rows, engine):
    return Table.from_numpy(rows, engine=engine)


def same(ours, model):
    """Return whether the bits equal the model's and the unused bits of the last word are 0."""
    words = ours._ops.to_host(ours.words if hasattr(ours, "words") else ours.data)
    extra = np.unpackbits(words.view(np.uint8), axis=-1, bitorder="little")[..., ours.n :]
    return not extra.any() and ours.to_numpy().tolist() == np.asarray(model).tolist()
