"""Push or pull: which product computes the next level of a traversal.

A level of a traversal is one masked product. *Push* (``q.vxm(A)``) reads the
rows of the frontier, which should be sparse; *pull* (``AT.mxv(q)``) reads the rows
of the unvisited vertices and stops at the first hit; its frontier should be a
bitmap. The rule is Beamer's, in the form LAGraph uses [1]_: push becomes pull
when a growing frontier has a good part of the unexplored edges, and pull
becomes push when a shrinking one has few vertices left.

Each engine registers its thresholds with :func:`register_costs`.

.. [1] S. Beamer, K. Asanovic, D. Patterson, "Direction-optimizing breadth-first
   search", SC 2012; T. A. Davis et al., LAGraph, ``LG_BreadthFirstSearch``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from graphblas import Vector, monoid, semiring
from graphblas.core import ffi, lib
from graphblas.dtypes import INT64
from graphblas.exceptions import check_status

from graphla.core.display import Progress
from graphla.execution.hints import set_storage_hint

if TYPE_CHECKING:
    from graphla.core.graph import Graph


LONG_LIST = 16  # a list of more than n / 16 vertices is sorted mostly (Kronecker and uniform 20)
SHORT_ROW = 8  # entries: on a 1000 x 1000 grid dot products take 0.6 of the time of the count


class Costs(NamedTuple):
    """Thresholds and preferences of one engine."""

    alpha: float  # push -> pull: edges of the frontier > unexplored edges / alpha
    beta1: float  # push -> pull after a pull: frontier > n / beta1
    beta2: float  # pull -> push: frontier <= n / beta2
    dense_batch: float = 32.0  # sparse -> dense: edges of all frontiers > batch * edges / this
    masked_share: float = 0.0  # dense -> masked: edges to unvisited vertices < batch * edges * this
    full_pull: float = 6.0  # push -> pull of a full vector: edges of the frontier > edges / this
    dot_products: bool = False  # whether masked products are faster by dot products of rows
    boolean_form: str = "bitmap"  # storage form of a dense Boolean matrix
    positions_per_byte: int = 1  # of such a matrix
    row_alignment: int = 1  # the positions of each of its rows are padded to a multiple of this
    casts_are_free: bool = False  # products cast a matrix's values as they read them
    prefers_few_steps: bool = False  # a launch costs more than relaxing extra edges
    small_result: int = 2**22  # bytes up to which a result's size is not estimated first
    levels_per_check: int = 1  # levels run before the frontier size is read back
    counts_edges_with_size: bool = False  # both cost as much as one: vectors have `nvals_and_sum`


COSTS = {"cpu": Costs(alpha=8.0, beta1=8.0, beta2=512.0, masked_share=0.25)}


def register_costs(engine: str, costs: Costs) -> None:
    """Set the thresholds of an engine."""
    COSTS[engine] = costs


def costs_of(G: Graph) -> Costs:
    """Return the thresholds of a graph's engine; on ranks they depend on that of the blocks."""
    return COSTS[getattr(G._engine_objects, "costs_name", G.engine)]


class PushPullState(NamedTuple):
    """What decides between push and pull at some level of a traversal."""

    previous_size: int  # vertices of the previous frontier
    unexplored_edges: int
    n: int
    push_size_after_pull: int  # largest frontier to push once a level was pulled; -1 before that
    push_size_shrinking: int  # largest frontier to go back from pull to push, if it shrinks
    alpha: float

    def advance(
        self, push: bool, size: int, count_edges: Callable[[], int]
    ) -> tuple[PushPullState, bool]:
        """Return the state after a frontier of `size` vertices, and whether to push it.

        `count_edges` returns the number of its edges, or an upper bound; it is called only if
        the decision needs it.
        """
        growing = size > self.previous_size
        state = PushPullState(size, *self[1:])  # cheaper than _replace
        if not push:
            return state, not growing and size <= self.push_size_shrinking
        if not growing or self.unexplored_edges < self.n:
            return state, True
        if self.push_size_after_pull >= 0:
            return state, size <= self.push_size_after_pull
        edges = count_edges()
        unexplored = self.unexplored_edges - edges
        return PushPullState(size, unexplored, *self[2:]), edges <= unexplored / self.alpha


