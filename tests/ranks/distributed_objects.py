"""Random objects of python-graphblas, the same in uneven blocks of ranks, and collectives."""

from __future__ import annotations

import graphblas as gb
import numpy as np
from hypothesis import strategies as st

from graphla.ranks import Matrix, Vector
from graphla.ranks.collectives.communicator import EncodedColumns
from graphla.ranks.layout import Grid, Layout

DTYPES = ("BOOL", "INT64", "FP64")


@st.composite
def objects(draw, shape, dtype=None):
    """Draw a Vector or a Matrix of python-graphblas with values 0 to 3."""
    dtype = dtype or draw(st.sampled_from(DTYPES))
    size = int(np.prod(shape))
    places = draw(
        st.lists(st.integers(0, size - 1), unique=True, max_size=size) if size else st.just([])
    )
    values = draw(st.lists(st.integers(0, 3), min_size=len(places), max_size=len(places)))
    values = np.array(values, gb.dtypes.lookup_dtype(dtype).np_type)
    ends = np.unravel_index(np.array(places, np.int64), shape) if size else [np.empty(0, int)] * 2
    if len(shape) == 1:
        return gb.Vector.from_coo(ends[0], values, dtype, size=shape[0])
    return gb.Matrix.from_coo(*ends, values, dtype, nrows=shape[0], ncols=shape[1])


@st.composite
def cuts(draw, lengths, ranks):
    """Draw boundaries of pieces, some of them empty, for each length."""
    found = {}
    for length in lengths:
        inner = draw(st.lists(st.integers(0, length), min_size=ranks - 1, max_size=ranks - 1))
        found[length] = np.array([0, *sorted(inner), length], np.int64)
    return found


def layout_of(ranks, boundaries=None):
    return Layout(ranks.communicator, Grid(ranks.size, 1), boundaries)


def distributed(layout, x, axis=0):
    """Return the distributed object with the entries of one of python-graphblas."""
    *ends, values = x.to_coo()
    first, last = layout.piece(x.shape[axis])
    from_host = layout.blocks.from_host
    own = (ends[axis] >= first) & (ends[axis] < last)
    ends = [end[own] for end in ends]
    ends[axis] = ends[axis] - np.uint64(first)
    if x.ndim == 1:
        block = gb.Vector.from_coo(*ends, values[own], x.dtype, size=last - first)
        return Vector._of(layout, from_host(block), x.shape)
    shape = [last - first if k == axis else n for k, n in enumerate(x.shape)]
    block = gb.Matrix.from_coo(*ends, values[own], x.dtype, nrows=shape[0], ncols=shape[1])
    return Matrix._of(layout, from_host(block), x.shape, axis)


def assert_same(ours, theirs):
    """Check dtype, shape and entries of what was gathered: floats to rounding."""
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    *our_ends, our_values = ours.to_coo()
    *their_ends, their_values = theirs.to_coo()
    for a, b in zip(our_ends, their_ends, strict=True):
        np.testing.assert_array_equal(a, b)
    if theirs.dtype.np_type.kind == "f":
        np.testing.assert_allclose(our_values, their_values, rtol=1e-12)
    else:
        np.testing.assert_array_equal(our_values, their_values)


def check_exchange(communicator):
    """Send columns of three types, of which some ranks get nothing, and gather them."""
    rank, size, xp = communicator.rank, communicator.size, communicator.blocks.xp
    everything = [[s * (r % 2) * 7 for r in range(size)] for s in range(size)]  # from s to r
    numbers = [np.full(everything[s][r], s * size + r) for s in range(size) for r in range(size)]
    sent = np.concatenate(numbers[rank * size : (rank + 1) * size])
    types = np.int32, np.float64, np.bool_
    columns = [xp.asarray(sent.astype(t)) for t in types]
    received, arrived = communicator.exchange("exchange", everything[rank], columns)
    assert arrived.tolist() == [row[rank] for row in everything]
    for t, column in zip(types, received, strict=True):
        assert column.dtype == t
        expected = np.concatenate(numbers[rank::size]).astype(t)
        np.testing.assert_array_equal(communicator.blocks.to_host(column), expected)

    def encode(counts):
        assert counts.tolist() == [sum(row) for row in everything]
        few = [xp.asarray(np.full(2 * rank, rank, np.uint8))]
        return EncodedColumns(columns[:2] + few, [counts, counts, 2 * np.arange(size)], "columns")

    whole, _ = communicator.gather_columns("gather", sent.size, encode)
    expected = np.concatenate(numbers)
    for column, content in zip(
        whole, (expected, expected * 1.0, np.repeat(np.arange(size), 2 * np.arange(size))),
        strict=True,
    ):  # fmt: skip
        np.testing.assert_array_equal(communicator.blocks.to_host(column), content)
