"""What runs here, and what should: small graphs stay where NetworkX is faster."""

from __future__ import annotations

from typing import Any

NAMES = ("weight", "distance")  # of attributes; NetworkX takes functions there, too
UNSUPPORTED = ("sort_neighbors", "neighbors", "partition")


def refusal(name: str, arguments: dict[str, Any]) -> str | None:
    """Return why a call with these arguments cannot run here, None if it can."""
    for parameter in NAMES:
        if callable(arguments.get(parameter)):
            return f"{parameter} is a function, not the name of an attribute"
    for parameter in UNSUPPORTED:
        if arguments.get(parameter) is not None:
            return f"{parameter} is not supported"
    if name == "hits" and not arguments["normalized"]:
        return "hubs and authorities always sum to 1"
    return None


def should_run(name: str, args: tuple, kwargs: dict) -> bool | str:
    return True
