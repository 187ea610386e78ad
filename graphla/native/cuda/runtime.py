"""What all native kernels of engine "cuda" use: kernels by file name, and data of one stream."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple

from graphla.core.properties import derive
from graphla.cuda.runtime import kernel as kernels
from graphla.cuda.runtime.device import device

if TYPE_CHECKING:
    from collections.abc import Callable

    from graphla.core.graph import Graph

KERNELS = Path(__file__).parent / "kernels"
T = TypeVar("T")
Variant = TypeVarTuple("Variant")


def kernel(file: str, definitions: str = "", name: str | None = None, **options: Any) -> Any:
    """Return a kernel of a file below KERNELS; `name` is by default that of the file."""
    return kernels.kernel(file, definitions, name, folder=KERNELS, **options)


def derive_for_stream(G: Graph, make: Callable[[Graph, *Variant], T], *variant: *Variant) -> T:
    """Return ``make(G, *variant)``, cached with the graph for the current stream.

    For work arrays: searches on two streams run at the same time and must not share them.
    """
    return derive(G, _on_stream, device.stream_key, make, variant)


def _on_stream(
    G: Graph, stream: Any, make: Callable[[Graph, *Variant], T], variant: tuple[*Variant]
) -> T:
    return make(G, *variant)
