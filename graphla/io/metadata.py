"""The metadata comment "graphla: n=7 kind=undirected dtype=int8".

It stores the properties of a graph that a file format cannot express, in a comment line of text
files and in the schema metadata of Parquet files.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from graphla.io.columns import DTYPES, MAX_N

if TYPE_CHECKING:
    from graphla.core.graph import Graph

PATTERN = re.compile(r"graphla:((?: \w+=\w+)+)\s*$")
CHOICES = {"kind": ("directed", "undirected"), "dtype": DTYPES}


def metadata_comment(G: Graph, **defaults: Any) -> str:
    """Return the comment for the properties in which G differs from `defaults`, "" if none does.

    `defaults` are the values of n, kind or dtype that a reader assumes without a comment.
    """
    values = {"n": G.n, "kind": G.kind, "dtype": G.dtype.np_type.name}
    fields = [f"{name}={values[name]}" for name, x in defaults.items() if values[name] != x]
    return " ".join(["graphla:", *fields]) if fields else ""


def metadata_line(mark: str, G: Graph, **defaults: Any) -> str:
    """Return the metadata comment as a line that starts with `mark`, or ""."""
    comment = metadata_comment(G, **defaults)
    return f"{mark} {comment}\n" if comment else ""


def parse_metadata(comment: str) -> dict[str, Any]:
    """Return the fields of a metadata comment, none for another comment.

    Raises ValueError with the field, as "name=value", if its name or value is invalid.
    """
    match = PATTERN.search(comment)
    if not match:
        return {}
    fields: dict[str, Any] = dict(field.split("=", 1) for field in match[1].split())
    if "n" in fields:
        fields["n"] = int(fields["n"])
    for name, value in fields.items():
        if name != "n" and value not in CHOICES.get(name, ()):
            raise ValueError(f"{name}={value}")
    if not 0 <= fields.get("n", 0) <= MAX_N:
        raise ValueError(f"n={fields['n']}")
    return fields
