"""The results of algorithms that return more than one value, the same on every engine."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

from graphla.core.display import html_table
from graphla.core.engines import on_host

SHOWN = 8  # values of a Vector that HTML shows


Result = TypeVar("Result", bound=type)


def result_text(result: Any) -> str:
    """Return the text of a result: its class, and each field in a few words."""
    fields = ", ".join(f"{k}={_brief(v)}" for k, v in zip(result._fields, result, strict=True))
    return f"{type(result).__name__}({fields})"


def _html(result: Any) -> str:
    fields = zip(result._fields, result, strict=True)
    rows = ((name, _brief(value, 4), first_values(value)) for name, value in fields)
    return html_table(rows, caption=type(result).__name__)


def _with_representations(cls: Result) -> Result:
    """Let a named tuple show itself as text and in HTML (a NamedTuple cannot have a base class)."""

    def text(self) -> str:
        return result_text(self)

    cls.__repr__ = text  # type: ignore[assignment]
    cls._repr_html_ = _html  # type: ignore[attr-defined]
    return cls


def first_values(value: Any) -> str:
    """Return the first values of a Vector as text, a dot for no entry; "" for other types."""
    if not hasattr(value, "nvals") or len(value.shape) != 1 or not value.size:
        return ""
    index, values = on_host(value[:SHOWN].new()).to_coo()
    entries = dict(zip(index.tolist(), values.tolist(), strict=True))
    texts = [f"{entries[i]:.4g}" if i in entries else "·" for i in range(min(SHOWN, value.size))]
    return ", ".join(texts) + (", ..." if value.size > SHOWN else "")


def _brief(value: Any, digits: int = 17) -> str:
    """Return one field in a few words, without python-graphblas's formatter."""
    if hasattr(value, "nvals") and hasattr(value, "shape"):
        shape = "x".join(map(str, value.shape))
        return f"[{value.dtype.name} {shape}, {value.nvals} entries]"
    if isinstance(value, tuple):
        return f"({value[0].size} edges)"
    return f"{value:.{digits}g}" if isinstance(value, float) and digits < 17 else repr(value)


@_with_representations
class BFS(NamedTuple):
    """Breadth-first search: Vectors of the graph's index dtype, no entry = unreached.

    `level` is the number of edges from the source; `parent` the previous vertex
    on a shortest path; the source is its own parent.
    """

    level: Any
    parent: Any


@_with_representations
class SSSP(NamedTuple):
    """Shortest paths from one source; no entry = unreached."""

    distance: Any
    parent: Any


class Edges(NamedTuple):
    """Edge columns of equal length."""

    src: Any
    dst: Any
    weight: Any

    def __repr__(self) -> str:
        return result_text(self)


class Triangles(NamedTuple):
    """Vertices of triangles, columns of equal length."""

    u: Any
    v: Any
    w: Any

    def __repr__(self) -> str:
        return result_text(self)


@_with_representations
class Forest(NamedTuple):
    """Minimum spanning forest: its edges (src < dst), total weight, component of each vertex."""

    edges: Edges
    weight: Any
    component: Any


@_with_representations
class PageRank(NamedTuple):
    """PageRank of each vertex, the iterations done and the last L1 change."""

    rank: Any
    iterations: int
    residual: float


@_with_representations
class Centrality(NamedTuple):
    """A score of each vertex, the iterations done and the last L1 change."""

    score: Any
    iterations: int
    residual: float


@_with_representations
class HITS(NamedTuple):
    """Hubs and authorities, the iterations done and the last L1 change of the hubs."""

    hubs: Any
    authorities: Any
    iterations: int
    residual: float


@_with_representations
class Communities(NamedTuple):
    """The smallest vertex of each vertex's community, and the modularity of all."""

    community: Any
    modularity: float
