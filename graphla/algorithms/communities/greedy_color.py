"""Greedy colouring, largest degree first: each vertex gets the smallest free colour.

    b = (used + 1) and not used           the lowest bit of a word that is not set
    used = used bor U' bor.first b        U: the edges to later vertices

Colours are bits of a word; `used` holds those of the neighbours that come earlier in the order.
A vertex is coloured as soon as these are (topological levels of the edges to earlier vertices).
A vertex whose 64 bits are all used waits for the next word of colours.

Cost: O(m) for each word of 64 colours and topological level.

Source: D. Welsh, M. Powell, Computer J. 10 (1967); in rounds M. Jones, P. Plassmann, "A
parallel graph coloring heuristic", SIAM J. Sci. Comput. 14 (1993).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, indexunary, monoid, select, unary
from graphblas.dtypes import INT64, UINT64

from graphla.algorithms._shared.bit_words import (
    WORD_BITS,
    band,
    bor,
    bor_bor,
    count_bits,
    minus,
    plus,
)
from graphla.algorithms._shared.edges import remove_self_loops
from graphla.algorithms.traversal.topological_levels import topological_levels
from graphla.core import validation
from graphla.core.display import Progress
from graphla.core.properties import row_counts

if TYPE_CHECKING:
    from graphla.core.graph import Graph


@validation.explains_wrong_calls
def greedy_color(G: Graph, *, progress: bool = False) -> Any:
    """Colour the vertices of an undirected graph so that neighbours differ.

    Parameters
    ----------
    G : Graph
        Symmetric. Weights and self-loops are ignored.
    progress : bool
        Show a bar of the vertices coloured.

    Returns
    -------
    Vector
        Of dtype ``G.index_dtype`` with all n entries: colours from 0 on, assigned in the
        order of falling degrees and, among equal degrees, of vertex numbers.

    Raises
    ------
    SymmetricStructureRequired
        The matrix of `G` is not symmetric.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], kind="undirected")
    >>> gl.greedy_color(G).to_dense().tolist()
    [1, 2, 0, 1]
    """
    validation.require_symmetric(G, "greedy_color")
    A, color = remove_self_loops(G), G.vector(G.index_dtype)
    rank = row_counts(A).apply(binary.times, right=G.n).new()
    rank << rank.ewise_mult(rank.apply(indexunary.rowindex).new(), binary.minus)
    base = 0
    with Progress(progress, "greedy_color", G.n) as bar:
        while rank.nvals:
            vertices, ranks = rank.to_coo()
            order = vertices[(-ranks).argsort()]
            bits = _assign_bits(G, A[order, order].new())
            positions = count_bits(bits.apply(minus, right=1).new())  # ones below the bit
            new_color = color.dup(clear=True)
            new_color[order] << positions.apply(binary.plus[INT64], right=base).new()
            color(new_color.S) << new_color
            rank(~new_color.S, replace=True) << rank.dup()
            base += WORD_BITS
            bar.step(bits.nvals)
    return color


def split_by_color(color: Any, A: Any) -> list[tuple[Any, Any]]:
    """Return, for each colour, the array of its vertices and their rows of A."""
    classes = []
    for c in range(1 + color.reduce(monoid.max).new().get(-1)):
        vertices = color.select("==", c).new().to_coo(values=False)[0]
        classes.append((vertices, A[vertices, :].new()))
    return classes


def _assign_bits(G: Graph, A: Any) -> Any:
    """Return the bit of each vertex's colour, in the order of A; no entry if none is free."""
    U = G.matrix(UINT64, A.nrows, A.ncols)
    U(A.select(select.triu, 1).new().S) << 0
    used = G.vector(UINT64, A.nrows)
    bits, b = used.dup(), used.dup()
    used << 0
    add, spread, keep = used(bor), b.vxm(U, bor_bor), bits(b.S)
    for level in topological_levels(U, row_counts(U.T)):
        b(level.S, replace=True) << used
        free = b.apply(unary.bnot[UINT64]).new()
        b << b.apply(plus, right=1)
        b << b.ewise_mult(free, band)
        b << b.select("!=", 0)
        keep << b
        add << spread
    return bits
