"""Messages of errors that name the word a caller probably meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import get_close_matches
from inspect import Parameter, signature
from numbers import Real
from os import PathLike
from typing import Any

SYNONYMS = {  # words of other libraries -> ours
    "alpha": ("damping",),
    "damping_factor": ("damping",),
    "directed": ("kind",),
    "duplicates": ("dup",),
    "max_iterations": ("max_iter",),
    "maxiter": ("max_iter",),
    "num_nodes": ("n",),
    "src": ("source", "sources"),
    "source": ("src",),
    "start": ("source",),
    "target": ("dst",),
    "tolerance": ("tol",),
    "vertex": ("source",),
    "weight": ("weights",),
    "dijkstra": ("sssp",),
    "breadth_first_search": ("bfs",),
}

_is_command_line: ContextVar[bool] = ContextVar("_is_command_line", default=False)

FRAMES = {"pandas": "pandas", "polars": "polars", "pyarrow": "arrow"}  # package -> module
MATRICES = {"scipy", "numpy", "graphblas", "cupy", "cupyx"}  # packages
CONVERT_WEIGHTS = (  # {0}: the attribute; K: the graph of NetworkX
    'graphla.interop.networkx.from_networkx(K, edge_attrs={{"{0}": 1}}).graph("{0}")'
)


@contextmanager
def command_line() -> Iterator[None]:
    """Let messages name the options of the command line in place of Python's arguments."""
    token = _is_command_line.set(True)
    try:
        yield
    finally:
        _is_command_line.reset(token)


def argument(name: str, value: Any = None, *, of: str = "") -> str:
    """Return how the caller gives an argument, of the function `of`: in Python or by an option.

    Examples
    --------
    >>> argument("src"), argument("n", 5), argument("kind", "undirected", of="Graph.from_edges")
    ('src=', 'n=5', "Graph.from_edges(..., kind='undirected')")
    >>> with command_line():
    ...     print(argument("src"), argument("n", 5), argument("sources", 7))
    --src --n 5 --source 7
    """
    if _is_command_line.get():
        option = "--source" if name == "sources" else f"--{name}"
        return option if value is None else f"{option} {value}"
    text = f"{name}=" if value is None else f"{name}={value!r}"
    return f"{of}(..., {text})" if of else text


def conversion(x: Any, name: str = "G") -> str | None:
    """Return the call that makes a Graph of an object of another type, called `name`, else None."""
    classes = [(c.__module__.partition(".")[0], c.__name__) for c in type(x).__mro__]
    packages = {package for package, _ in classes}
    if getattr(type(x), "__networkx_backend__", None) == "graphla":
        return _labelled_conversion(x, name)
    if "networkx" in packages and hasattr(x, "adj"):
        return _networkx_conversion(x, name)
    if ("graphla", "Labelled") in classes:
        return f"{name}.graph is one, {name}.labels has the labels of its vertices"
    if ("igraph", "Graph") in classes:
        return f"graphla.interop.igraph.from_igraph({name}).graph makes it from a graph of igraph"
    for package, module in FRAMES.items():
        if package in packages:
            names = x.column_names if hasattr(x, "column_names") else getattr(x, "columns", ())
            columns = list(names)[:2]
            ends = ", ".join(map(repr, columns)) if len(columns) == 2 else "src, dst"
            return f"graphla.interop.{module}.from_edges({name}, {ends}).graph makes it of columns"
    if isinstance(x, (str, PathLike)):
        return f"graphla.read({name}) makes it from a file"
    if packages & MATRICES and hasattr(x, "shape"):
        return f"graphla.Graph({name}) makes it from a matrix"
    return None


def _networkx_conversion(x: Any, name: str) -> str:
    attribute = _weight_attribute([data for _, _, data in x.edges(data=True)])
    attributes = f', edge_attrs={{"{attribute}": 1}}' if attribute else ""
    weight = f'"{attribute}"' if attribute else ""
    return (
        f"graphla.interop.networkx.from_networkx({name}{attributes}).graph({weight}) makes it from "
        "a graph of NetworkX"
    )


def _weight_attribute(edges: list[dict]) -> Any:
    """Return "weight", or the first attribute of the first edge that is a number, else None."""
    if any("weight" in data for data in edges):
        return "weight"
    first = edges[0].items() if edges else ()
    return next((name for name, x in first if isinstance(x, Real)), None)


