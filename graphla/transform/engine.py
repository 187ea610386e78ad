"""The interface between transforms and engines, and helpers that work on every engine.

A transform is written once, with the array module ``ops.xp`` (NumPy or CuPy) and the operations
of :class:`EngineOperations`. The modules cpu.py (Numba) and cuda.py (CUDA kernels) implement it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from graphla.core import validation
from graphla.core.engines import refuse_ranks
from graphla.errors import InvalidValue

if TYPE_CHECKING:
    from graphla.core.edge_list import Kind
    from graphla.core.graph import Graph
    from graphla.core.properties import CSR

F = TypeVar("F", bound=Callable[..., Any])
MAX_VERTICES = 1 << 32  # two vertices fit in a 64-bit word


class EngineOperations(Protocol):
    """What each engine implements, as a module; all arrays are arrays of the engine."""

    @property
    def xp(self) -> Any:
        """NumPy, or the array module of the device."""

    def csr_arrays(self, G: Graph) -> CSR:
        """Return the adjacency matrix as arrays; values is None for a Boolean matrix."""

    def matrix_from_rows(self, rows: CSR, dtype: Any) -> Any:
        """Return a square Matrix; columns ascend in each row. Without values it is Boolean."""

    def row_numbers(self, indptr: Any) -> Any:
        """Return the row of each entry."""

    def permute(self, G: Graph, num_rows: int, new_row: Any, column_order: Any, names: Any) -> CSR:
        """Return the matrix with its rows renumbered and each row in another order of columns.

        Row u becomes row new_row[u]. The columns of a row are sorted by their position in
        `column_order`, and column_order[k] is written as names[k], or as k if names is None.
        Columns that `column_order` leaves out must have no entries.
        """

    def sort_rows_by_weight(self, G: Graph) -> CSR:
        """Return the adjacency matrix with each row sorted by (weight, column)."""

    def breadth_first_order(self, G: Graph, seeds: Any, degree: Any) -> Any:
        """Return the vertices in the order in which a queue releases them.

        A released vertex appends its unvisited neighbours, in ascending order or, given `degree`,
        by (degree, vertex). When the queue is empty, the first unvisited seed enters. The
        structure of G is symmetric.
        """

    def largest_columns(self, indptr: Any, indices: Any, group_rows: int) -> Any:
        """Return the largest column of each group of `group_rows` rows; 0 for an empty group."""

    def pack_columns(
        self, indptr: Any, indices: Any, group_rows: int, starts: Any, widths: Any, words: Any
    ) -> None:
        """Write the columns of group r as numbers of widths[r] bits, from word starts[r] on."""

    def unpack_columns(
        self, indptr: Any, group_rows: int, starts: Any, widths: Any, words: Any, indices: Any
    ) -> None:
        """Undo pack_columns."""

    def densest_windows(self, indptr: Any, indices: Any, width: int) -> Any:
        """Return for each row the column c so that c..c + width - 1 has most of its entries."""


def operations(engine: str) -> EngineOperations:
    """Return the operations of an engine."""
    if engine == "cpu":
        from graphla.transform import cpu

        return cpu
    from graphla.transform import cuda

    return cuda


def operations_for(G: Graph) -> EngineOperations:
    """Return the operations of the graph's engine; refuse a graph that is too large."""
    validation.check_graph(G)
    refuse_ranks(G.engine, "a transform")
    if G.n > MAX_VERTICES:
        raise InvalidValue(f"transforms take graphs of up to 2^32 vertices; this has n={G.n:,}")
    return operations(G.engine)


def translate_out_of_memory(function: F) -> F:
    """Decorate a function of an object with an engine: raise OutOfDeviceMemory for CuPy's error."""

    @wraps(function)
    def wrapper(x: Any, *args: Any, **options: Any) -> Any:
        if getattr(x, "engine", "cpu") == "cpu":
            return function(x, *args, **options)
        refuse_ranks(x.engine, "a transform")
        from graphla.cuda.expressions.statement import translate_out_of_memory as translate

        return translate(function)(x, *args, **options)

    return cast(F, wrapper)


def out_degrees(G: Graph) -> Any:
    """Return the out-degrees as an array."""
    return G.out_degree.to_dense()


def descending_degree_order(G: Graph) -> Any:
    """Return the vertices by descending out-degree; equal degrees by vertex."""
    return (-out_degrees(G)).argsort(kind="stable")


def graph_from_matrix(A: Any, kind: Kind) -> Graph:
    """Return a Graph of a Matrix that fits the kind; nothing is checked or copied."""
    from graphla.core.graph import Graph

    G = Graph.__new__(Graph)
    G.__setstate__((A, kind))
    return G


def graph_from_rows(rows: CSR, like: Graph, dtype: Any = None) -> Graph:
    """Return a Graph of rows with ascending columns; kind and dtype are those of `like`."""
    A = operations_for(like).matrix_from_rows(rows, dtype or like.dtype)
    return graph_from_matrix(A, like.kind)


def inverse_permutation(order: Any, n: int, xp: Any) -> Any:
    """Return the position of each of 0..n-1 in `order`, or -1."""
    position = xp.full(n, -1, order.dtype)
    position[order] = xp.arange(order.size, dtype=order.dtype)
    return position
