"""The import graph of a tree of Python modules, such as the standard library."""

from __future__ import annotations

import ast
import sysconfig
import warnings
from importlib.util import resolve_name
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphla.core.graph import Graph
from graphla.core.validation import explains_wrong_calls
from graphla.errors import InvalidValue
from graphla.generate.builder import GraphBuilder

if TYPE_CHECKING:
    from collections.abc import Iterator


class Imports(NamedTuple):
    """Modules and their imports: vertex v of the directed `graph` is the module `names[v]`."""

    graph: Graph
    names: tuple[str, ...]


@explains_wrong_calls
def python_imports(folder: Any = None) -> Imports:
    """Return the import graph of Python's standard library.

    Parameters
    ----------
    folder : path-like, optional
        Folder of Python source to read instead of the running interpreter's standard library.

    Returns
    -------
    Imports
        `graph`, directed and unweighted, with an edge i -> j if module i imports module j or a
        name from it; `names`, sorted.

    Raises
    ------
    InvalidValue
        There is no such folder.

    Notes
    -----
    Vertices are the ``.py`` files below the folder, without tests and installed packages. The
    source is parsed, nothing is imported. Imports inside functions count. A file that does not
    parse has no imports; modules without source (built-in or compiled) are left out.

    Examples
    --------
    >>> import xml
    >>> import graphla as gl
    >>> G, names = gl.generate.python_imports(xml.__path__[0])
    >>> (names.index("sax"), names.index("sax.handler")) in G.A
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
        for imported in _imported_names(file, module)
        if (target := _longest_known_prefix(imported, number))
    }
    src, dst = np.array(sorted(edges), np.uint32).reshape(-1, 2).T
    return Imports(GraphBuilder("directed", None, 0).graph(src, dst, len(modules)), tuple(modules))


def _modules(root: Path) -> Iterator[tuple[str, Path]]:
    """Yield the dotted name and the file of each module below the root."""
    for file in root.rglob("*.py"):
        parts = file.relative_to(root).with_suffix("").parts
        if {"test", "tests", "site-packages", "dist-packages"}.isdisjoint(parts):
            name = ".".join(parts).removesuffix(".__init__")
            if name.replace(".", "").isidentifier():
                yield name, file


def _imported_names(file: Path, module: str) -> Iterator[str]:
    """Yield the dotted names that a file imports; ``from a import b`` yields "a.b" in any case."""
    package = module if file.stem == "__init__" else module.rpartition(".")[0]
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            try:
                base = resolve_name("." * node.level + (node.module or ""), package)
            except ImportError:  # more dots than packages
                continue
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield all statements, including nested ones. Expressions are skipped: they import nothing."""
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        yield node
        for part in ("body", "orelse", "handlers", "finalbody", "cases"):
            stack += getattr(node, part, ())


def _longest_known_prefix(name: str, number: dict[str, int]) -> str:
    """Return the longest prefix of a dotted name that is a module, or an empty string."""
    while name and name not in number:
        name = name.rpartition(".")[0]
    return name