def _labelled_conversion(x: Any, name: str) -> str:
    if x.edge_columns:
        return f"{name}.graph({next(iter(x.edge_columns))!r}) makes it"
    way = CONVERT_WEIGHTS.format("weight")
    return f"{name}.graph() makes it without weights; with weights {way}, K being NetworkX's graph"


GRAPH_MEMBERS = {  # what other libraries' graphs have -> what a Graph has
    **dict.fromkeys(("nodes", "vertices", "vs"), "range(G.n)"),
    **dict.fromkeys(
        ("number_of_nodes", "number_of_vertices", "num_nodes", "num_vertices", "nvertices"), "G.n"
    ),
    **dict.fromkeys(("order", "vcount"), "G.n"),
    **dict.fromkeys(("number_of_edges", "num_edges", "size", "ecount", "m"), "G.nedges"),
    **dict.fromkeys(
        ("edges", "es"), "G.nedges, the number, or gl.interop.pandas.to_frame(G), the table"
    ),
    **dict.fromkeys(("degree", "degrees", "outdegree"), "G.out_degree"),
    "indegree": "G.in_degree",
    **dict.fromkeys(("neighbors", "successors", "adj"), "G.A[v, :], the row of vertex v"),
    "predecessors": "G.A[:, v], the column of vertex v",
    **dict.fromkeys(("adjacency", "adjacency_matrix"), "G.A"),
    "to_scipy": "gl.interop.scipy.to_sparse(G)",
    **dict.fromkeys(("directed", "is_directed"), "G.kind"),
    "shape": "G.A.shape",
    "is_weighted": "G.weighted",
    **dict.fromkeys(("weight", "weights"), "G.weighted, G.dtype or the values of G.A"),
    **dict.fromkeys(("transpose", "T", "reverse"), "G.reversed()"),
    "to_undirected": "gl.Graph(S.maximum(S.T), kind='undirected') of a SciPy matrix S",
    **dict.fromkeys(("subgraph", "induced_subgraph"), "gl.Graph(G.A[vertices, vertices].new())"),
    **dict.fromkeys(
        ("add_edge", "add_edges_from", "add_node", "add_nodes_from", "remove_edge", "remove_node"),
        "gl.Graph.from_edges(src, dst), as a Graph does not change",
    ),
    **dict.fromkeys(("to_frame", "to_pandas"), "gl.interop.pandas.to_frame(G)"),
    "to_networkx": "nx.from_scipy_sparse_array(gl.interop.scipy.to_sparse(G))",
}


ELSEWHERE = {  # functions of other libraries -> what the package has in place of them
    **dict.fromkeys(
        ("shortest_path", "single_source_shortest_path", "astar_path"),
        "gl.sssp(G, source).path(target), or gl.bfs without weights",
    ),
    **dict.fromkeys(("dijkstra_path", "single_source_dijkstra"), "gl.sssp(G, source).path(target)"),
    **dict.fromkeys(
        ("shortest_path_length", "single_source_shortest_path_length"),
        "gl.sssp(G, source).distance, or the level of gl.bfs without weights",
    ),
    **dict.fromkeys(("degree", "degrees", "out_degree"), "G.out_degree"),
    "in_degree": "G.in_degree",
    **dict.fromkeys(("from_edges", "from_edgelist"), "gl.Graph.from_edges(src, dst)"),
    **dict.fromkeys(("from_networkx", "from_nx"), "gl.interop.networkx.from_networkx(K)"),
    **dict.fromkeys(
        ("from_pandas", "from_pandas_edgelist", "from_frame", "from_dataframe"),
        "gl.interop.pandas.from_edges(frame, src, dst)",
    ),
    **dict.fromkeys(("from_scipy", "from_scipy_sparse_array", "from_numpy"), "gl.Graph(A)"),
    **dict.fromkeys(("from_numpy_array", "from_matrix"), "gl.Graph(A)"),
    "to_scipy": "gl.interop.scipy.to_sparse(G)",
    **dict.fromkeys(("read_csv", "read_edgelist", "load", "open"), "gl.read(path)"),
    **dict.fromkeys(("save", "write_edgelist"), "gl.write(path, x)"),
    "eccentricity": "gl.all_pairs_shortest_paths(G), whose rows have the distances",
    "diameter": "gl.all_pairs_shortest_paths(G), whose largest value is the diameter",
    "density": "G.nedges and G.n",
}


