"""The engines: whose objects a graph is made of, in this process or in others."""

from __future__ import annotations

import ctypes
import importlib
import sys
from abc import ABC, abstractmethod
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from graphla.errors import EngineUnavailable, InvalidCall, InvalidValue, NotSupported

MODULES = {"cpu": "graphblas", "cuda": "graphla.cuda", "ranks": "graphla.ranks"}


def engine_of(x: Any) -> str:
    """Return the engine of a Matrix, the transpose of one, a Vector or a Scalar.

    The classes of an engine name it; those of python-graphblas do not.
    """
    return getattr(type(x), "_engine", "cpu")


def on_host(x: Any) -> Any:
    """Return an object in host memory, as what becomes NumPy arrays or a file has to be."""
    return moved(x, "cpu") if engine_of(x) == "cuda" else x


def available(engine: str) -> bool:
    """Whether an engine can run here."""
    if engine == "cuda" and "graphla.cuda" not in sys.modules and not _has_driver():
        return False  # without the time that CuPy takes to say so
    try:
        there = objects(engine)
        if engine == "cuda":
            there.require()
    except EngineUnavailable:
        return False
    return True


def _has_driver() -> bool:
    """Whether CuPy and the driver of a CUDA device are installed."""
    try:
        ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")
    except OSError:
        return False
    return find_spec("cupy") is not None


def objects(engine: str) -> Any:
    """Return the module with the Matrix, the Vector and the Scalar of an engine.

    Raises
    ------
    EngineUnavailable
        There is no such engine, or it cannot run here.
    """
    if engine not in MODULES:
        chosen = [name for name in MODULES if name != "ranks"]  # which ranks.distribute(G) uses
        raise EngineUnavailable(f"engine {engine!r} is not one of: {', '.join(chosen)}")
    return _module(MODULES[engine])


@cache
def _module(name: str) -> Any:
    return importlib.import_module(name)


def objects_of(x: Any) -> Any:
    """Return what has the Matrix, the Vector and the Scalar that go with an object."""
    return getattr(x, "objects", None) or objects(engine_of(x))


def on_devices(G: Any, engine: str, devices: Any) -> Any:
    """Return a handle of a graph whose blocks are on several devices."""
    if engine != "cuda":
        raise InvalidValue(f"devices={devices!r} are of engine 'cuda', not of {engine!r}")
    return objects("ranks").start_on_devices(G, devices)


def refuse_ranks(engine: str, what: str) -> None:
    """Refuse what is written for graphs of one process."""
    if engine == "ranks":
        raise NotSupported(
            f"{what} takes no graph or vector that is distributed to ranks; the graph that was "
            "distributed, and x.gathered(), are of one process"
        )


def array_module(engine: str) -> Any:
    """Return NumPy, or the array module of the device."""
    if engine == "cpu":
        return np
    refuse_ranks(engine, "this function")
    return objects(engine).array_module()


def host_array(x: Any) -> Any:
    """Return a NumPy array of an array of the host or of the device."""
    return x.get() if hasattr(x, "get") else x


def on_workers(G: Any, engine: str, client: Any) -> Any:
    """Return a handle of a graph whose blocks are sent to the workers of a Dask cluster."""
    if engine != "dask":
        raise InvalidCall(f"client= is for engine 'dask', not {engine!r}")
    if client is None:
        raise InvalidCall("engine 'dask' needs client=, a distributed.Client of the cluster")
    return _module("graphla.ranks.processes.dask").distribute(G, client)


def moved(A: Any, engine: str) -> Any:
    """Copy a Matrix, or a Vector, to another engine.

    Raises
    ------
    EngineUnavailable
        There is no such engine, or it cannot run here.
    OutOfDeviceMemory
        It does not fit.
    NotSupported
        It is distributed to ranks, or should be: ``ranks.distribute(G)`` does that.
    """
    if engine == "ranks":
        raise NotSupported(
            "a graph goes to several processes by ranks.distribute(G), to several GPUs by "
            'G.to("cuda", devices=2), to a cluster by G.to("dask", client=client)'
        )
    refuse_ranks(engine_of(A), "a copy to another engine")
    target = objects(engine)
    if engine == "cuda":
        target.require()
        return target.from_graphblas(A)
    return objects("cuda").to_graphblas(A)


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


def call_remotely(
    G: RemoteGraph, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Run a function, which is called with these arguments, in the processes of its graph."""
    name = f"{function.__module__}:{function.__qualname__}"
    others = {key: x for key, x in kwargs.items() if key != "G"}
    return G.call(name, args[1:], others)
