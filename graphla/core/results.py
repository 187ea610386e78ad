"""What the algorithms return when it is more than one value, on every engine alike."""

from __future__ import annotations

from typing import Any, NamedTuple

from graphla.core.engines import on_host

SHOWN = 8  # values of a Vector in HTML


def _text(result: Any) -> str:
    fields = ", ".join(f"{k}={_brief(v)}" for k, v in zip(result._fields, result, strict=True))
    return f"{type(result).__name__}({fields})"


def _html(result: Any) -> str:
    rows = "".join(
        f"<tr><th>{k}</th><td>{_brief(v, 4)}</td><td>{first_values(v)}</td></tr>"
        for k, v in zip(result._fields, result, strict=True)
    )
    return f"<table><caption>{type(result).__name__}</caption>{rows}</table>"


def first_values(value: Any) -> str:
    """Return what the first vertices have, a dot standing for no entry; "" if it is no Vector."""
    if not hasattr(value, "nvals") or len(value.shape) != 1 or not value.size:
        return ""
    index, values = on_host(value[:SHOWN].new()).to_coo()
    found = dict(zip(index.tolist(), values.tolist(), strict=True))
    texts = [f"{found[i]:.4g}" if i in found else "·" for i in range(min(SHOWN, value.size))]
    return ", ".join(texts) + (", ..." if value.size > SHOWN else "")


def _brief(value: Any, digits: int = 17) -> str:
    """One field in a few words; never through python-graphblas's own formatter."""
    if hasattr(value, "nvals") and hasattr(value, "shape"):
        shape = "x".join(map(str, value.shape))
        return f"[{value.dtype.name} {shape}, {value.nvals} entries]"
    if isinstance(value, tuple):
        return f"({value[0].size} edges)"
    return f"{value:.{digits}g}" if isinstance(value, float) and digits < 17 else repr(value)


class BFS(NamedTuple):
    """Breadth-first search: Vectors of the graph's index dtype, no entry = unreached.

    `level` is the number of edges from the source; `parent` the previous vertex
    on a shortest path, the source being its own.
    """

    level: Any
    parent: Any

    def __repr__(self) -> str:
        return _text(self)

    def _repr_html_(self) -> str:
        return _html(self)


class SSSP(NamedTuple):
    """Shortest paths from one source; no entry = unreached."""

    distance: Any
    parent: Any

    def __repr__(self) -> str:
        return _text(self)

    def _repr_html_(self) -> str:
        return _html(self)


class Edges(NamedTuple):
    """Edge columns of equal length."""

    src: Any
    dst: Any
    weight: Any

    def __repr__(self) -> str:
        return _text(self)


class Triangles(NamedTuple):
    """Vertices of triangles, columns of equal length."""

    u: Any
    v: Any
    w: Any

    def __repr__(self) -> str:
        return _text(self)


class Forest(NamedTuple):
    """Minimum spanning forest: its edges (src < dst), total weight, component of each vertex."""

    edges: Edges
    weight: Any
    component: Any

    def __repr__(self) -> str:
        return _text(self)

    def _repr_html_(self) -> str:
        return _html(self)


class PageRank(NamedTuple):
    """PageRank of each vertex, the iterations done and the last L1 change."""

    rank: Any
    iterations: int
    residual: float

    def __repr__(self) -> str:
        return _text(self)

    def _repr_html_(self) -> str:
        return _html(self)


class Centrality(NamedTuple):
    """A score of each vertex, the iterations done and the last L1 change."""

    score: Any
    iterations: int
    residual: float

    def __repr__(self) -> str:
        return _text(self)

    def _repr_html_(self) -> str:
        return _html(self)


class HITS(NamedTuple):
    """Hubs and authorities, the iterations done and the last L1 change of the hubs."""

    hubs: Any
    authorities: Any
    iterations: int
    residual: float

    def __repr__(self) -> str:
        return _text(self)

    def _repr_html_(self) -> str:
        return _html(self)


class Communities(NamedTuple):
    """The smallest vertex of each vertex's community, and the modularity of all."""

    community: Any
    modularity: float

    def __repr__(self) -> str:
        return _text(self)

    def _repr_html_(self) -> str:
        return _html(self)
