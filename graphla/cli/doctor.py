"""``graphla doctor``: versions, engines, threads, and which optional packages are missing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from rich.markup import escape
from rich.table import Table

from graphla.cli.common import out

REQUIRED = ("python-graphblas", "suitesparse-graphblas", "numpy", "scipy", "numba")
CUPY = ("cupy-cuda13x", "cupy-cuda12x", "cupy")
OPTIONAL = {  # package -> what needs it, and the extra that installs it
    "networkx": ("the NetworkX backend", "networkx"),
    "matplotlib": ("graphla.plot", "plot"),
    "pyarrow": ("Parquet files", "io"),
    "zstandard": (".zst files", "io"),
    "pooch": ("public datasets", "io"),
    "igraph": ("comparisons with igraph", "peers"),
    "mpi4py": ("graphs on several processes", "mpi"),
    "distributed": ("graphs on the workers of a Dask cluster", "dask"),
    "networkit": ("comparisons with NetworKit", "peers"),
    "rustworkx": ("comparisons with rustworkx", "peers"),
    "pandas": ("graphla.interop.pandas", "pandas"),
    "polars": ("graphla.interop.polars", None),
}


def doctor() -> None:
    """Show versions, engines and threads, and how to install what is missing."""
    table = Table(show_header=False)
    for what, state in (*_versions(), *_engines(), *_threads(), *_optional()):
        table.add_row(what, escape(state))  # a command such as pip install 'graphla[io]'
    out.print(table)


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _versions() -> Iterator[tuple[str, str]]:
    import graphla as gl

    yield "graphla", gl.__version__
    for package in REQUIRED:
        yield package, _version(package) or f"missing: pip install {package}"
    found = [f"{_version(package)} ({package})" for package in CUPY if _version(package)]
    yield "cupy", found[0] if found else "not installed"


def _engines() -> Iterator[tuple[str, str]]:
    for engine in ("cpu", "cuda"):
        yield f"engine {engine}", _availability(engine)


def _availability(engine: str) -> str:
    """Return "available", or why an engine is not."""
    from graphla.core.engines import available

    try:
        return "available" if available(engine) else f"unavailable: {_why_no_cuda()}"
    except ImportError as error:
        return f"unavailable: {error}"


def _why_no_cuda() -> str:
    """Return why engine "cuda" is not available."""
    if find_spec("cupy") is None:
        return "CuPy is missing: pip install 'graphla[cuda13]', or cuda12 for older drivers"
    try:
        import cupy

        devices = cupy.cuda.runtime.getDeviceCount()
    except Exception as error:  # an incomplete CUDA installation fails in many ways
        return f"CuPy finds no NVIDIA GPU, or no driver for this version of CUDA: {error}"
    if not devices:
        return "there is no CUDA device"
    return f"CuPy counts {devices} CUDA devices, but engine 'cuda' cannot be loaded"


def _threads() -> Iterator[tuple[str, str]]:
    yield "cores", str(os.cpu_count())
    with suppress(ImportError):  # then the row of engine "cpu" says why
        from graphblas import ss

        yield "threads of GraphBLAS", str(ss.config["nthreads"])
    try:
        import numba
    except ImportError as error:
        yield "kernels by hand", f"unavailable: {error}"
    else:
        yield "threads of Numba", str(numba.get_num_threads())


def _optional() -> Iterator[tuple[str, str]]:
    for package, (needed_for, extra) in OPTIONAL.items():
        name = f"'graphla[{extra}]'" if extra else package
        missing = f"not installed; for {needed_for}: pip install {name}"
        yield package, _version(package) or missing