def nvals_reader(x: Any) -> Callable[[], int]:
    """Return a function that returns the number of entries of a vector.

    The attribute `nvals` of a Vector of python-graphblas takes 3.1 us, this 0.3.
    """
    if not isinstance(x, Vector):
        return lambda: int(x.nvals)
    count, handle = ffi.new("GrB_Index*"), x.gb_obj[0]

    def read() -> int:
        if status := lib.GrB_Vector_nvals(count, handle):
            check_status(status, x)
        return int(count[0])

    return read


def edges_reader(x: Any, degree: Any) -> Callable[[int, bool], int]:
    """Return a function that returns the number of edges that leave the entries of a vector.

    Its arguments are the number of entries, and whether they are stored as a list. For a product
    of two vectors SuiteSparse sorts a list, in one thread; a short list is unsorted mostly, and
    degrees under its mask are then found in less time.
    """
    product = x.inner(degree, semiring.plus_second[INT64])
    if not isinstance(x, Vector):
        return lambda size, is_list: int(product.new().value or 0)
    degrees = Vector(INT64, x.size)
    total = degrees.reduce(monoid.plus)

    def read(size: int, is_list: bool) -> int:
        if not is_list or size > x.size / LONG_LIST:
            return int(product.new().value or 0)
        degrees(x.S) << degree
        edges = int(total.new().value or 0)
        degrees.clear()
        return edges

    return read


def _incrementer(depth: Any) -> Callable[[], None]:
    """Return a function that adds one to a Scalar, or does nothing if there is none.

    Through the attribute `value` it takes 0.47 us, by the pointer to a C number 0.1.
    """
    if depth is None:
        return lambda: None
    number = depth.gb_obj if depth._is_cscalar else None

    def increment() -> None:
        if number is None:
            depth.value += 1
        else:
            number[0] += 1

    return increment


