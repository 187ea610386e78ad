"""A graph in other processes: what a call of an algorithm has to know of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any


class RemoteGraph(ABC):
    """A graph that other processes have; algorithms called on it run there."""

    __slots__ = ()

    @abstractmethod
    def call(self, function_name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run a function of the package on the graph, where it is, and return handles of results.

        Parameters
        ----------
        function_name : str
            A name of the package, as "bfs" or "verify.bfs", or "module:function".
        args : tuple
            The arguments behind the graph.
        kwargs : dict
        """


def remote_graph(args: tuple[Any, ...], kwargs: dict[str, Any]) -> RemoteGraph | None:
    """Return the graph of a call, its first argument or G=, if it is in other processes."""
    G = args[0] if args else kwargs.get("G")
    return G if isinstance(G, RemoteGraph) else None


def call_remotely(
    G: RemoteGraph, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Run a function, which is called with these arguments, in the processes of its graph."""
    name = f"{function.__module__}:{function.__qualname__}"
    others = {key: x for key, x in kwargs.items() if key != "G"}
    return G.call(name, args[1:], others)
