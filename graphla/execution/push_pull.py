"""The push/pull policy and storage hints of a masked traversal: all that is not mathematics.

A level of a traversal is one masked product. *Push* (``q.vxm(A)``) reads the
rows of the frontier and wants it sparse; *pull* (``AT.mxv(q)``) reads the rows
of what is not visited, stops at the first hit, and wants the frontier as a
bitmap. The rule is Beamer's, in the form LAGraph uses [1]_: push becomes pull
when a growing frontier holds a good part of the unexplored edges, and pull
becomes push when a shrinking one has few vertices left.

.. [1] S. Beamer, K. Asanovic, D. Patterson, "Direction-optimizing breadth-first
   search", SC 2012; T. A. Davis et al., LAGraph, ``LG_BreadthFirstSearch``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from graphblas import monoid, semiring
from graphblas.dtypes import INT64

if TYPE_CHECKING:
    from graphla.core.graph import Graph


class Costs(NamedTuple):
    """Thresholds of one engine."""

    alpha: float  # push -> pull: edges of the frontier > unexplored edges / alpha
    beta1: float  # push -> pull after a pull: frontier > n / beta1
    beta2: float  # pull -> push: frontier <= n / beta2
    dense: float = 32.0  # batch, sparse -> dense: edges of the frontiers > all edges / dense
    full: float = 6.0  # push -> pull of a full vector: edges of the frontier > all edges / full
    dots: bool = False  # masked products: by dot products of rows, or by rows
    relation: str = "bitmap"  # form of a dense Boolean matrix
    positions: int = 1  # of such a matrix, for each byte
    across: int = 1  # a row takes a multiple of so many
    casts: bool = False  # products cast a matrix's values as they read them, at no cost
    hurries: bool = False  # a step costs as much as many edges that are relaxed in vain
    small: int = 2**22  # bytes of a result that is not worth an estimate of its entries
    unseen: int = 1  # steps of a traversal for one look at its frontier


COSTS = {
    "cpu": Costs(alpha=8.0, beta1=8.0, beta2=512.0),
    "cuda": Costs(
        alpha=24.0,
        beta1=8.0,
        beta2=512.0,
        dots=True,
        relation="bits",
        positions=8,
        across=128,
        casts=True,
        hurries=True,
        small=2**29,
        unseen=4,
    ),
}


class Relation(NamedTuple):
    """A dense Boolean matrix of n x n: its form, its bytes, and whether those are few."""

    form: str
    nbytes: int
    is_small: bool


def relation(G: Graph) -> Relation:
    """Return what a dense relation on the vertices takes on the engine."""
    costs = COSTS[G.engine]
    across = -(-G.n // costs.across) * costs.across
    nbytes = G.n * across // costs.positions
    return Relation(costs.relation, nbytes, nbytes <= costs.small)


def factor(G: Graph, L: Any) -> Any:
    """Return L or L', by which of L L and L L' a mask makes the cheaper product on the engine."""
    return L.T if COSTS[G.engine].dots else L


def cast(G: Graph, dtype: Any) -> Graph:
    """Return the graph for products in a dtype: with weights of it where that saves time."""
    narrow = G.dtype.np_type.itemsize <= dtype.np_type.itemsize
    return G if COSTS[G.engine].casts and narrow else G.astype(dtype)


def store(*objects: Any, form: str) -> None:
    """Keep each object as "sparse", "bitmap", "full" or, a Boolean matrix on an engine that
    has the form (see `relation`), as "bits" from now on: a hint, never a value.
    """
    for x in objects:
        if hasattr(x, "store"):
            x.store(form)
        elif hasattr(x, "ss"):
            x.ss.config["sparsity_control"] = form


def sequence(*statements: Any) -> Callable[..., None]:
    """Return a function of `times` and `most` that runs statements in order, so many times.

    Each is a pair of an update and an expression. Nobody sees what is between them, and an
    engine may make fewer passes of them. One that knows at no cost how many entries the vector
    of the first statement has may go on while these are 1 to `most`.
    """
    own = getattr(type(statements[0][1]), "sequence", None)
    if own is not None:
        found: Callable[..., None] = own(statements)
        return found

    def run(times: int = 1, most: int = 0) -> None:
        for _ in range(times):
            for update, expression in statements:
                update << expression

    return run


def wider(G: Graph, times: float) -> float:
    """Return how many times wider buckets of distances are to be, given what saves work: more on
    an engine where few steps are better than few edges.
    """
    return times**2 if COSTS[G.engine].hurries else times


def steps(size: int, degree: int, limit: float, most: int) -> int:
    """Return how many steps a frontier can take before its edges may be more than `limit`.

    Each step multiplies its `size` by the largest `degree` at worst. It is one step at least,
    and `most` at most: the frontier may have ended meanwhile, and then they do nothing.
    """
    edges, k = size * degree, 0
    while k < most and edges <= limit:
        edges, k = edges * degree, k + 1
    return max(k, 1)


class Light(NamedTuple):
    """What decides whether a frontier is light, which is pushed, at some level of a traversal."""

    before: int  # vertices of the frontier before this one
    unexplored: int  # edges
    n: int
    few: int  # vertices of a light frontier once levels have been pulled; -1 before that
    last: int  # vertices of a frontier that is light again, and does not grow
    alpha: float

    def judge(self, push: bool, size: int, edges: Callable[[], int]) -> tuple[Light, bool]:
        """Return this after a frontier whose `edges` can be counted, and whether it is light."""
        growing, after = size > self.before, self._replace(before=size)
        if not push:
            return after, not growing and size <= self.last
        if not growing or self.unexplored < self.n:
            return after, True
        if self.few >= 0:
            return after, size <= self.few
        found = edges()
        after = after._replace(unexplored=self.unexplored - found)
        return after, found <= after.unexplored / self.alpha


class Direction:
    """Chooses push or pull for each level of one traversal and stores the frontier to suit."""

    def __init__(self, G: Graph, frontier: Any) -> None:
        costs = COSTS[G.engine]
        self.q, self.degree, self.max_degree = frontier, G.out_degree, G.max_out_degree
        self.few, last = int(G.n / costs.beta1), int(G.n / costs.beta2)
        self.light = Light(0, G.A.nvals, G.n, -1, last, costs.alpha)
        self.push, self.form = True, "sparse"
        store(frontier, form="sparse")

    def search(
        self,
        push: Callable[..., None],
        pull: Callable[..., None],
        depth: Any = None,
        most: int | None = None,
        see: Callable[[int], None] | None = None,
    ) -> bool:
        """Run a level, by push or by pull, until the frontier is empty: whether it is in the end.

        Parameters
        ----------
        push, pull : function
            A level, each a :func:`sequence`. An engine may run many of one kind at once.
        depth : Scalar, optional
            It grows by one before each level.
        most : int, optional
            Levels after which the search is given up.
        see : function, optional
            It is called with the size of each frontier.
        """
        size, left = self.q.nvals, self.q.size + 1 if most is None else most
        self.advance(size)
        while size and left > 0:
            if see:
                see(size)
            level, other = (push, pull) if self.push else (pull, push)
            on = None if see else getattr(level, "on", None)
            found = on and on(self.push, self.light, depth, left, other)
            if found:
                size, done, self.light, light = found
                self._turn(light)
            else:
                size, done = self._level(level, depth), 1
                if size:
                    self.advance(size)
            left -= done
        return not size

    def advance(self, size: int) -> bool:
        """Return whether to push the frontier, which has `size` entries now."""
        self.light, light = self.light.judge(self.push, size, lambda: self._edges(size))
        self._turn(light)
        return self.push

    def _level(self, level: Callable[..., None], depth: Any) -> int:
        """Run a level, and return the size of the next frontier."""
        before, self.form = self.form, "sparse" if self.push else "bitmap"
        if before != self.form:
            store(self.q, form=self.form)
        if depth is not None:
            depth.value += 1
        level()
        return int(self.q.nvals)

    def _turn(self, push: bool) -> None:
        """Go on by push, or by pull."""
        if push != self.push:
            self.push, self.light = push, self.light._replace(few=self.few)

    def _edges(self, size: int) -> int:
        bound: int = size * self.max_degree  # saves most of the counting
        if bound <= self.light.unexplored / self.light.alpha:
            return bound
        return int(self.q.inner(self.degree, semiring.plus_second[INT64]).new().value)


class Relaxation:
    """Chooses push or pull for products that no set of visited vertices masks.

    A pull reads every edge, and a full vector at the speed of memory: it wins
    once the frontier has a good part of the edges. ``is_past`` says that this was so and is over,
    on an engine where few steps are better than few edges.
    """

    def __init__(self, G: Graph, frontier: Any, *others: Any) -> None:
        self.objects = (frontier, *others)
        self.max_degree = G.max_out_degree
        costs = COSTS[G.engine]
        self.heavy, self.hurries, self.unseen = G.A.nvals / costs.full, costs.hurries, costs.unseen
        self.is_past = False
        self.edges = frontier.inner(G.out_degree, semiring.plus_second[INT64])
        self.push = True
        store(*self.objects, form="sparse")

    def advance(self, size: int) -> bool:
        """Return whether to push the frontier, which has `size` entries now."""
        bounded = size * self.max_degree <= self.heavy  # saves most of the counting
        push = bounded or self.edges.new().value <= self.heavy
        if push != self.push:
            self.push, self.is_past = push, push and self.hurries
            store(*self.objects, form="sparse" if push else "bitmap")
        return push

    def steps(self, size: int) -> int:
        """Return how many products are pushed, or pulled, before the frontier is counted again."""
        return steps(size, self.max_degree, self.heavy if self.push else 0, self.unseen)

    def most(self) -> int:
        """Return of how many entries the frontier is pushed at least, now that it is."""
        return int(self.heavy) // max(1, self.max_degree) if self.push else 0


class Batch:
    """Chooses a sparse or a dense product for the frontiers of a batch of traversals."""

    def __init__(self, G: Graph, size: int) -> None:
        self.A = G.A
        self.degree = {True: G.out_degree, False: G.in_degree}
        self.largest = max(G.in_degree.reduce(monoid.max).new().value or 0, G.max_out_degree)
        self.limit = size * G.A.nvals / COSTS[G.engine].dense

    def is_light(self, frontiers: Any, A: Any) -> bool:
        """Whether few edges leave the frontiers along A (the graph's `A` or `AT`)."""
        if frontiers.nvals * self.largest <= self.limit:
            return True
        edges = frontiers.mxv(self.degree[A is self.A], semiring.plus_second[INT64])
        return edges.reduce(monoid.plus).new().value <= self.limit