class DirectionOptimizer:
    """Chooses push or pull, and the frontier's storage form, for each level of one traversal."""

    def __init__(self, G: Graph, frontier: Any) -> None:
        costs = costs_of(G)
        self.frontier, self.degree, self.max_degree = frontier, G.out_degree, G.max_out_degree
        self.average_degree = G.A.nvals / max(G.n, 1)
        self.push_size_after_pull = int(G.n / costs.beta1)
        shrinking = int(G.n / costs.beta2)
        self.state = PushPullState(0, G.A.nvals, G.n, -1, shrinking, costs.alpha)
        self.push = True
        self.form: str | None = "sparse"  # of the frontier, where it is known
        self._count_both = frontier.nvals_and_sum if costs.counts_edges_with_size else None
        self._counted_edges: int | None = None
        self._read_nvals = nvals_reader(frontier)
        set_storage_hint(frontier, form="sparse")

    def traverse(
        self,
        push: Callable[..., None],
        pull: Callable[..., None],
        depth: Any = None,
        max_levels: int | None = None,
        on_level: Callable[[int], None] | None = None,
        *,
        size: int | None = None,
        progress: bool = False,
    ) -> bool:
        """Run levels, by push or by pull, until the frontier is empty.

        Parameters
        ----------
        push, pull : function
            A level, each as returned by :func:`graphla.execution.hints.fuse`. An engine may
            run several levels of one kind in one call.
        depth : Scalar, optional
            It grows by one before each level.
        max_levels : int, optional
            Levels after which the traversal stops.
        on_level : function, optional
            Called with the size of each frontier.
        size : int, optional
            Number of entries of the first frontier, if the caller knows it: ranks exchange it
            otherwise.
        progress : bool
            Show a bar of the vertices reached, instead of `on_level`.

        Returns
        -------
        bool
            Whether the frontier is empty, that is, the traversal is complete.
        """
        if progress:
            with Progress(True, "bfs", self.frontier.size) as bar:
                return self.traverse(push, pull, depth, max_levels, bar.step, size=size)
        size = self._read_nvals() if size is None else size
        levels_left = self.frontier.size + 1 if max_levels is None else max_levels
        self.advance(size)
        while size and levels_left > 0:
            if on_level:
                on_level(size)
            level, opposite = (push, pull) if self.push else (pull, push)
            run_levels = None if on_level else getattr(level, "run_levels", None)
            result = run_levels and run_levels(self.push, self.state, depth, levels_left, opposite)
            if result:
                size, levels, self.state, push_next = result
                self.form = None  # the engine chose it
                self._set_direction(push_next)
            else:
                size, levels = self._run_level(level, depth), 1
                if size:
                    self.advance(size)
                if size and self.push and self._is_sparse_on_cpu and not on_level:
                    size, more = self._push_small_frontiers(push, depth, size, levels_left - 1)
                    levels += more
            levels_left -= levels
        return not size

    def advance(self, size: int) -> bool:
        """Return whether to push the frontier, which has `size` entries now."""
        self.state, push = self.state.advance(self.push, size, lambda: self._edges(size))
        self._set_direction(push)
        return self.push

    def _run_level(self, level: Callable[..., None], depth: Any) -> int:
        """Run one level and return the size of the next frontier."""
        previous_form, self.form = self.form, "sparse" if self.push else "bitmap"
        if previous_form != self.form:
            set_storage_hint(self.frontier, form=self.form)
        if depth is not None:
            depth.value += 1
        level()
        return self._size()

    @property
    def _is_sparse_on_cpu(self) -> bool:
        return isinstance(self.frontier, Vector) and self.form == "sparse"

    def _push_small_frontiers(
        self, push: Callable[..., None], depth: Any, size: int, levels_left: int
    ) -> tuple[int, int]:
        """Push while frontiers are so small that :meth:`advance` would not count their edges.

        Returns the size of the last frontier, and how many levels were run. A level by this loop
        takes 2 us less than by that of :meth:`traverse`: a search of a grid of 1000 x 1000, with
        its 2000 levels, 5 to 7 % less.
        """
        previous, unexplored, n, size_after_pull, _, alpha = self.state
        read_size, max_degree, levels = self._read_nvals, self.max_degree, 0
        increment = _incrementer(depth)
        while size and levels < levels_left:
            increment()
            push()
            previous, size, levels = size, read_size(), levels + 1
            if size <= previous or unexplored < n:
                continue
            edges = size * max_degree
            if size_after_pull >= 0 or edges > (unexplored - edges) / alpha:
                break
            unexplored -= edges
        else:
            previous = size or previous
        self.state = self.state._replace(previous_size=previous, unexplored_edges=unexplored)
        if size > previous:
            self.advance(size)
        return size, levels

    def _size(self) -> int:
        """Return the size of the frontier."""
        if self._count_both is None or not self.push:
            self._counted_edges = None
            return self._read_nvals()
        size, self._counted_edges = self._count_both(self.degree)
        return size

    def _set_direction(self, push: bool) -> None:
        if push != self.push:
            self.push = push
            self.state = self.state._replace(push_size_after_pull=self.push_size_after_pull)

    def _edges(self, size: int) -> int:
        """Return the number of edges of the frontier, or an estimate.

        A growing list of more than n / alpha vertices on the CPU is not counted: it is pulled, as
        it would be with the average degree. Mostly it has more edges, since vertices of high
        degree are reached first; where it has few, as the leaves of a star, a push would take
        less time. Without the count a search of a uniform graph of 2^20 vertices takes 8 to 10 %
        less time.
        """
        bound: int = size * self.max_degree
        if bound <= (self.state.unexplored_edges - bound) / self.state.alpha:
            return bound
        if self._counted_edges is not None:
            return self._counted_edges
        if self._is_sparse_on_cpu and size > self.state.n / self.state.alpha:
            return int(size * self.average_degree)
        return self._read_edges(size, self.form == "sparse")

    @cached_property
    def _read_edges(self) -> Callable[[int, bool], int]:
        return edges_reader(self.frontier, self.degree)


class RelaxationDirection:
    """Chooses push or pull for products that no set of visited vertices masks.

    A pull reads every edge, and a full vector at the speed of memory: it is faster
    once the frontier has a good part of the edges. ``passed_peak`` is True after such frontiers,
    on an engine that prefers few steps. ``read_size()`` returns the number of the frontier's
    entries.
    """

    def __init__(self, G: Graph, frontier: Any, *others: Any) -> None:
        costs = costs_of(G)
        self.objects = (frontier, *others)
        self.max_degree = G.max_out_degree
        self.pull_edges = G.A.nvals / costs.full_pull
        self.prefers_few_steps, self.levels_per_check = (
            costs.prefers_few_steps,
            costs.levels_per_check,
        )
        self.passed_peak = False
        self._read_edges = edges_reader(frontier, G.out_degree)
        self.push = True
        self.read_size = nvals_reader(frontier)
        set_storage_hint(*self.objects, form="sparse")

    def advance(self, size: int) -> bool:
        """Return whether to push the frontier, which has `size` entries now."""
        surely_push = size * self.max_degree <= self.pull_edges
        push = surely_push or self._read_edges(size, self.push) <= self.pull_edges
        if push != self.push:
            self.push, self.passed_peak = push, push and self.prefers_few_steps
            set_storage_hint(*self.objects, form="sparse" if push else "bitmap")
        return push

    def unchecked_steps(self, size: int) -> int:
        """Return how many products to compute before the frontier's size is read back."""
        limit = self.pull_edges if self.push else 0
        return unchecked_steps(size, self.max_degree, limit, self.levels_per_check)

    def push_size(self) -> int:
        """Return a size up to which a frontier is pushed; 0 while products are pulled."""
        return int(self.pull_edges) // max(1, self.max_degree) if self.push else 0


