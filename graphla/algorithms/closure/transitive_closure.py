"""Transitive closure: the vertices that each vertex reaches by a path of at least one edge.

    squaring    R |= R any.pair R                   log2(d) products
    linear      F<~R, replace> = F any.pair A       d products; F has the new entries of R
    doubling    R |= A any.pair R, then R |= R any.pair R

where d is the longest distance. If the engine stores R in bits, `transitive_closure` uses
doubling: a step along the edges combines m rows of R, a squaring up to n^2, so squarings begin
after as many steps as cost one squaring. Otherwise, except for tiny graphs, the strongly connected
components, which cause most of the work, are condensed first (condensed_closure).

Cost: a product over pairs in each of O(log n) to O(n) steps; the result has up to n^2 entries.

Source: F. Afrati, J. Ullman, "Transitive closure and recursive Datalog implemented
on clusters", EDBT 2012; F. Bancilhon, "Naive evaluation of recursively defined
relations", 1986 (semi-naive evaluation).
"""

from __future__ import annotations

from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

from graphblas import binary, semiring
from graphblas.dtypes import BOOL

from graphla.algorithms._shared.edges import make_pattern
from graphla.algorithms.closure.closure_size import choose_form
from graphla.algorithms.closure.condensed_closure import transitive_closure_condensed
from graphla.core import memory, validation
from graphla.core.display import Progress
from graphla.execution.hints import set_storage_hint
from graphla.execution.push_pull import boolean_matrix_storage

if TYPE_CHECKING:
    from graphla.core.graph import Graph

any_pair = semiring.any_pair[BOOL]
TINY = 256  # vertices up to which condensing costs more than it saves
POSITIONS_PER_STEP = 2**22  # a squaring costs one step for each so many positions of R


@validation.explains_wrong_calls
def transitive_closure(G: Graph, *, max_bytes: int | None = None, progress: bool = False) -> Any:
    """Find all pairs of vertices that a path joins.

    The graph of the strongly connected components is closed by one sweep from its sinks, and
    each component is then replaced by its vertices. That is faster than the other methods at
    every density that was measured, and no slower on acyclic graphs. Two kinds of graphs are
    closed differently: up to 256 vertices by :func:`transitive_closure_linear`, and, if the
    engine stores Boolean matrices in bits, up to 65,536 vertices by
    :func:`transitive_closure_doubling`, which is then faster.

    Parameters
    ----------
    G : Graph
        Weights are ignored.
    max_bytes : int, optional
        Largest result to build; by default half of the available memory, as
        building takes up to as much again.
    progress : bool
        Show a bar of the products.

    Returns
    -------
    Matrix
        Boolean n x n. Entry (i, j) is present, and True, if a path of at least one edge
        leads from i to j; so (i, i) is present if i is on a cycle.

    Raises
    ------
    OutOfMemory
        The result takes more than `max_bytes`. Its size is estimated before
        it is built, with a standard error of 18 %.

    Examples
    --------
    >>> import graphla as gl
    >>> R = gl.transitive_closure(gl.Graph.from_edges([0, 1, 2, 3], [1, 2, 1, 3], n=5))
    >>> [x.tolist() for x in R.to_coo()[:2]]
    [[0, 0, 1, 1, 2, 2, 3], [1, 2, 1, 2, 1, 2, 3]]
    """
    validation.check_graph(G)
    close, dense = transitive_closure_condensed, boolean_matrix_storage(G)
    if dense.form == "bits" and dense.is_small:
        if dense.nbytes <= memory.budget(max_bytes, G.engine):
            close = transitive_closure_doubling
    elif G.n <= TINY:
        close = transitive_closure_linear
    return close(G, max_bytes=max_bytes, progress=progress)


@validation.explains_wrong_calls
def transitive_closure_squaring(
    G: Graph, *, max_bytes: int | None = None, progress: bool = False
) -> Any:
    """Find all pairs of vertices that a path joins, by repeated Boolean squaring.

    Parameters, result and errors are those of :func:`transitive_closure`.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.transitive_closure_squaring(gl.Graph.from_edges([0, 1], [1, 2])).nvals
    3
    """
    storage = choose_form(G, max_bytes)
    R, before = make_pattern(G, BOOL, True), -1
    if storage == "bits":  # squaring a bitmap is slower than squaring sparse rows
        set_storage_hint(R, form=storage)
    with Progress(progress, "transitive_closure_squaring") as bar:
        while before != R.nvals:
            before = R.nvals
            R(binary.any) << R.mxm(R, any_pair)
            bar.step()
    return R


@validation.explains_wrong_calls
def transitive_closure_doubling(
    G: Graph, *, max_bytes: int | None = None, progress: bool = False
) -> Any:
    """Find all pairs of vertices that a path joins, by steps along the edges and then squarings.

    Parameters, result and errors are those of :func:`transitive_closure`.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.transitive_closure_doubling(gl.Graph.from_edges([0, 1], [1, 2])).nvals
    3
    """
    storage = choose_form(G, max_bytes)
    R, A = make_pattern(G, BOOL, True), make_pattern(G, BOOL, True)
    set_storage_hint(R, form=storage)
    add, step, square = R(binary.any), A.mxm(R, any_pair), R.mxm(R, any_pair)
    with Progress(progress, "transitive_closure_doubling") as bar:
        for further in chain(repeat(step, G.n * G.n // POSITIONS_PER_STEP), repeat(square)):
            before = R.nvals
            add << further
            bar.step()
            if R.nvals == before:
                break
    return R


@validation.explains_wrong_calls
def transitive_closure_linear(
    G: Graph, *, max_bytes: int | None = None, progress: bool = False
) -> Any:
    """Find all pairs of vertices that a path joins, one edge further at a time (semi-naive).

    Parameters, result and errors are those of :func:`transitive_closure`.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.transitive_closure_linear(gl.Graph.from_edges([0, 1], [1, 2])).nvals
    3
    """
    storage = choose_form(G, max_bytes)
    R = make_pattern(G, BOOL, True)
    F, A = R.dup(), R.dup()
    set_storage_hint(R, form=storage)
    discover, step, add = F(~R.S, replace=True), F.mxm(A, any_pair), R(F.S)
    with Progress(progress, "transitive_closure_linear") as bar:
        while F.nvals:
            discover << step
            add << True
            bar.step()
    return R
