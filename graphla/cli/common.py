"""What the commands share: consoles, and checks of arguments."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import typer
from rich.console import Console

from graphla.suggestions import suggest

out = Console()
err = Console(stderr=True)


def split_names(text: str) -> list[str]:
    """Return names that are separated by commas or spaces."""
    return [name for name in re.split(r"[,\s]+", text) if name]


def check_name(name: str, kind: str, known: Iterable[str]) -> None:
    """Raise BadParameter if `name` is not known."""
    known = list(known)
    if name not in known:
        hint = suggest(name, known) or f": expected one of {', '.join(known)}"
        raise typer.BadParameter(f"unknown {kind} {name!r}{hint}")


def check_folder(path: Path | None) -> None:
    """Raise BadParameter if the folder of an output file does not exist."""
    if path is not None and not (folder := path.absolute().parent).is_dir():
        raise typer.BadParameter(f"there is no folder {folder}")
