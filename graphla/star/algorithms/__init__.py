"""Graph algorithms in the language of the machine."""

from graphla.star.algorithms.warshall import (
    warshall,
    warshall_adapted,
    warshall_blocked,
    warshall_columns,
)

__all__ = ["warshall", "warshall_adapted", "warshall_blocked", "warshall_columns"]
