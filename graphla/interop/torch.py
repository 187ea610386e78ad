"""PyTorch Geometric: a graph as `edge_index` and back, by DLPack, on the host or on a device."""

from __future__ import annotations

from typing import Any

import numpy as np
from graphblas import binary

from graphla.core import engines
from graphla.core.edge_list import check_kind
from graphla.core.graph import Graph
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidGraph, InvalidValue
from graphla.io.files import import_optional

CPU = 1  # of DLPack's kinds of devices
COMBINE = {"min": binary.min, "max": binary.max, "sum": binary.plus}


def from_edge_index(
    edge_index: Any,
    edge_weight: Any = None,
    *,
    n: int | None = None,
    kind: Any = "directed",
    dup: str | None = "min",
) -> Graph:
    """Build a graph of PyTorch Geometric's arrays, on the engine where they are.

    Parameters
    ----------
    edge_index : tensor of int, shape (2, m)
        Anything with ``__dlpack__``: of PyTorch, NumPy, JAX, CuPy.
    edge_weight : tensor, shape (m,), optional
        On the same device.
    n : int, optional
        Number of vertices, ``data.num_nodes``; by default the largest vertex + 1.
    kind : {"directed", "undirected"}
        PyTorch Geometric gives an undirected edge in both directions, which are one edge here.
    dup : {"min", "max", "sum", "first", "last"} or None, default "min"
        How equal edges combine; where "undirected" ones come in both directions, "sum"
        counts them twice. On a device "min", "max" or "sum", and integer sums wrap.

    Returns
    -------
    Graph
        On engine "cuda" if the arrays are on a device, else "cpu".

    Raises
    ------
    DomainMismatch
        Something has no ``__dlpack__``, or its dtype is not one of a Graph.
    DimensionMismatch
        `edge_index` is not 2 x m, or there is not one weight for each edge.
    InvalidIndex, InvalidGraph
        As :meth:`Graph.from_edges`.

    Examples
    --------
    >>> import numpy as np
    >>> import graphla as gl
    >>> gl.interop.torch.from_edge_index(np.array([[0, 1, 1], [1, 0, 2]]))
    <Graph: directed, 3 vertices, 3 edges, BOOL, cpu>
    """
    given = [edge_index] if edge_weight is None else [edge_index, edge_weight]
    for x in given:
        if not hasattr(x, "__dlpack__"):
            raise DomainMismatch(f"{type(x).__name__} has no __dlpack__")
    on_host = all(x.__dlpack_device__()[0] == CPU for x in given)
    arrays = [np.from_dlpack(x) for x in given] if on_host else _of_device(given)
    shapes = [tuple(x.shape) for x in arrays]
    if len(shapes[0]) != 2 or shapes[0][0] != 2 or shapes[1:] not in ([], [shapes[0][1:]]):
        raise DimensionMismatch(f"edge_index is 2 x m and edge_weight m; got {shapes}")
    (src, dst), weight = arrays[0], arrays[1] if len(arrays) > 1 else None
    if on_host:
        return Graph.from_edges(src, dst, weight, n=n, kind=kind, dup=dup)
    return _on_device(src, dst, weight, n, kind, dup)


def _of_device(given: list[Any]) -> list[Any]:
    engines.objects("cuda").require()
    from graphla.cuda.expressions.input_arrays import incoming

    return [incoming(x, "a tensor") for x in given]


def _on_device(src: Any, dst: Any, weight: Any, n: int | None, kind: Any, dup: str | None) -> Graph:
    """Build there what :func:`graphla.core.edge_list.adjacency` builds in host memory."""
    check_kind(kind)
    if dup not in (*COMBINE, None):
        raise InvalidGraph(f"dup must be one of {(*COMBINE, None)} on a device, not {dup!r}")
    if kind == "undirected":
        low = src * (src <= dst) + dst * (src > dst)
        src, dst = low, src + dst - low
    Matrix = engines.objects("cuda").Matrix
    n = (int(max(src.max(), dst.max())) + 1 if src.size else 0) if n is None else n
    if weight is None or weight.dtype == bool:  # one value for all combines by itself
        weight = _device_arrays().ones(src.size, bool) if dup is None else True
        dup = None
    rule = None if dup is None else COMBINE[dup]
    try:
        A = Matrix.from_coo(src, dst, weight, nrows=n, ncols=n, dup_op=rule)
    except InvalidValue as error:
        raise InvalidGraph(str(error)) from None
    if kind == "undirected":
        A = A.ewise_add(A.T, binary.any).new()
    return Graph(A, kind=kind, copy=False)


def to_edge_index(G: Graph) -> tuple[Any, Any]:
    """Return a graph as PyTorch Geometric has it.

    Parameters
    ----------
    G : Graph
        Also of engine "cuda": the tensors are then on its device.

    Returns
    -------
    edge_index : torch.Tensor of int64, shape (2, m)
        The stored entries by row: an undirected edge stands in both directions.
    edge_weight : torch.Tensor, shape (m,), or None
        None where unweighted.

    Raises
    ------
    MissingPackage
        PyTorch is not installed.
    """
    torch = import_optional("torch", "an edge_index", "torch")
    xp = np if G.engine == "cpu" else _device_arrays()
    src, dst, weight = G.A.to_coo()
    edge_index = xp.stack([src.astype(np.int64), dst.astype(np.int64)])
    return torch.from_dlpack(edge_index), torch.from_dlpack(weight) if G.weighted else None


def _device_arrays() -> Any:
    from graphla.cuda.runtime.device import device

    return device.xp
