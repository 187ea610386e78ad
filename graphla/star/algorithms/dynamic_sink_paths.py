"""Dynamic shortest paths to one sink: arcs are inserted and deleted (Ramalingam).

The subgraph S is the arcs u -> v with D(u) = weight(u, v) + D(v): all shortest paths to the sink.

    delete i -> j      if it was the last arc of i in S, i is affected, and so is each vertex
                       whose last arc in S led to an affected vertex;
                       Dijkstra's algorithm on the affected vertices, from their other arcs
    insert i -> j      if it decreases the distance of i, Dijkstra's algorithm backwards from i on
                       the vertices whose distance decreases
    the arcs of S at the vertices whose distance changed are computed again

The work depends on the number of vertices that change, not on the size of the graph.

Source: G. Ramalingam, T. Reps, "An incremental algorithm for a generalization of the
shortest-path problem", J. Algorithms 21, 1996; on the machine: A. Nepomniaschaya,
"Associative version of the Ramalingam decremental algorithm for dynamic updating the
single-sink shortest-paths subgraph", PaCT 2009.
"""

from __future__ import annotations

from graphla.errors import DomainMismatch, InvalidValue
from graphla.star.algorithms.dijkstra import dijkstra
from graphla.star.arcs import check_vertex, check_weight
from graphla.star.procedures import add, less, match, merge, minimum
from graphla.star.slices import Slice
from graphla.star.table import Table
from graphla.star.weights import Weights


class SinkPaths:
    """The distances to a sink, and the arcs of shortest paths, updated when arcs change.

    Parameters
    ----------
    W : Weights
        Entry (i, j) is the weight of the arc from i to j, >= 1. It is copied.
    sink : int
        1..n.

    Attributes
    ----------
    weights : Weights
        The current arcs.
    distance : Table
        Row u is the distance from u to the sink.
    reached : Slice
        The vertices with a path to the sink; other rows of `distance` are not valid.
    subgraph : Table
        n x n; bit (u, v) is 1 if the arc from u to v is on a shortest path.

    Raises
    ------
    InvalidIndex
        A vertex is out of range 1..n.
    InvalidValue
        An arc to insert exists, or an arc to delete does not; a weight is 0 or does not fit.
        Nothing is changed.
    NegativeWeight
        The weights are signed.

    Examples
    --------
    >>> from graphla.star import Weights
    >>> from graphla.star.algorithms import SinkPaths
    >>> W = Weights(3, 4)
    >>> W[1, 2], W[2, 3], W[1, 3] = 2, 1, 3
    >>> S = SinkPaths(W, 3)
    >>> S.subgraph.row(1), S.distance.to_integers().tolist()
    (Word('011'), [3, 1, 0])
    >>> S.delete_arc(2, 3)
    >>> S.subgraph.row(1), S.reached
    (Word('001'), Slice('101'))
    """

    def __init__(self, W: Weights, sink: int) -> None:
        if not isinstance(W, Weights):
            raise DomainMismatch(f"expected Weights, not {type(W).__name__}")
        reverse = W.transpose()
        self.distance, _, self.reached, _ = dijkstra(reverse, sink)
        for i in range(1, W.n + 1):
            if j := int(match(W.field(i), 0, W.has(i)).find()):
                raise InvalidValue(f"the arc {i} -> {j} has weight 0")
        self.weights, self._reverse = W.copy(), reverse
        self.subgraph = Table(W.n, W.n, engine=W.engine)
        for v in self.reached.positions().tolist():
            self._update_subgraph(v)

    def insert_arc(self, i: int, j: int, w: int) -> None:
        """Add an arc of weight w from i to j."""
        i, j = self._ends(i, j)
        if self.weights.present[j, i]:
            raise InvalidValue(f"there is an arc {i} -> {j} already")
        if check_weight(w, self.weights.bits) == 0:
            raise InvalidValue(f"the arc {i} -> {j} has weight 0")
        self.weights[i, j] = self._reverse[j, i] = w
        if not self.reached[j]:
            return
        start = Slice(self.weights.n, engine=self.weights.engine)
        start[i] = True
        lengths, nearer = self._relax(j, start)
        if match(lengths, self.distance, start & self.reached):
            self.subgraph[i, j] = True
        elif nearer:
            merge(lengths, nearer, self.distance)
            self.reached |= nearer
            self._settle(nearer)

    def delete_arc(self, i: int, j: int) -> None:
        """Remove the arc from i to j."""
        i, j = self._ends(i, j)
        if not self.weights.present[j, i]:
            raise InvalidValue(f"there is no arc {i} -> {j}")
        del self.weights[i, j], self._reverse[j, i]
        if not self.subgraph[i, j]:
            return
        self.subgraph[i, j] = False
        if self.subgraph.row(i):
            return
        affected = self._remove_affected(i)
        self.reached -= affected
        queue, rest = Slice(affected.n, engine=affected.engine), affected.copy()
        new_distance = self.distance.copy()
        while a := int(rest.step()):
            X = self.weights.has(a) & self.reached
            lengths = add(self.weights.field(a), self.distance, X)
            if v := int(minimum(lengths, X).find()):
                new_distance.set_row(a, lengths.row(v))
                queue[a] = True
        merge(new_distance, queue, self.distance)
        self.reached |= queue
        self._settle(queue)

    def _remove_affected(self, i: int) -> Slice:
        """Return the vertices that no longer have an arc in S, i first; remove arcs to them."""
        affected, new = (Slice(self.weights.n, engine=self.weights.engine) for _ in range(2))
        new[i] = True
        while a := int(new.step()):
            affected[a] = True
            column = self.subgraph.col(a)
            predecessors = column.copy()
            column.clear()
            while u := int(predecessors.step()):
                if not self.subgraph.row(u):
                    new[u] = True
        return affected

    def _settle(self, queue: Slice) -> None:
        """Run Dijkstra's algorithm from vertices with tentative distances."""
        while v := int(minimum(self.distance, queue).find()):
            queue[v] = False
            lengths, nearer = self._relax(v, self._reverse.has(v))
            merge(lengths, nearer, self.distance)
            self.reached |= nearer
            queue |= nearer
            self._update_subgraph(v)

    def _relax(self, v: int, X: Slice) -> tuple[Table, Slice]:
        """Return the lengths of paths through v from the rows of X, and the rows improved."""
        lengths = add(self._reverse.field(v), self.distance.row(v), X)
        return lengths, less(lengths, self.distance, X & self.reached) | (X - self.reached)

    def _update_subgraph(self, v: int) -> None:
        """Compute the arcs of S into v and out of v."""
        into = self._reverse.has(v) & self.reached
        lengths = add(self._reverse.field(v), self.distance.row(v), into)
        self.subgraph.set_col(v, match(lengths, self.distance, into))
        out = self.weights.has(v) & self.reached
        lengths = add(self.weights.field(v), self.distance, out)
        self.subgraph.set_row(v, match(lengths, self.distance.row(v), out).convert())

    def _ends(self, i: int, j: int) -> tuple[int, int]:
        return check_vertex(i, self.weights.n), check_vertex(j, self.weights.n)
