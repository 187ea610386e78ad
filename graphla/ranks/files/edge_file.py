"""Files of edges, of which each rank reads some parts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, NamedTuple


class Columns(NamedTuple):
    """Edges of a part of a file, with vertices from 0, checked; no weights: None."""

    src: Any
    dst: Any
    weight: Any


class Part(NamedTuple):
    """A part of a file: what `start` and `stop` count depends on the format."""

    start: int
    stop: int
    nbytes: int


class EdgeFile(ABC):
    """A file of edges: what it says of all of them, and how it is read in parts.

    Objects are sent from the rank that has opened the file to all others.

    Attributes
    ----------
    path : str
    nbytes : int
        Size of the file.
    n : int or None
        The number of vertices, if it is stored.
    kind : str or None
        The kind of the graph, if it is stored.
    weighted : bool or None
        Whether there are weights; None if the file has no edges and does not say.
    dtype : numpy.dtype or None
        Of the weights; None: found by reading them.
    """

    path: str
    nbytes: int
    n: int | None
    kind: str | None
    weighted: bool | None
    dtype: Any

    @abstractmethod
    def parts(self, size: int) -> list[Part]:
        """Return parts of about `size` bytes, in the order of the edges."""

    @abstractmethod
    def columns(self, part: Part, dtype: Any, n: int | None, size: int) -> Iterator[Columns]:
        """Yield the edges of a part, in pieces of about `size` bytes.

        Parameters
        ----------
        part : Part
        dtype : numpy.dtype or None
            Of the weights; None: what they need.
        n : int or None
            Number of vertices, against which the edges are checked.
        size : int
        """
