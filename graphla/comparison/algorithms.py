"""Every algorithm in one form: call it, verify its result, say the result in a few words."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import TYPE_CHECKING, Any, NamedTuple

import graphla as gl

if TYPE_CHECKING:
    from graphla.core.graph import Graph


class Algorithm(NamedTuple):
    """An algorithm as tables, the command line and benchmarks see it.

    `start` is what it starts from: None, one vertex, or several. `edges` is
    "any", or "symmetric" where it is defined on undirected graphs only;
    `weights` says whether it reads them. `traversed` marks traversals, whose
    speed is told in edges per second; `returns` says what comes out. `of` names
    the algorithm of which it is a form that gives less: it is there for comparisons
    of like with like. `verify` takes results of which fields are None, and checks
    the others; `verified_by_scipy` where that is on engine "cpu" alone. `batch` is how many sources
    a call of a comparison has, where there are several.
    """

    name: str
    start: str | None
    edges: str
    weights: bool
    traversed: bool
    returns: str
    verify: Callable[[Graph, Any, Any], None]  # graph, start, result
    summarize: Callable[[Any], str]
    variant_of: str | None = None
    verified_by_scipy: bool = False
    batch: int = 4

    def __call__(self, G: Graph, start: Any = None, *, progress: bool = False) -> Any:
        """Run it on a graph, with a progress bar where it has one."""
        function = getattr(gl, self.name)
        bar = {"progress": progress} if "progress" in signature(function).parameters else {}
        return function(G, **bar) if self.start is None else function(G, start, **bar)

    def fits(self, G: Graph) -> bool:
        """Whether it is defined on the graph."""
        return self.refuses(G) is None

    def refuses(self, G: Graph) -> str | None:
        """Return why it is not defined on the graph; None where it is."""
        if self.edges == "symmetric" and not G.is_symmetric:
            return "defined on undirected graphs only"
        return None

    def view(self, G: Graph) -> Graph:
        """Return the graph as the algorithm reads it: weights and directions only if it does."""
        if self.edges == "symmetric" and G.kind == "directed" and G.is_symmetric:
            G = gl.Graph(G.A, kind="undirected", copy=False)
        return G if self.weights else G.astype("BOOL")


def _largest(v: Any) -> Any:
    from graphblas import monoid

    return (v.reduce if v.ndim == 1 else v.reduce_scalar)(monoid.max).new().value


def _classes(labels: Any) -> int:
    """How many vertices carry their own number: one a component."""
    from graphblas import binary, indexunary, monoid

    own = labels.ewise_mult(labels.apply(indexunary.rowindex).new(), binary.eq).new(dtype=int)
    return own.reduce(monoid.plus).new().value or 0


def _components(what: str) -> Callable[[Any], str]:
    return lambda labels: f"{(k := _classes(labels)):,} {what}{'s' if k != 1 else ''}"


def _sssp(G: Graph, source: int, result: Any) -> None:
    gl.verify.sssp(G, source, result.distance, result.parent)


def _bfs(G: Graph, source: int, result: Any) -> None:
    gl.verify.bfs(G, source, result.level, result.parent)


def _distances(G: Graph, source: int, result: Any) -> None:
    gl.verify.sssp(G, source, result)


def _all_distances(G: Graph, sources: Any, result: Any) -> None:
    for row, source in enumerate(sources):
        gl.verify.sssp(G, source, result[row, :].new())


def _levels(G: Graph, source: int, result: Any) -> None:
    gl.verify.bfs(G, source, result)


def _pagerank(dangling: bool) -> Callable[[Graph, Any, Any], None]:
    return lambda G, start, result: gl.verify.pagerank(G, result.rank, dangling=dangling)


def _ranks(result: Any) -> str:
    return f"{result.iterations} iterations, largest {_largest(result.rank):.3g}"


def _plain(name: str) -> Callable[[Graph, Any, Any], None]:
    return lambda G, start, result: getattr(gl.verify, name)(G, result)


def _paths(d: Any) -> str:
    return f"{d.nvals:,} reached, farthest {_number(_largest(d))}"


def _number(x: Any) -> str:
    return f"{x:,}" if isinstance(x, int) else f"{x:.6g}"


ALGORITHMS = {
    a.name: a
    for a in (
        Algorithm(
            "bfs", "vertex", "any", False, True, "levels, parents", _bfs,
            lambda r: f"{r.level.nvals:,} reached, depth {_largest(r.level)}",
        ),
        Algorithm(
            "bfs_levels", "vertex", "any", False, True, "levels", _levels,
            lambda level: f"{level.nvals:,} reached, depth {_largest(level)}", variant_of="bfs",
        ),
        Algorithm(
            "sssp", "vertex", "any", True, True, "distances, parents", _sssp,
            lambda r: _paths(r.distance),
        ),
        Algorithm(
            "sssp_distances", "vertex", "any", True, True, "distances", _distances, _paths,
            variant_of="sssp",
        ),
        Algorithm(
            "bellman_ford", "vertex", "any", True, True, "distances, parents", _sssp,
            lambda r: _paths(r.distance),
        ),
        Algorithm(
            "all_pairs_shortest_paths", "vertices", "any", True, False, "distances",
            _all_distances, _paths, batch=64,
        ),
        Algorithm(
            "minimum_spanning_forest", None, "symmetric", True, False, "forest",
            _plain("minimum_spanning_forest"),
            lambda r: f"{r.edges.src.nvals:,} edges, weight {_number(r.weight)}",
        ),
        Algorithm(
            "transitive_closure", None, "any", False, False, "closure",
            _plain("transitive_closure"),
            lambda r: f"{r.nvals:,} pairs", verified_by_scipy=True,
        ),
        Algorithm(
            "connected_components", None, "any", False, False, "components",
            _plain("connected_components"),
            _components("component"),
        ),
        Algorithm(
            "strongly_connected_components", None, "any", False, False, "components",
            _plain("strongly_connected_components"), _components("strong component"),
            verified_by_scipy=True,
        ),
        Algorithm(
            "pagerank", None, "any", False, False, "ranks", _pagerank(dangling=True), _ranks,
        ),
        Algorithm(
            "pagerank_gap", None, "any", False, False, "ranks", _pagerank(dangling=False), _ranks,
            variant_of="pagerank",
        ),
        Algorithm(
            "triangle_count", None, "symmetric", False, False, "count", _plain("triangle_count"),
            lambda count: f"{count:,} triangles",
        ),
        Algorithm(
            "betweenness_centrality", "vertices", "any", False, False, "scores",
            lambda G, start, result: gl.verify.betweenness_centrality(G, start, result),
            lambda v: f"largest {_largest(v):,.1f}", verified_by_scipy=True,
        ),
    )
}  # fmt: skip
