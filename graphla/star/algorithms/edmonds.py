"""Optimum branching of a digraph: Edmonds' algorithm.

    grow a path backwards: e = the heaviest arc into v, then v = the tail of e
    if e closes a cycle, contract the cycle to one new vertex:
        an arc of weight w into vertex u of the cycle gets the weight
        w - w(arc of the cycle into u) + w(lightest arc of the cycle),
        and is dropped if that is not positive
    at the end, expand the cycles: the arc into a cycle replaces the arc of the cycle at its head;
        a cycle without an arc into it loses its lightest arc

Source: J. Edmonds, "Optimum branchings", J. Res. NBS 71B, 1967; R. Karp, "A simple
derivation of Edmonds' algorithm for optimum branchings", Networks 1, 1971; on the machine:
A. Nepomniaschaya, "An associative version of Edmonds' algorithm for finding optimum
branchings", 2001.
"""

from __future__ import annotations

from typing import NamedTuple

from graphla.errors import DomainMismatch
from graphla.star.arcs import Arcs
from graphla.star.procedures import add, greater, match, maximum, merge, subtract
from graphla.star.slices import Slice, Word


class Cycle(NamedTuple):
    """A cycle contracted to vertex `code`: its vertices, and the head of its lightest arc."""

    code: int
    members: list[int]
    lightest: int


def edmonds(E: Arcs) -> Slice:
    """Find a branching of greatest total weight.

    Parameters
    ----------
    E : Arcs
        Arcs from left to right; loops and arcs of weight 0 are never chosen.

    Returns
    -------
    Slice
        The rows of the branching: at most one arc into each vertex, and no cycle.

    Examples
    --------
    >>> from graphla.star import Arcs
    >>> from graphla.star.algorithms import edmonds
    >>> edmonds(Arcs.from_edges([1, 2, 3, 1], [2, 3, 2, 3], [5, 8, 9, 6]))
    Slice('0011')
    """
    if not isinstance(E, Arcs):
        raise DomainMismatch(f"expected Arcs, not {type(E).__name__}")
    graph = _ContractedGraph(E)
    done: set[int] = set()
    for start in range(1, E.n + 1):
        path, v = [], graph.outermost(start)
        while v not in done and v not in path:
            path.append(v)
            if not (e := graph.choose_heaviest(v)):
                break
            v = graph.tail(e)
            if v in path:
                start_of_cycle = path.index(v)
                v = graph.contract(path[start_of_cycle:])
                del path[start_of_cycle:]
        done.update(path)
    return graph.expand()


class _ContractedGraph:
    """The arcs between vertices and contracted cycles, which are numbered n + 1, n + 2, ..."""

    def __init__(self, E: Arcs) -> None:
        self.E, code = E, (2 * E.n).bit_length()
        self.left, self.right = (add(ends, 0, bits=code) for ends in (E.left, E.right))
        self.weight = add(E.weight, 0, bits=E.weight.bits + 1)
        self.X = greater(E.weight, 0, E.used) - match(E.left, E.right)
        self.entry: dict[int, int] = {}  # the row of the arc into a vertex
        self.cycle_of: dict[int, int] = {}  # the cycle that contains a vertex
        self.cycles: list[Cycle] = []

    def outermost(self, v: int) -> int:
        """Return the outermost cycle that contains a vertex, or the vertex itself."""
        while v in self.cycle_of:
            v = self.cycle_of[v]
        return v

    def choose_heaviest(self, v: int) -> int:
        """Choose the heaviest arc into v and return its row; 0 if there is none."""
        if e := int(maximum(self.weight, match(self.right, v, self.X)).find()):
            self.entry[v] = e
        return e

    def tail(self, e: int) -> int:
        """Return the tail of the arc in a row."""
        return int(self.left.row(e))

    def contract(self, members: list[int]) -> int:
        """Contract a cycle to one vertex, and return it."""
        code = self.E.n + len(self.cycles) + 1
        weights = {u: self.weight.row(self.entry[u]) for u in members}
        lightest = min(members, key=lambda u: int(weights[u]))
        new = Word.from_integer(code, self.left.bits, engine=self.E.engine)
        for u in members:
            into = match(self.right, u, self.X)
            add(self.weight, weights[lightest], into, out=self.weight)
            better = greater(self.weight, weights[u], into)
            subtract(self.weight, weights[u], better, out=self.weight)
            self.X -= into - better
        for u in members:
            self.cycle_of[u] = code
            for ends in (self.left, self.right):
                merge(new, match(ends, u), ends)
        self.X -= match(self.left, self.right, self.X)
        self.cycles.append(Cycle(code, members, lightest))
        return code

    def expand(self) -> Slice:
        """Expand all cycles; return the rows of the branching."""
        for code, members, lightest in reversed(self.cycles):
            for u in members:
                del self.cycle_of[u]
            if e := self.entry.pop(code, 0):
                self.entry[self.outermost(int(self.E.right.row(e)))] = e
            else:
                del self.entry[lightest]
        rows = Slice(self.E.capacity, engine=self.E.engine)
        for e in self.entry.values():
            rows[e] = True
        return rows
