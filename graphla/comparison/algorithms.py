"""The algorithms that can be compared: how to call each one, verify it and summarize its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import graphla as gl

if TYPE_CHECKING:
    from graphla.core.graph import Graph

TRUSS = 4  # the k of k_truss: the smallest for which the removal of an edge may remove others


class Algorithm(NamedTuple):
    """An algorithm as tables, the command line and benchmarks need it.

    Parameters
    ----------
    name : str
        A function of graphla.
    start : str or None
        What the algorithm starts from: None, one "vertex", or several "vertices".
    edges : {"any", "symmetric"}
        "symmetric" if the algorithm is defined on undirected graphs only.
    weights : bool
        Whether it reads edge weights.
    traversed : bool
        Whether it is a traversal, whose speed is given in edges per second.
    returns : str
        Kind of result.
    verify : callable
        (graph, start, result, **arguments) -> None; raises VerificationError. Fields that are None
        are skipped. The arguments are those of the call, if not those that a comparison has.
    summarize : callable
        result -> a few words about it.
    variant_of : str, optional
        The algorithm that this one is a variant of. The variant computes less, for comparison
        with implementations that do so, too.
    verified_by_scipy : bool
        Whether `verify` uses SciPy and needs a graph on engine "cpu".
    batch : int
        Sources in one call of a comparison, if `start` is "vertices".
    arguments : mapping
        Those of each call of a comparison, by keyword, beside the graph and the start.
    """

    name: str
    start: str | None
    edges: str
    weights: bool
    traversed: bool
    returns: str
    verify: Callable[..., None]
    summarize: Callable[[Any], str]
    variant_of: str | None = None
    verified_by_scipy: bool = False
    batch: int = 4
    arguments: Mapping[str, Any] = MappingProxyType({})

    def __call__(self, G: Graph, start: Any = None, *, progress: bool = False) -> Any:
        """Run the algorithm on a graph, with a progress bar if it supports one."""
        function = getattr(gl, self.name)
        bar = {"progress": progress} if "progress" in signature(function).parameters else {}
        return self.call(function, G, start, **bar)

    def call(self, function: Callable[..., Any], G: Any, start: Any, **options: Any) -> Any:
        """Call a function that has the algorithm's parameters."""
        first = (G,) if self.start is None else (G, start)
        return function(*first, **self.arguments, **options)

    def fits(self, G: Graph) -> bool:
        """Whether the algorithm is defined on the graph."""
        return self.refuses(G) is None

    def refuses(self, G: Graph) -> str | None:
        """Return None, or the reason why the algorithm is not defined on the graph."""
        if self.edges == "symmetric" and not G.is_symmetric:
            return "defined on undirected graphs only"
        return None

    def view(self, G: Graph) -> Graph:
        """Return the graph without the weights and directions that the algorithm ignores."""
        if self.edges == "symmetric" and G.kind == "directed" and G.is_symmetric:
            G = gl.Graph(G.A, kind="undirected", copy=False)
        return G if self.weights else G.astype("BOOL")


def _number_text(x: Any) -> str:
    return f"{x:,}" if isinstance(x, int) else f"{x:.6g}"


def _largest(v: Any) -> Any:
    from graphblas import monoid

    return (v.reduce if v.ndim == 1 else v.reduce_scalar)(monoid.max).new().value


def _count_components(labels: Any) -> int:
    """Return the number of vertices that are their own label: there is one in each component."""
    from graphblas import binary, indexunary, monoid

    is_own_label = labels.ewise_mult(labels.apply(indexunary.rowindex).new(), binary.eq)
    return is_own_label.new(dtype=int).reduce(monoid.plus).new().value or 0


def _summarize_components(noun: str, nouns: str | None = None) -> Callable[[Any], str]:
    def text(labels: Any) -> str:
        k = _count_components(labels)
        return f"{k:,} {noun if k == 1 else nouns or noun + 's'}"

    return text


_count_communities = _summarize_components("community", "communities")


def _summarize_levels(level: Any) -> str:
    return f"{level.nvals:,} reached, depth {_largest(level)}"


def _summarize_distances(d: Any) -> str:
    return f"{d.nvals:,} reached, farthest {_number_text(_largest(d))}"


def _summarize_ranks(result: Any) -> str:
    return f"{result.iterations} iterations, largest {_largest(result.rank):.3g}"


def _summarize_counts(noun: str) -> Callable[[Any], str]:
    return lambda v: f"{v.size:,} vertices, largest {noun} {_number_text(_largest(v))}"


def _summarize_colors(color: Any) -> str:
    return f"{_largest(color) + 1:,} colours" if color.size else "0 colours"


def _summarize_communities(result: Any) -> str:
    if result.modularity is None:  # of another library
        return _count_communities(result.community)
    return f"{_count_communities(result.community)}, modularity {result.modularity:.4f}"


def _verify_bfs(G: Graph, source: int, result: Any, **_: Any) -> None:
    gl.verify.bfs(G, source, result.level, result.parent)


def _verify_levels(G: Graph, source: int, result: Any, **_: Any) -> None:
    gl.verify.bfs(G, source, result)


def _verify_sssp(G: Graph, source: int, result: Any, **_: Any) -> None:
    gl.verify.sssp(G, source, result.distance, result.parent)


def _verify_distances(G: Graph, source: int, result: Any, **_: Any) -> None:
    gl.verify.sssp(G, source, result)


def _verify_all_distances(G: Graph, sources: Any, result: Any, **_: Any) -> None:
    for row, source in enumerate(sources):
        gl.verify.sssp(G, source, result[row, :].new())


