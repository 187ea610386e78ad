"""Dynamic transitive closure of an acyclic digraph: arcs are inserted and deleted (Italiano).

Each vertex x has a tree of the vertices that it reaches: the parent of y is the vertex before y on
a path from x. Row x of field y is that parent, so one comparison of a field tests all trees x.

    insert i -> j      for j and each y that j reaches:
                           the x that reach i, and did not reach y, add y to their trees
    delete i -> j      for the trees X in which i is the parent of j:
                           each arc p -> j is a new parent for the trees of X that reach p
                       the remaining trees of X lose j; the same is done for each arc j -> z
                       with those of them in which j is the parent of z

There are no cycles, so no vertex that j reaches can be a parent of j.

Source: G. Italiano, "Amortized efficiency of a path retrieval data structure", TCS 48, 1986;
"Finding paths and deleting edges in directed acyclic graphs", IPL 28, 1988; on the machine:
A. Nepomniaschaya, "Efficient implementation of the Italiano algorithms for updating the
transitive closure on associative parallel processors", Fund. Inform. 89, 2008.
"""

from __future__ import annotations

from graphla.errors import DimensionMismatch, DomainMismatch, InvalidValue
from graphla.star.arcs import check_vertex
from graphla.star.procedures import match, merge
from graphla.star.slices import Slice, Word
from graphla.star.table import Table
from graphla.star.weights import Weights


class AcyclicClosure:
    """The closure of an acyclic digraph, updated when arcs are inserted and deleted.

    Parameters
    ----------
    A : Table
        n x n; bit (i, j) is an arc from i to j. It is copied.

    Attributes
    ----------
    arcs : Table
        The current arcs.
    closure : Table
        Bit (i, j) is 1 if there is a path of at least one arc from i to j.

    Raises
    ------
    DimensionMismatch
        The table is not square.
    InvalidIndex
        A vertex is out of range 1..n.
    InvalidValue
        An arc to insert exists or closes a cycle, or an arc to delete does not exist. Nothing
        is changed.

    Examples
    --------
    >>> from graphla.star import Table
    >>> from graphla.star.algorithms import AcyclicClosure
    >>> C = AcyclicClosure(Table.from_numpy([[0, 1, 1], [0, 0, 1], [0, 0, 0]]))
    >>> C.delete_arc(1, 3)
    >>> C.closure.row(1), C.path(1, 3)
    (Word('011'), [1, 2, 3])
    """

    def __init__(self, A: Table) -> None:
        if not isinstance(A, Table):
            raise DomainMismatch(f"expected a Table, not {type(A).__name__}")
        if A.n != A.bits:
            raise DimensionMismatch(f"an adjacency table is square, not {A.n} x {A.bits}")
        self.arcs = Table(A.n, A.n, engine=A.engine)
        self._trees = Weights(A.n, A.n.bit_length(), engine=A.engine)
        for j in range(1, A.n + 1):
            for i in A.col(j).positions().tolist():
                self.insert_arc(i, j)

    @property
    def closure(self) -> Table:
        """The closure as a table: bit (i, j) is 1 if i reaches j."""
        return self._trees.present

    def path(self, i: int, j: int) -> list[int] | None:
        """Return the vertices of a path of at least one arc from i to j; None if there is none."""
        if not self.closure[i, j]:
            return None
        vertices = [j]
        while vertices[-1] != i:
            vertices.append(int(self._trees.word(vertices[-1], i)))
        return vertices[::-1]

    def insert_arc(self, i: int, j: int) -> None:
        """Add the arc from i to j."""
        i, j = self._ends(i, j)
        if self.arcs[i, j]:
            raise InvalidValue(f"there is an arc {i} -> {j} already")
        if i == j or self.closure[j, i]:
            raise InvalidValue(f"the arc {i} -> {j} closes a cycle")
        self.arcs[i, j] = True
        if self.closure[i, j]:
            return
        sources = self._sources(i)
        self._add_to_trees(j, self._vertex_word(i), sources)
        reachable = self.closure.row(j)
        while y := int(reachable.step()):
            self._add_to_trees(y, self._trees.word(y, j), sources)

    def delete_arc(self, i: int, j: int) -> None:
        """Remove the arc from i to j."""
        i, j = self._ends(i, j)
        if not self.arcs[i, j]:
            raise InvalidValue(f"there is no arc {i} -> {j}")
        self.arcs[i, j] = False
        orphans = [(j, self._trees_with_arc(i, j, self.closure.col(j)))]
        while orphans:
            y, X = orphans.pop()
            predecessors = self.arcs.col(y).copy()
            while X and (p := int(predecessors.step())):
                hooked = X & self._sources(p)
                merge(self._vertex_word(p), hooked, self._trees.field(y))
                X -= hooked
            if X:
                ancestors = self.closure.col(y)
                ancestors -= X
                successors = self.arcs.row(y)
                while z := int(successors.step()):
                    orphans.append((z, self._trees_with_arc(y, z, X & self.closure.col(z))))

    def _add_to_trees(self, y: int, parent: Word, X: Slice) -> None:
        """Add y, with a parent, to the trees of X that do not have it."""
        ancestors = self.closure.col(y)
        new = X - ancestors
        merge(parent, new, self._trees.field(y))
        ancestors |= new

    def _trees_with_arc(self, y: int, z: int, X: Slice) -> Slice:
        """Return the trees of X in which y is the parent of z."""
        return match(self._trees.field(z), y, X)

    def _sources(self, p: int) -> Slice:
        """Return the vertices that reach p, and p itself."""
        X = self.closure.col(p).copy()
        X[p] = True
        return X

    def _vertex_word(self, v: int) -> Word:
        return Word.from_integer(v, self._trees.bits, engine=self._trees.engine)

    def _ends(self, i: int, j: int) -> tuple[int, int]:
        return check_vertex(i, self.arcs.n), check_vertex(j, self.arcs.n)