def suggest(name: str, known: Iterable[str]) -> str:
    """Return ": did you mean ...?" with a known word, empty if none is close.

    Examples
    --------
    >>> suggest("page_rank", ["pagerank", "bfs"])
    ": did you mean 'pagerank'?"
    >>> suggest("alpha", ["damping", "tol"])
    ": did you mean 'damping'?"
    """
    known = list(known)
    found = [word for word in SYNONYMS.get(name, ()) if word in known]
    found = found or get_close_matches(name, known, n=1)
    return f": did you mean {found[0]!r}?" if found else ""


def unknown_name(module: str, name: str, known: Iterable[str]) -> AttributeError:
    """Return the error for a name that a module does not have, with a suggestion for public ones.

    Examples
    --------
    >>> str(unknown_name("graphla", "dijkstra", ["bfs", "sssp"]))
    "module 'graphla' has no attribute 'dijkstra': did you mean 'sssp'?"
    """
    known, hint = list(known), ""
    if not name.startswith("_"):
        meant = ELSEWHERE.get(name) if module == "graphla" else None
        hint = f": did you mean {meant}?" if meant else suggest(name, known)
        if not hint and len(known) <= FEW:
            hint = f"; it has {', '.join(known)}"
    return AttributeError(f"module {module!r} has no attribute {name!r}{hint}", name=name)


FEW = 24  # names that an error lists if none is close


def unknown_argument(
    function: Callable, kwargs: dict[str, Any], title: str | None = None
) -> str | None:
    """Return a message on a keyword that a function does not have, None if it has them all.

    The message calls the function `title`, by default its name.
    """
    parameters = signature(function).parameters
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return None
    known = [name for name in parameters if name not in ("self", "cls")]
    if not (unknown := [name for name in kwargs if name not in known]):
        return None
    name = unknown[0]
    message = f"{title or f'{function.__qualname__}()'} has no argument {name!r}"
    if name == "directed":
        kind = "directed" if kwargs[name] else "undirected"
        if "kind" not in known:
            return f"{message}; a graph has a kind: Graph.from_edges(..., kind={kind!r})"
        return f"{message}: did you mean kind={kind!r}?"
    return message + (suggest(name, known) or f"; it has {', '.join(known)}")


def wrong_call(function: Callable, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str | None:
    """Return a message on arguments that are missing or too many, None if the call is possible.

    Examples
    --------
    >>> wrong_call(lambda G, source: 0, ("G",), {})
    "<lambda>() lacks the argument 'source': call <lambda>(G, source)"
    """
    title, parameters = function.__qualname__, list(signature(function).parameters.values())
    if parameters and parameters[0].name in ("self", "cls"):
        parameters, args = parameters[1:], args[1:]
        title = title.removesuffix(".__init__")
    required = [p.name for p in parameters if p.default is p.empty and p.kind not in _VARIADIC]
    positional = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    call = f"{title}({', '.join(required)})"
    if missing := [name for name in required if name not in (*positional[: len(args)], *kwargs)]:
        what = " and ".join(map(repr, missing))
        message = f"{title}() lacks the argument{'s' * (len(missing) > 1)} {what}: call {call}"
        if "sources" in missing and "G" in required:
            message += "; range(G.n) has all vertices"
        if args and "dst" in missing:
            message += "; " + (conversion(args[0]) or EDGE_COLUMNS)
        return message
    if len(args) > len(positional) and not any(p.kind is p.VAR_POSITIONAL for p in parameters):
        by_name = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
        options = f"; by name: {', '.join(f'{name}=' for name in by_name)}" if by_name else ""
        return (
            f"{title}() takes {len(positional)} argument{'s' * (len(positional) != 1)} by position "
            f"({', '.join(positional)}), not {len(args)}{options}"
        )
    return None


EDGE_COLUMNS = "the ends of the edges are two columns: src, dst = zip(*pairs)"
_VARIADIC = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def unknown_member(name: str, known: Iterable[str]) -> AttributeError:
    """Return the error for an attribute that a Graph does not have.

    Examples
    --------
    >>> str(unknown_member("number_of_nodes", ["n", "nedges"]))
    "a Graph has no attribute 'number_of_nodes': did you mean G.n?"
    """
    hint = ""
    if not name.startswith("_"):
        meant = GRAPH_MEMBERS.get(name)
        hint = f": did you mean {meant}?" if meant else suggest(name, known)
    return AttributeError(f"a Graph has no attribute {name!r}{hint}", name=name)
