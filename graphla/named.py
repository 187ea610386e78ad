"""Graphs with a name: the textbook shapes, two classic data sets, Python's own imports."""

from __future__ import annotations

import ast
import sysconfig
import warnings
from importlib.resources import files
from importlib.util import resolve_name
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphla.errors import InvalidValue
from graphla.graph import Graph
from graphla.simple import VERTICES, Maker, integer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from graphla.graph import Kind


def path(n: int, *, kind: Kind = "undirected", weights: Any = None, seed: int = 1) -> Graph:
    """Return the path 0 -> 1 -> ... -> n-1.

    Parameters
    ----------
    n : int
        Number of vertices.
    kind : {"undirected", "directed"}
        Directed: edges go to the larger vertex.
    weights, seed
        As for every generator (see :mod:`graphla.generate`).

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generate.path(4, kind="directed").A.to_coo()[1].tolist()
    [1, 2, 3]
    """
    make = Maker(kind, weights, seed)
    v = np.arange(integer(n, "n", 0, VERTICES), dtype=np.uint32)
    return make.graph(v[:-1], v[1:], v.size)


def cycle(n: int, *, kind: Kind = "undirected", weights: Any = None, seed: int = 1) -> Graph:
    """Return the cycle 0 -> 1 -> ... -> n-1 -> 0.

    Parameters
    ----------
    n : int
        Number of vertices, at least 3.
    kind, weights, seed
        As for :func:`path`; directed, it is one strong component.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generate.cycle(5).out_degree.to_dense().tolist()
    [2, 2, 2, 2, 2]
    """
    make = Maker(kind, weights, seed)
    v = np.arange(integer(n, "n", 3, VERTICES), dtype=np.uint32)
    return make.graph(v, np.roll(v, -1), v.size)


def star(n: int, *, kind: Kind = "undirected", weights: Any = None, seed: int = 1) -> Graph:
    """Return the star of n vertices whose centre is 0.

    Parameters
    ----------
    n : int
        Number of vertices, the centre included.
    kind : {"undirected", "directed"}
        Directed: edges leave the centre.
    weights, seed
        As for every generator (see :mod:`graphla.generate`).

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generate.star(4).out_degree.to_dense().tolist()
    [3, 1, 1, 1]
    """
    make = Maker(kind, weights, seed)
    v = np.arange(integer(n, "n", 0, VERTICES), dtype=np.uint32)
    return make.graph(np.zeros_like(v[1:]), v[1:], v.size)


def complete(n: int, *, kind: Kind = "undirected", weights: Any = None, seed: int = 1) -> Graph:
    """Return the graph with an edge between any two of n vertices.

    Parameters
    ----------
    n : int
        Number of vertices.
    kind : {"undirected", "directed"}
        Directed: both directions, each with a weight of its own.
    weights, seed
        As for every generator (see :mod:`graphla.generate`).

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generate.complete(5).nedges
    10
    """
    make = Maker(kind, weights, seed)
    n = integer(n, "n", 0, VERTICES)
    src, dst = np.nonzero(np.tri(n, k=-1, dtype=bool))
    if kind == "directed":
        src, dst = np.concatenate([src, dst]), np.concatenate([dst, src])
    return make.graph(src, dst, n)


def karate() -> Graph:
    """Return Zachary's karate club: undirected, 34 vertices, 78 edges, INT32 weights.

    The weight of an edge is the number of contexts in which two members met [1]_.

    .. [1] W. W. Zachary, "An information flow model for conflict and fission in
       small groups", Journal of Anthropological Research 33, 1977.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generate.karate()
    <Graph: undirected, 34 vertices, 78 edges, INT32, cpu>
    """
    return _shipped("karate")


def les_miserables() -> Graph:
    """Return the characters of Les Misérables: undirected, 77 vertices, 254 edges, INT32 weights.

    The weight of an edge is the number of scenes in which two characters
    appear [1]_; 11 is Valjean.

    .. [1] D. E. Knuth, "The Stanford GraphBase", 1993.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generate.les_miserables()
    <Graph: undirected, 77 vertices, 254 edges, INT32, cpu>
    """
    return _shipped("les_miserables")


def _shipped(name: str) -> Graph:
    with (files("graphla") / "data" / f"{name}.wel").open() as file:
        src, dst, weight = np.loadtxt(file, dtype=np.int32, unpack=True)
    return Graph.from_edges(src, dst, weight, kind="undirected", dup=None)


class Imports(NamedTuple):
    """Modules and their imports: vertex v of the directed `graph` is the module `names[v]`."""

    graph: Graph
    names: tuple[str, ...]


def python_imports(folder: Any = None) -> Imports:
    """Return which module of Python's standard library imports which.

    Parameters
    ----------
    folder : path-like, optional
        Folder of Python source to read instead of the running interpreter's
        standard library.

    Returns
    -------
    Imports
        `graph`, directed and unweighted, with the edge i -> j where module i
        imports module j or a name from it; `names`, sorted.

    Raises
    ------
    InvalidValue
        There is no such folder.

    Notes
    -----
    Vertices are the ``.py`` files below the folder, tests and installed
    packages apart; nothing is imported, the source is parsed. Imports inside
    functions count. A file that does not parse has no imports, and modules
    without source (built-in or compiled) are left out.

    Examples
    --------
    >>> import graphla as gl
    >>> G, names = gl.generate.python_imports()
    >>> (names.index("json"), names.index("json.decoder")) in G.A
    True
    """
    root = Path(sysconfig.get_path("stdlib") if folder is None else folder)
    if not root.is_dir():
        raise InvalidValue(f"there is no folder {root}")
    modules = dict(sorted(_modules(root)))
    number = {name: v for v, name in enumerate(modules)}
    edges = {
        (v, number[target])
        for v, (module, file) in enumerate(modules.items())
        for imported in _imported(file, module)
        if (target := _known(imported, number))
    }
    src, dst = np.array(sorted(edges), np.uint32).reshape(-1, 2).T
    return Imports(Maker("directed", None, 0).graph(src, dst, len(modules)), tuple(modules))


def _modules(root: Path) -> Iterator[tuple[str, Path]]:
    """Yield the dotted name and the file of each module below the root."""
    for file in root.rglob("*.py"):
        parts = file.relative_to(root).with_suffix("").parts
        if {"test", "tests", "site-packages", "dist-packages"}.isdisjoint(parts):
            name = ".".join(parts).removesuffix(".__init__")
            if name.replace(".", "").isidentifier():
                yield name, file


def _imported(file: Path, module: str) -> Iterator[str]:
    """Yield the dotted name of all that a file imports; attributes look like submodules."""
    package = module if file.stem == "__init__" else module.rpartition(".")[0]
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            try:
                base = resolve_name("." * node.level + (node.module or ""), package)
            except ImportError:  # more dots than packages
                continue
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _known(name: str, number: dict[str, int]) -> str:
    """Return the longest prefix of a dotted name that is a module, or an empty string."""
    while name and name not in number:
        name = name.rpartition(".")[0]
    return name
