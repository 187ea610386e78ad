"""Every algorithm of graphla on the command line: arguments, and a few words about results."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterable
from inspect import Parameter, signature
from typing import Any

import typer
from graphblas import Vector

import graphla as gl
from graphla.comparison.algorithms import ALGORITHMS as VERIFIED

SOURCES = ("source", "sources")


def names() -> list[str]:
    """Return the names of the algorithms that return one result, in alphabetical order.

    Those that yield a result for each step are left out: the caller decides when to stop.
    """
    returned = {name: signature(getattr(gl, name)).return_annotation for name in gl.ALGORITHMS}
    return sorted(name for name in returned if not str(returned[name]).startswith("Iterator"))


def list_algorithms() -> str:
    """Return the names of all algorithms and the arguments that they need, a line each."""
    lines = []
    for name in names():
        needed = (
            "--source V" if p.name in SOURCES else f"--argument {p.name}=..."
            for p in parameters(name)
            if p.default is Parameter.empty
        )
        lines.append(" ".join([name, *needed]))
    return "\n".join(lines)


def parameters(name: str) -> list[Parameter]:
    """Return the parameters of an algorithm after the graph."""
    return list(signature(getattr(gl, name)).parameters.values())[1:]


def call_arguments(name: str, source: list[int] | None, texts: Iterable[str]) -> dict[str, Any]:
    """Return keyword arguments from ``--source`` and from texts ``NAME=VALUE``.

    A value is a Python literal; any other text is a string. Raises BadParameter if an argument is
    missing.
    """
    known = {p.name: p for p in parameters(name)}
    arguments: dict[str, Any] = {}
    for text in texts:
        key, separator, value = text.partition("=")
        if not separator:
            raise typer.BadParameter(f"--argument {text!r} has no '=': write NAME=VALUE")
        try:
            arguments[key] = literal_eval(value)
        except (ValueError, SyntaxError):
            arguments[key] = value
    if source:
        start = next((p for p in SOURCES if p in known), None)
        if start is None:
            raise typer.BadParameter(f"{name} has no --source")
        if start == "source" and len(source) > 1:
            raise typer.BadParameter(f"{name} has exactly one --source")
        arguments[start] = source[0] if start == "source" else source
    if isinstance(arguments.get("community"), list):
        arguments["community"] = Vector.from_dense(arguments["community"])
    for key, p in known.items():
        if p.default is Parameter.empty and key not in arguments:
            option = "--source" if key in SOURCES else f"--argument {key}=..."
            raise typer.BadParameter(f"{name} needs {option}")
    return arguments


def summarize(name: str, result: Any) -> str:
    """Return a few words about a result."""
    if name in VERIFIED:
        return VERIFIED[name].summarize(result)
    if hasattr(result, "_fields"):
        fields = zip(result._fields, result, strict=True)
        return ", ".join(f"{field} {summarize('', value)}" for field, value in fields)
    if hasattr(result, "nvals"):
        return f"{result.nvals:,} values"
    return f"{result:,.6g}" if isinstance(result, float) else str(result)