def unchecked_steps(size: int, max_degree: int, limit: float, max_steps: int) -> int:
    """Return after how many steps a frontier may have more than `limit` edges, from 1 to max_steps.

    At worst each step multiplies its `size` by `max_degree`. If the frontier gets empty before,
    the remaining steps do nothing.
    """
    edges, steps = size * max_degree, 0
    while steps < max_steps and edges <= limit:
        edges, steps = edges * max_degree, steps + 1
    return max(steps, 1)


def scale_bucket_width(G: Graph, factor: float) -> float:
    """Return the factor by which to widen buckets of distances on the graph's engine.

    `factor` saves work; an engine that prefers few steps takes its square.
    """
    return factor**2 if costs_of(G).prefers_few_steps else factor


class BatchDirection:
    """Chooses a sparse, a dense or a masked product for the frontiers of a batch of traversals."""

    def __init__(self, G: Graph, batch_size: int) -> None:
        self.A = G.A
        self.degree = {True: G.out_degree, False: G.in_degree}
        self.max_degree = max(G.in_degree.reduce(monoid.max).new().value or 0, G.max_out_degree)
        costs, self.all_edges = costs_of(G), batch_size * G.A.nvals
        self.sparse_edges = self.all_edges / costs.dense_batch
        self.masked_edges = self.all_edges * costs.masked_share

    def is_sparse(self, frontiers: Any, A: Any) -> bool:
        """Whether few edges leave the frontiers along A, the graph's `A` or `AT`."""
        if frontiers.nvals * self.max_degree <= self.sparse_edges:
            return True
        return self._count_edges(frontiers, out=A is self.A) <= self.sparse_edges

    def has_few_unvisited(self, visited: Any) -> bool:
        """Whether few edges lead to unvisited vertices: masked dot products are faster then."""
        if not self.masked_edges:
            return False
        return self.all_edges - self._count_edges(visited, out=False) < self.masked_edges

    def _count_edges(self, frontiers: Any, *, out: bool) -> int:
        """Return how many edges leave the entries of all frontiers, or lead to them."""
        edges = frontiers.mxv(self.degree[out], semiring.plus_second[INT64])
        return int(edges.reduce(monoid.plus).new().value)


class BooleanMatrixStorage(NamedTuple):
    """Storage of a dense Boolean n x n matrix: form, size, and whether it is small."""

    form: str
    nbytes: int
    is_small: bool


def boolean_matrix_storage(G: Graph) -> BooleanMatrixStorage:
    """Return how the graph's engine stores a dense Boolean matrix on the vertices."""
    costs = costs_of(G)
    row_length = -(-G.n // costs.row_alignment) * costs.row_alignment
    nbytes = G.n * row_length // costs.positions_per_byte
    return BooleanMatrixStorage(costs.boolean_form, nbytes, nbytes <= costs.small_result)


def choose_triangle_factor(G: Graph, L: Any) -> Any:
    """Return L or L': the right factor of a masked product ``L L`` or ``L L'``.

    Dot products of rows need L'. They suit some engines, and any engine where all rows are
    short, as in meshes and road networks.
    """
    return L.T if costs_of(G).dot_products or G.max_out_degree <= SHORT_ROW else L


def cast_for_products(G: Graph, dtype: Any) -> Graph:
    """Return the graph with weights of a dtype, or itself if the engine casts in its products."""
    narrow = G.dtype.np_type.itemsize <= dtype.np_type.itemsize
    return G if costs_of(G).casts_are_free and narrow else G.astype(dtype)
