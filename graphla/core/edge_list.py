"""Edge columns to an adjacency matrix: check, sort, combine equal edges, symmetrise.

An edge (i, j) is one 64-bit key, i in the high bits and j in the low ones. Sorting
the keys orders the rows, orders the columns within each row and brings equal edges
together; their low bits are then the column indices of compressed sparse rows.
An undirected graph is built as its upper triangle U, then A = U + U'.

Many edges are sorted in parallel, in `numba_support/compressed_rows.py`, with the same result but
for the rounding of sums of floats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from graphblas import Matrix, binary

from graphla.core.display import warn_caller
from graphla.core.input_arrays import MAX_VERTICES, column, copied, real, size, top_vertex
from graphla.core.threads import num_threads
from graphla.errors import DimensionMismatch, InvalidGraph, InvalidValue, IsolatedVertices
from graphla.suggestions import argument

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Kind = Literal["directed", "undirected"]

# rule -> how it combines the weights of equal edges, or their positions in the input
BY_WEIGHT = {"min": np.fmin, "max": np.fmax, "sum": np.add}
BY_POSITION = {"first": np.minimum, "last": np.maximum}
DUP_RULES = (*BY_WEIGHT, *BY_POSITION)

# Beyond both, vertices without edges would take most memory: ids that far apart are labels.
MANY_VERTICES = 1 << 24
VERTICES_PER_EDGE = 100
MANY_ISOLATED = 20  # vertices without edges that may be meant, whatever their share

# Edges from which threads share the work, by compiled loops. A process loads them at its first
# call, in about the time in which NumPy sorts so many; later calls are faster from 2^19 on.
MAX_SORTED_VERTICES = 1 << 31  # of the parallel sort
PARALLEL_FROM = 1 << 21


def adjacency(
    src: ArrayLike,
    dst: ArrayLike,
    weight: ArrayLike | None = None,
    *,
    n: int | None = None,
    kind: Kind = "directed",
    dup: str | None = "min",
) -> Any:
    """Build the adjacency matrix of the edges src[k] -> dst[k].

    The columns may be NumPy arrays, pandas or Arrow columns, or lists. They are
    only read; the matrix shares no memory with them.

    Parameters
    ----------
    src, dst : array_like of int, shape (m,)
        Ends of the edges, in 0..n-1, of any integer dtype.
    weight : array_like, shape (m,), optional
        Weights; the matrix has their dtype: (unsigned) integers of 8 to 64 bits,
        float32 or float64. Without weights, or with Boolean ones, the graph is
        unweighted: a BOOL matrix that is True at every edge. An edge of weight 0
        (or False) is an edge.
    n : int, optional
        Number of vertices; by default the largest vertex + 1, unless that
        exceeds 2^24 and 100 times the number of edges. If it is given, there
        is no warning of isolated vertices.
    kind : {"directed", "undirected"}
        In an undirected graph (u, v) and (v, u) are the same edge: they combine
        like any equal edges and the matrix is exactly symmetric. An edge may be
        given in one direction or in both.
    dup : {"min", "max", "sum", "first", "last"} or None, default "min"
        What becomes of edges that occur more than once, as in
        :func:`graphla.read`. "min" and "max" leave NaN out unless all are NaN;
        "first" and "last" go by the order of the input. None refuses them.
        Unweighted, every rule leaves one edge. `Graph.nmerged`, and the text of
        the graph, say how many were combined.

    Returns
    -------
    graphblas.Matrix
        `n` x `n`, stored by row.

    Raises
    ------
    DimensionMismatch
        A column is not one-dimensional, or their lengths differ.
    DomainMismatch
        Vertices that are not integers, weights that are not real, or masked entries.
    InvalidIndex
        A vertex is negative or not below `n`.
    InvalidValue
        `n` is negative or above 2^60, or not given and the vertices are so far
        apart that almost none has an edge; or dup="sum" overflows an integer dtype.
    InvalidGraph
        `kind` or `dup` is unknown, or an edge occurs twice and `dup` is None.

    Warns
    -----
    IsolatedVertices
        `n` is not given, and more than three quarters of the vertices, and at
        least 20, have no edge: their numbers may be labels.

    Notes
    -----
    From 2^21 edges on, if n is at most 2^31 and at most m, all threads
    (:func:`graphla.set_threads`) sort by radix, in linear work. In addition to the columns, the
    peak memory is 1.1 times that of the result, itself included, if few edges are equal. If most
    are, it is at most twice 8 bytes and a weight for an edge of the input, and double that for an
    undirected one. If most edges share one vertex, sorting its row takes as much again. Columns
    that are not contiguous, or of 8 or 16 bits, are copied. Weights of floating point are added
    in the order of the input. The first call of all compiles the loops for the width of the
    weights, in some seconds.

    Otherwise NumPy sorts m 64-bit keys; of more than 2^32 vertices it renumbers those that have
    edges first. Its peak memory is 2 to 3 times that of the result if few edges are equal; if most
    are, it is at most 32 bytes an input edge.

    Examples
    --------
    >>> A = adjacency([0, 1, 1], [1, 0, 2], [5, 3, 4], kind="undirected")
    >>> A.to_dense(fill_value=0).tolist()
    [[0, 3, 0], [3, 0, 4], [0, 4, 0]]
    """
    check_kind(kind)
    if dup is not None and dup not in DUP_RULES:
        raise InvalidGraph(f"dup must be one of {DUP_RULES} or None, not {dup!r}")
    columns = {"src": column(src, "src"), "dst": column(dst, "dst")}
    if weight is not None:
        columns["weight"] = real(column(weight, "weight"))
    if len({x.size for x in columns.values()}) > 1:
        lengths = ", ".join(f"{name} {x.size}" for name, x in columns.items())
        raise DimensionMismatch(f"edge columns must have equal lengths; got {lengths}")
    limit = MAX_VERTICES if n is None else size(n)
    top = max(top_vertex(columns[end], end, limit) for end in ("src", "dst"))
    if n is None:
        limit = top + 1
        if is_almost_empty(limit, columns["src"].size):
            raise InvalidValue(f"the largest vertex is {top:,}: {almost_empty_text(limit)}")
        _warn_of_isolated_vertices(columns["src"], columns["dst"], limit)

    return assemble(*columns.values(), n=limit, dup=dup, symmetric=kind == "undirected")


def is_almost_empty(n: int, edges: int) -> bool:
    """Whether so few of `n` vertices have edges that their numbers must be labels."""
    return n > max(MANY_VERTICES, VERTICES_PER_EDGE * edges)


def almost_empty_text(n: int) -> str:
    """Return what such numbers mean, and what to do with them."""
    return f"almost no vertex up to there has an edge; {_labels_text(n)}"


def _labels_text(n: int) -> str:
    """Return what to do with vertices whose numbers may be labels."""
    return (
        "if the numbers are labels, gl.interop.pandas.from_edges(frame, src, dst) maps them to "
        f"0, 1, 2, ...; {argument('n', n)} takes them as they are"
    )


def _warn_of_isolated_vertices(src: Any, dst: Any, n: int) -> None:
    """Warn if more than three quarters of `n` vertices, and at least 20, have no edge."""
    if n <= MANY_ISOLATED:
        return
    has_edge = np.zeros(n, bool)
    start, stop = 0, n  # as few edges as may be enough, and then twice as many
    while start < src.size:
        for ends in (src, dst):
            has_edge[ends[start:stop]] = True
            count = int(np.count_nonzero(has_edge))
            if 4 * count >= n or n - count < MANY_ISOLATED:
                return
        start, stop = stop, 2 * stop
    warn_caller(
        f"only {count:,} of {n:,} vertices have an edge; {_labels_text(n)}", IsolatedVertices
    )


def assemble(
    rows: Any, cols: Any, values: Any = None, *, n: int, dup: str | None = None,
    symmetric: bool = False, skip_loops: bool = False, nrows: int | None = None,
) -> Any:  # fmt: skip
    """Return the `n` x `n` Matrix of checked columns; `values` None or bool means all True.

    `symmetric` adds the reverse of every entry. `skip_loops` leaves out entries on the diagonal,
    for which `values` then has none. `nrows` is the number of rows where it is less than `n`. The
    arguments are only read.
    """
    nrows = n if nrows is None else nrows
    if values is not None and values.dtype == bool:
        values = None
    options: dict[str, Any] = {"nrows": nrows, "dup": dup, "symmetric": symmetric}
    if rows.size >= PARALLEL_FROM and nrows <= rows.size and n <= MAX_SORTED_VERTICES:
        A = _assemble_in_parallel(rows, cols, values, n=n, skip_loops=skip_loops, **options)
        if A is not None:
            return A
    if skip_loops:
        is_edge = rows != cols
        if not is_edge.all():
            rows, cols = rows[is_edge], cols[is_edge]
    return _assemble_by_numpy(rows, cols, values, n=n, **options)


def _assemble_in_parallel(
    rows: Any, cols: Any, values: Any, *, n: int, nrows: int, dup: str | None, symmetric: bool,
    skip_loops: bool,
) -> Any:  # fmt: skip
    """Do the work of `assemble` by all threads; return None if that is not possible."""
    from graphla.numba_support import compiling
    from graphla.numba_support.compressed_rows import compressed_rows

    if not compiling.is_enabled():
        return None
    with compiling.announce_compilation("the sort of edges"):
        found = compressed_rows(
            rows, cols, values, nrows=nrows, ncols=n, dup=dup, symmetric=symmetric,
            skip_loops=skip_loops, threads=num_threads(),
        )  # fmt: skip
    if found is None:
        return None
    if dup is None and found.repeated is not None:
        raise _repeated_edge(*found.repeated, edges=rows.size, repeats=found.repeats)
    if found.overflow is not None:
        i, j = found.overflow
        is_first = (rows == i) & (cols == j)
        if symmetric:
            is_first |= (rows == j) & (cols == i)
        raise _overflow(is_first.argmax(), values.dtype)
    return own_csr(found.indptr, found.columns, found.values, n)


def _assemble_by_numpy(
    rows: Any, cols: Any, values: Any, *, n: int, nrows: int, dup: str | None, symmetric: bool
) -> Any:
    """Do the work of `assemble` by sorting all keys at once."""
    cast: Any = {"dtype": np.uint64, "casting": "unsafe"}  # no index is negative
    names, used = None, n
    if n > 1 << 32:  # a key has no room for two such vertices: number those that occur
        names, both = np.unique(np.concatenate((rows, cols), **cast), return_inverse=True)
        rows, cols = np.split(both, 2)
        used = names.size
    bits = max(used - 1, 0).bit_length()
    low = (1 << bits) - 1

    keys = np.minimum(rows, cols, **cast) if symmetric else rows.astype(np.uint64)
    keys <<= bits
    np.bitwise_or(keys, np.maximum(rows, cols, **cast) if symmetric else cols, out=keys, **cast)
    if values is None:
        keys.sort()
    else:
        keys, order = _sort(keys, 2 * bits)
    new = np.ones(keys.size, bool)
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    if dup is None and not new.all():
        ends = [int(k) for k in divmod(int(keys[new.argmin()]), 1 << bits)]
        i, j = ends if names is None else names[ends]
        raise _repeated_edge(i, j, edges=new.size, repeats=int(np.count_nonzero(~new)))
    if values is not None:
        values = _combine(values, order, np.flatnonzero(new), dup)
        del order
    keys = keys[new]

    if nrows > keys.size or names is not None:  # row pointers would outweigh the edges
        rows, cols = keys >> bits, keys & low
        if names is not None:
            rows, cols = names[rows], names[cols]
        values = True if values is None else values
        U = Matrix.from_coo(rows, cols, values, nrows=nrows, ncols=n)
    else:
        starts = np.arange(nrows, dtype=np.uint64) << bits
        indptr = np.append(np.searchsorted(keys, starts), keys.size)
        keys &= low
        U = own_csr(indptr, keys, values, n)
    if not symmetric:
        return U
    A = U.ewise_add(U.T, binary.any).new()
    U.clear()  # python-graphblas's objects hold themselves until a garbage collection
    return A


def own_csr(indptr: Any, indices: Any, values: Any, n: int) -> Any:
    """Move compressed sparse rows of `n` columns, sorted and without duplicates, into a Matrix.

    The arrays must be ours to give: SuiteSparse frees them.
    """
    return Matrix.ss.import_csr(
        nrows=len(indptr) - 1,
        ncols=n,
        indptr=copied(indptr, np.uint64),
        col_indices=indices,
        values=np.ones(1, bool) if values is None else values,
        is_iso=values is None,
        sorted_cols=True,
        take_ownership=True,
    )


def _sort(keys: Any, key_bits: int) -> tuple[Any, Any]:
    """Return the sorted keys and the positions that they came from; `keys` is overwritten."""
    bits = max(keys.size - 1, 0).bit_length()
    if key_bits + bits > 64:
        order = np.argsort(keys)
        return keys[order], order
    keys <<= bits  # there is room for the positions: sort both at once
    keys |= np.arange(keys.size, dtype=np.uint64)
    keys.sort()
    order = (keys & ((1 << bits) - 1)).view(np.int64)
    keys >>= bits
    return keys, order


def _combine(values: Any, order: Any, starts: Any, dup: str | None) -> Any:
    """Return one weight for each run of equal keys, which begin at `starts`."""
    if dup in BY_POSITION:
        return values[BY_POSITION[dup].reduceat(order, starts)]
    values = values[order]
    if dup is None:
        return values
    combined = BY_WEIGHT[dup].reduceat(values, starts, dtype=values.dtype)
    if dup == "sum" and values.dtype.kind in "iu":
        # a sum that wrapped around is off by a multiple of 2^bits
        error = np.add.reduceat(values, starts, dtype=np.float64)
        error -= combined
        wrapped = np.abs(error) >= 2.0 ** (8 * values.itemsize - 1)
        if wrapped.any():
            raise _overflow(order[starts[wrapped.argmax()]], values.dtype)
    return combined


def _repeated_edge(i: int, j: int, *, edges: int, repeats: int) -> InvalidGraph:
    return InvalidGraph(
        f"the edge ({i}, {j}) occurs twice: of {edges:,} edges "
        f"{repeats:,} repeat another one; "
        "Graph.from_edges(..., dup='min' or another rule) combines such edges"
    )


def _overflow(position: int, dtype: Any) -> InvalidValue:
    return InvalidValue(
        f"the weights of the edge at position {position} sum to more than {dtype} holds"
    )


def check_kind(kind: str) -> None:
    """Refuse an unknown kind of graph."""
    if kind not in ("directed", "undirected"):
        raise InvalidGraph(f"kind must be 'directed' or 'undirected', not {kind!r}")
