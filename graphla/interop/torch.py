"""PyTorch Geometric: graphs from and to `edge_index`, through DLPack, on the CPU or on a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
from graphblas import binary

from graphla.core import engines
from graphla.core.edge_list import almost_empty_text, check_kind, is_almost_empty
from graphla.core.graph import Graph
from graphla.core.validation import explains_wrong_calls
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidGraph, InvalidValue
from graphla.io.files import import_optional

CPU = 1  # DLPack's device type kDLCPU
COMBINE = {"min": binary.min, "max": binary.max, "sum": binary.plus}


@explains_wrong_calls
def from_edge_index(
    edge_index: Any,
    edge_weight: Any = None,
    *,
    n: int | None = None,
    kind: Any = "directed",
    dup: str | None = "min",
) -> Graph:
    """Build a graph from PyTorch Geometric's arrays, on the engine of their device.

    Parameters
    ----------
    edge_index : tensor of int, shape (2, m)
        Any array with ``__dlpack__``: PyTorch, NumPy, JAX, CuPy.
    edge_weight : tensor, shape (m,), optional
        On the same device.
    n : int, optional
        Number of vertices, ``data.num_nodes``. Default: the largest vertex + 1.
    kind : {"directed", "undirected"}
        PyTorch Geometric stores an undirected edge in both directions; they become one edge.
    dup : {"min", "max", "sum", "first", "last"} or None, default "min"
        How the weights of duplicate edges combine; None raises InvalidGraph. If undirected edges
        are stored in both directions, "sum" doubles their weights. On a device only "min", "max"
        and "sum" are supported, and integer sums wrap around.

    Returns
    -------
    Graph
        On engine "cuda" if the arrays are in device memory, else on "cpu".

    Raises
    ------
    DomainMismatch
        An argument has no ``__dlpack__``, or a dtype that a Graph does not support.
    DimensionMismatch
        `edge_index` is not 2 x m, or `edge_weight` does not have m values.
    InvalidIndex, InvalidGraph
        As :meth:`Graph.from_edges`.

    Examples
    --------
    >>> import numpy as np
    >>> import graphla as gl
    >>> gl.interop.torch.from_edge_index(np.array([[0, 1, 1], [1, 0, 2]]))
    <Graph: directed, 3 vertices, 3 edges, BOOL, cpu>
    """
    tensors = [edge_index] if edge_weight is None else [edge_index, edge_weight]
    for x in tensors:
        if not hasattr(x, "__dlpack__"):
            raise DomainMismatch(f"{type(x).__name__} has no __dlpack__")
    on_host = all(x.__dlpack_device__()[0] == CPU for x in tensors)
    arrays = [np.from_dlpack(x) for x in tensors] if on_host else _device_views(tensors)
    shapes = [tuple(x.shape) for x in arrays]
    if len(shapes[0]) != 2 or shapes[0][0] != 2 or shapes[1:] not in ([], [shapes[0][1:]]):
        raise DimensionMismatch(f"edge_index must be 2 x m and edge_weight m; got {shapes}")
    (src, dst), weight = arrays[0], arrays[1] if len(arrays) > 1 else None
    if on_host:
        return Graph.from_edges(src, dst, weight, n=n, kind=kind, dup=dup)
    return _build_on_device(src, dst, weight, n, kind, dup)


def _device_views(tensors: list[Any]) -> list[Any]:
    engines.objects("cuda").require()
    from graphla.cuda.expressions.array_arguments import as_array

    return [as_array(x, "a tensor") for x in tensors]


def _build_on_device(
    src: Any, dst: Any, weight: Any, n: int | None, kind: Any, dup: str | None
) -> Graph:
    """Build a graph in device memory, as :func:`graphla.core.edge_list.adjacency` does on the CPU.

    Undirected edges are first turned to (smaller, larger) vertex so that both directions
    combine; the matrix is then mirrored.
    """
    check_kind(kind)
    if dup not in (*COMBINE, None):
        raise InvalidGraph(f"dup must be one of {(*COMBINE, None)} on a device, not {dup!r}")
    if kind == "undirected":
        smaller = src * (src <= dst) + dst * (src > dst)
        src, dst = smaller, src + dst - smaller
    Matrix = engines.objects("cuda").Matrix
    if n is None:
        n = int(max(src.max(), dst.max())) + 1 if src.size else 0
        if is_almost_empty(n, src.size):
            raise InvalidValue(f"the largest vertex is {n - 1:,}: {almost_empty_text(n)}")
    if weight is None or weight.dtype == bool:  # a scalar needs no rule for duplicates
        weight = _device_arrays().ones(src.size, bool) if dup is None else True
        dup = None
    dup_op = None if dup is None else COMBINE[dup]
    try:
        A = Matrix.from_coo(src, dst, weight, nrows=n, ncols=n, dup_op=dup_op)
    except InvalidValue as error:
        raise InvalidGraph(str(error)) from None
    if kind == "undirected":
        A = A.ewise_add(A.T, binary.any).new()
    return Graph(A, kind=kind, copy=False)


def to_edge_index(G: Graph) -> tuple[Any, Any]:
    """Return a graph as PyTorch Geometric's edge_index and edge_weight.

    Parameters
    ----------
    G : Graph
        For engine "cuda" the tensors are in device memory.

    Returns
    -------
    edge_index : torch.Tensor of int64, shape (2, m)
        The stored entries in row order; an undirected edge appears in both directions.
    edge_weight : torch.Tensor, shape (m,), or None
        None if the graph is unweighted.

    Raises
    ------
    MissingPackage
        PyTorch is not installed.
    """
    torch = import_optional("torch", "an edge_index", "torch")
    xp = np if G.engine == "cpu" else _device_arrays()  # the array module
    src, dst, weight = G.A.to_coo()
    edge_index = xp.stack([src.astype(np.int64), dst.astype(np.int64)])
    return torch.from_dlpack(edge_index), torch.from_dlpack(weight) if G.weighted else None


def _device_arrays() -> Any:
    from graphla.cuda.runtime.device import device

    return device.xp
