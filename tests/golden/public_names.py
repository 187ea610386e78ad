"""Public names with their signatures, and the number of examples in their docstrings.

Names are written as a user writes them, not by the module that defines them.
"""

from __future__ import annotations

import inspect
import json
import re
import tomllib
from contextlib import suppress
from doctest import DocTestParser
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name
from types import FunctionType, MethodType, ModuleType

from typer.main import get_command

import graphla as gl
from graphla.errors import GraphlaError
from tests.algorithm_calls import algorithms, prepared, tiny
from tests.golden.traces import simulated

FILE = Path(__file__).with_name("public_names.txt")
EXAMPLES = Path(__file__).with_name("examples.json")
ROOT = Path(__file__).parents[2]
# Methods that Python itself adds to such classes.
GENERATED = {"__new__", "__init__", "__replace__", "__getnewargs__", "__init_subclass__"}
PARTS = (  # expressions that are parts of statements
    "A.mxm(A)", "A & A", "A.S", "~A.V", "A(A.S)", "A[[0], :]", "A.reduce_scalar()",
)  # fmt: skip
ADDRESS = re.compile(r" at 0x\w+")


@cache
def modules():
    """Return {public name: module} of the package, its public modules and theirs."""
    found = {"gl": gl}
    for name in gl._MODULES:
        found[f"gl.{name}"] = getattr(gl, name)
    for name in gl.interop.MODULES:
        found[f"gl.interop.{name}"] = import_module(f"{gl.interop.__name__}.{name}")
    found["gl.star.algorithms"] = import_module(f"{gl.star.__name__}.algorithms")
    return found


def public(module):
    """Return the public names of a module: `__all__`, or the functions and classes it defines."""
    if hasattr(module, "__all__"):
        return sorted(module.__all__)
    return sorted(
        name
        for name, value in vars(module).items()
        if name[0] != "_"
        and (isinstance(value, FunctionType) or inspect.isclass(value))
        and value.__module__ == module.__name__
    )


@cache
def objects():
    """Return {public name: object}; classes of results are listed as "result NAME"."""
    found = {}
    for path, module in modules().items():
        for name in public(module):
            found[f"{path}.{name}"] = getattr(module, name)
    for name in recorded():
        value = resolve(name)
        if value is not None:
            found.setdefault(name, value)
    found |= {f"result {name}": cls for name, cls in results().items()}
    return {name: found[name] for name in sorted(found)}


def recorded():
    """Return the names in the golden file, some of which `modules` does not reach."""
    if not FILE.exists():
        return []
    lines = FILE.read_text().splitlines()
    return [line.partition("(")[0].partition(" ")[0] for line in lines if line[:3] == "gl."]


def resolve(name):
    """Return the object with a dotted name, or None."""
    first, _, rest = name.partition(".")
    if first not in ("gl", "graphla"):
        return None
    try:
        return resolve_name(f"{gl.__name__}.{rest}")
    except (ImportError, AttributeError):
        return None


@cache
def results():
    """Return {name: class} of the objects that public functions return."""
    objects = []
    for kind in ("directed", "undirected"):
        G = tiny(kind)
        for function in algorithms().values():
            with suppress(GraphlaError):
                objects.append(prepared(function, G)())
    with gl.trace() as steps:
        gl.bfs(G, 0)
    objects += [G.csr, steps, *steps, gl.compare_levels(G, 0, trials=1)]
    objects.append(gl.compare("bfs", G, sources=1, trials=1, implementations=["graphla"]))
    with simulated():
        objects.append(gl.cuda.memory())
    return {type(x).__name__: type(x) for x in objects if ours(type(x))}


def statements():
    """Return the members that parts of statements have on both engines."""
    lines, G = [], tiny("directed")
    with simulated():
        for text in PARTS:
            ours, theirs = (type(eval(text, {"A": G.to(engine).A})) for engine in ("cuda", "cpu"))
            lines += [f"part {text}"]
            lines += [f"    .{name}" for name in members(ours) if hasattr(theirs, name)]
    return lines


def ours(cls):
    return cls.__module__.split(".")[0] == "graphla"


def current():
    """Return the text of the golden file for the present code."""
    lines = []
    for name, value in objects().items():
        lines += described(name, value)
    return "\n".join([*lines, *statements(), *commands(), *backend()]) + "\n"


def described(name, value):
    """Return the lines of a function, of a class with its members, or of anything else."""
    if inspect.isclass(value) and ours(value):
        fields = getattr(value, "_fields", None)
        bases = [b.__name__ for b in value.__mro__[1:] if not ours(b) and b is not object]
        # Users do not construct results.
        constructor = "" if name.startswith("result ") else signature(value)
        shown = f"({', '.join(fields)})" if fields else constructor
        lines = [f"{name}{shown} class of {', '.join(bases) or 'object'}"]
        return lines + [member_of(value, member) for member in members(value)]
    if isinstance(value, ModuleType):
        return [f"{name} module"]
    if callable(value):
        return [f"{name}{signature(value)}"]
    return [f"{name} {type(value).__name__}"]


def members(cls):
    """Return the public members of a class, and the operators that it defines."""
    found = set()
    for base in filter(ours, cls.__mro__):
        for name, value in vars(base).items():
            operator = name[:2] == "__" == name[-2:] and callable(value) and name not in GENERATED
            if name[0] != "_" or (operator and not inspect.isclass(value)):
                found.add(name)
    return sorted(found - set(getattr(cls, "_fields", ())))


def member_of(cls, name):
    """Return the line of a member."""
    value = inspect.getattr_static(cls, name)
    if isinstance(value, (FunctionType, classmethod, staticmethod)):
        kind = {classmethod: " classmethod", staticmethod: " staticmethod"}.get(type(value), "")
        return f"    .{name}{signature(getattr(cls, name))}{kind}"
    return f"    .{name}"


def signature(function):
    """Return the text of a signature without module names and addresses of objects."""
    try:
        text = inspect.signature(function)
    except (TypeError, ValueError):
        return "(...)"
    return ADDRESS.sub("", str(text).replace("'", "").replace("graphla.", ""))


def commands():
    """Return the commands of the command line with their parameters."""
    entry = load(project()["scripts"]["graphla"])
    app = get_command(import_module(entry.__module__).app)
    return [
        f"graphla {name} {' '.join('/'.join(p.opts) for p in command.params)}"
        for name, command in sorted(app.commands.items())
    ]


def backend():
    """Return the functions of the NetworkX backend, with parameters that NetworkX lacks."""
    info = load(project()["entry-points"]["networkx.backend_info"]["graphla"])()
    return [
        f"networkx {name}({', '.join(function.get('additional_parameters', ()))})"
        for name, function in sorted(info["functions"].items())
    ]


def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def load(entry):
    """Return the object of an entry point."""
    module, _, name = entry.partition(":")
    return getattr(import_module(module), name)


# ---- examples in docstrings


def current_examples():
    """Return the text of the golden file of examples for the present code."""
    counts = {name: examples(value) for name, value in objects().items()}
    return json.dumps({name: count for name, count in counts.items() if count}, indent=1) + "\n"


def examples(value):
    """Return the number of doctest examples in the docstrings of an object and its members."""
    inside = [value]
    if inspect.isclass(value) and ours(value):
        inside += [inspect.getattr_static(value, name) for name in members(value)]
    if isinstance(value, ModuleType) or not (
        inspect.isclass(value) or isinstance(value, (FunctionType, MethodType))
    ):
        return 0
    texts = [getattr(x, "__doc__", None) for x in inside]
    return sum(len(DocTestParser().get_examples(t)) for t in texts if isinstance(t, str))