def _verify_ranks(*, dangling: bool) -> Callable[..., None]:
    def verify(
        G: Graph, start: Any, result: Any, *, damping: float = 0.85, tol: float = 1e-4, **_: Any
    ) -> None:
        gl.verify.pagerank(G, result.rank, damping=damping, tol=tol, dangling=dangling)

    return verify


def _verify_scores(G: Graph, sources: Any, result: Any, **_: Any) -> None:
    gl.verify.betweenness_centrality(G, sources, result)


def _verify_closeness(
    G: Graph, start: Any, result: Any, *, wf_improved: bool = True, **_: Any
) -> None:
    gl.verify.closeness_centrality(G, result, wf_improved=wf_improved)


def _verify_truss(G: Graph, start: Any, result: Any, *, k: int = TRUSS, **_: Any) -> None:
    gl.verify.k_truss(G, k, result)


def _verify_communities(
    G: Graph, start: Any, result: Any, *, resolution: float = 1.0, **_: Any
) -> None:
    gl.verify.louvain(G, result.community, result.modularity, resolution=resolution)


def _verify_by_name(name: str) -> Callable[..., None]:
    return lambda G, start, result, **_: getattr(gl.verify, name)(G, result)


ALGORITHMS = {
    a.name: a
    for a in (
        Algorithm(
            "bfs", "vertex", "any", False, True, "levels, parents",
            _verify_bfs, lambda r: _summarize_levels(r.level),
        ),
        Algorithm(
            "bfs_levels", "vertex", "any", False, True, "levels",
            _verify_levels, _summarize_levels, variant_of="bfs",
        ),
        Algorithm(
            "sssp", "vertex", "any", True, True, "distances, parents",
            _verify_sssp, lambda r: _summarize_distances(r.distance),
        ),
        Algorithm(
            "sssp_distances", "vertex", "any", True, True, "distances",
            _verify_distances, _summarize_distances, variant_of="sssp",
        ),
        Algorithm(
            "bellman_ford", "vertex", "any", True, True, "distances, parents",
            _verify_sssp, lambda r: _summarize_distances(r.distance),
        ),
        Algorithm(
            "all_pairs_shortest_paths", "vertices", "any", True, False, "distances",
            _verify_all_distances, _summarize_distances, batch=64,
        ),
        Algorithm(
            "minimum_spanning_forest", None, "symmetric", True, False, "forest",
            _verify_by_name("minimum_spanning_forest"),
            lambda r: f"{r.edges.src.nvals:,} edges, weight {_number_text(r.weight)}",
        ),
        Algorithm(
            "transitive_closure", None, "any", False, False, "closure",
            _verify_by_name("transitive_closure"),
            lambda r: f"{r.nvals:,} pairs", verified_by_scipy=True,
        ),
        Algorithm(
            "connected_components", None, "any", False, False, "components",
            _verify_by_name("connected_components"), _summarize_components("component"),
        ),
        Algorithm(
            "strongly_connected_components", None, "any", False, False, "components",
            _verify_by_name("strongly_connected_components"),
            _summarize_components("strong component"), verified_by_scipy=True,
        ),
        Algorithm(
            "pagerank", None, "any", False, False, "ranks",
            _verify_ranks(dangling=True), _summarize_ranks,
        ),
        Algorithm(
            "pagerank_gap", None, "any", False, False, "ranks",
            _verify_ranks(dangling=False), _summarize_ranks, variant_of="pagerank",
        ),
        Algorithm(
            "triangle_count", None, "symmetric", False, False, "count",
            _verify_by_name("triangle_count"), lambda count: f"{count:,} triangles",
        ),
        Algorithm(
            "betweenness_centrality", "vertices", "any", False, False, "scores",
            _verify_scores, lambda v: f"largest {_largest(v):,.1f}", verified_by_scipy=True,
        ),
        Algorithm(
            "closeness_centrality", None, "any", False, False, "scores",
            _verify_closeness, _summarize_counts("score"), verified_by_scipy=True,
        ),
        Algorithm(
            "clustering_coefficient", None, "any", False, False, "coefficients",
            _verify_by_name("clustering_coefficient"), _summarize_counts("coefficient"),
            verified_by_scipy=True,
        ),
        Algorithm(
            "triangles", None, "symmetric", False, False, "counts",
            _verify_by_name("triangles"), _summarize_counts("count"),
            variant_of="clustering_coefficient", verified_by_scipy=True,
        ),
        Algorithm(
            "core_number", None, "any", False, False, "core numbers",
            _verify_by_name("core_number"), _summarize_counts("core"), verified_by_scipy=True,
        ),
        Algorithm(
            "k_truss", None, "symmetric", False, False, "triangles on edges",
            _verify_truss, lambda C: f"{C.nvals // 2:,} edges",
            verified_by_scipy=True, arguments={"k": TRUSS},
        ),
        Algorithm(
            "greedy_color", None, "symmetric", False, False, "colours",
            _verify_by_name("greedy_color"), _summarize_colors, verified_by_scipy=True,
        ),
        Algorithm(
            "label_propagation", None, "symmetric", False, False, "communities",
            _verify_by_name("label_propagation"), _count_communities,
            verified_by_scipy=True,
        ),
        Algorithm(
            "louvain", None, "any", True, False, "communities, modularity",
            _verify_communities, _summarize_communities, verified_by_scipy=True,
        ),
    )
}  # fmt: skip
