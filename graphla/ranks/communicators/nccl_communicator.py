"""Collectives of processes that have a GPU each: data by NCCL, words in shared memory.

The data stay in device memory, and a collective is ordered with the kernels of the current stream.
Long pieces are gathered by copies (copy_ring.py) where GPUs can read each other's memory. NCCL
knows neither pieces of unequal lengths nor bitwise "or" and user-defined monoids: in a gather
of unequal pieces each rank sends its piece to each other one (faster than a group of
broadcasts), and sums are made by the owners of what they receive.
"""

from __future__ import annotations

import ctypes
import importlib
import os
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from graphla.errors import EngineUnavailable
from graphla.ranks.blocks.engine import block_engine
from graphla.ranks.collectives.communicator import Communicator
from graphla.ranks.communicators.copy_ring import LEAST_COPIED, RING_BYTES, CopyRing
from graphla.ranks.communicators.local_communicator import LocalCommunicator

INSTALL = "several GPUs need NCCL: pip install nvidia-nccl-cu13, or -cu12 for CUDA 12"
LIBRARY = "libnccl.so.2"
NO_WORDS = np.zeros(1, np.int64)  # exchanged where ranks only wait for each other
NO_MULTICAST = ("NCCL_NVLS_ENABLE", "0")  # NVLink SHARP serves reductions, of which none is used


class NCCLCommunicator(LocalCommunicator):
    """A rank that is a process with its own GPU, the current device."""

    def __init__(
        self, folder: Any, rank: int, size: int, end_all_ranks: Any, *, check_calls: bool = False
    ) -> None:
        blocks = block_engine("cuda")
        super().__init__(folder, rank, size, blocks, end_all_ranks, check_calls=check_calls)
        self.ranks_here, self.has_own_devices = 1, True  # ranks that share a device's memory: one
        self._current_stream = blocks.xp.cuda.get_current_stream
        self._nccl = _nccl()
        identity = self._nccl.get_unique_id() if rank == 0 else None
        identity = self.broadcast("NCCL", identity)
        self._group = self._nccl.NcclCommunicator(size, identity, rank)
        self._byte = self._nccl.NCCL_UINT8
        # arrays of all ranks, to which all write, by use; None where a rank has failed to map them
        self._shared: dict[str, list[Any] | None] = {}
        self._ever_shared: list[Any] = []  # this rank's
        self._ring: CopyRing | None = None

    def _allgather_bytes(self, content: Any, counts: Any, out: Any) -> None:
        lengths = counts.tolist()
        if max(lengths) >= LEAST_COPIED and (ring := self._copy_ring()):
            ring.gather(content, lengths, out, self._current_stream())
            return
        stream, target, byte = self._current_stream().ptr, out.data.ptr, self._byte
        group, source = self._group, content.data.ptr
        if len(set(lengths)) == 1:
            if lengths[0]:
                group.allGather(source, target, lengths[0], byte, stream)
            return
        senders = [rank for rank, length in enumerate(lengths) if length]
        if len(senders) == 1:
            root = senders[0]
            group.broadcast(source, target, lengths[root], byte, root, stream)
            return
        if lengths[self.rank]:
            first = sum(lengths[: self.rank])
            out[first:].data.copy_from_device_async(content.data, lengths[self.rank])
        self._nccl.groupStart()
        for rank, length in enumerate(lengths):
            if rank != self.rank:
                if lengths[self.rank]:
                    group.send(source, lengths[self.rank], byte, rank, stream)
                if length:
                    group.recv(target, length, byte, rank, stream)
            target += length
        self._nccl.groupEnd()

    def _copy_ring(self) -> CopyRing | None:
        """Return the buffers of long gathers, which the first one makes; None if not shared."""
        if self._ring is None and (rings := self.shared_arrays("copies", RING_BYTES)):
            cuda = self.blocks.xp.cuda
            self._ring = CopyRing(rings, self.rank, cuda, lambda: self._allgather_words(NO_WORDS))
        return self._ring

    def shared_arrays(self, use: str, nbytes: int) -> list[Any] | None:
        """Return the arrays of all ranks, as CUDA maps them between processes.

        They are allocated outside of CuPy's pool, and live as long as the process: one that is
        freed must not be mapped anywhere.
        """
        known = self._shared.get(use, [])
        if known is not None and (not known or known[0].size < nbytes):
            runtime, own, handle = self.blocks.xp.cuda.runtime, None, None
            with suppress(runtime.CUDARuntimeError):
                own = self._own_array(nbytes)
                self._ever_shared.append(own)
                handle = runtime.ipcGetMemHandle(own.data.ptr)
            handles = self.gather_objects("shared arrays", handle)
            arrays = [
                own if r == self.rank else self._mapped(h, nbytes) for r, h in enumerate(handles)
            ]
            is_mapped = self.all("shared arrays", all(array is not None for array in arrays))
            known = self._shared[use] = arrays if is_mapped else None
        return known and [array[:nbytes] for array in known]

    def _own_array(self, nbytes: int) -> Any:
        cuda = self.blocks.xp.cuda
        return self.blocks.xp.ndarray(nbytes, "u1", cuda.MemoryPointer(cuda.Memory(nbytes), 0))

    def _mapped(self, handle: Any, nbytes: int) -> Any:
        """Return the array of another rank; None if it cannot be mapped here."""
        cuda = self.blocks.xp.cuda
        if handle is None:
            return None
        try:
            pointer = cuda.runtime.ipcOpenMemHandle(handle)
        except cuda.runtime.CUDARuntimeError:
            return None
        memory = cuda.UnownedMemory(pointer, nbytes, self, cuda.runtime.getDevice())
        return self.blocks.xp.ndarray(nbytes, "u1", cuda.MemoryPointer(memory, 0))

    def _allgather_columns(
        self, columns: Sequence[Any], lengths: Sequence[Any], out: Sequence[Any]
    ) -> None:
        self._nccl.groupStart()  # groups may contain others
        Communicator._allgather_columns(self, columns, lengths, out)
        self._nccl.groupEnd()

    def _alltoall_columns(self, columns: Sequence[Any], counts: Any, out: Sequence[Any]) -> None:
        stream, group, byte, me = self._current_stream().ptr, self._group, self._byte, self.rank
        sent, received = counts[me].tolist(), counts[:, me].tolist()
        own_source, own_target, own = sum(sent[:me]), sum(received[:me]), sent[me]
        self._nccl.groupStart()
        for column, whole in zip(columns, out, strict=True):
            size, source, target = column.dtype.itemsize, column.data.ptr, whole.data.ptr
            for rank, (count, incoming) in enumerate(zip(sent, received, strict=True)):
                if rank != me:
                    if count:
                        group.send(source, count * size, byte, rank, stream)
                    if incoming:
                        group.recv(target, incoming * size, byte, rank, stream)
                source += count * size
                target += incoming * size
        self._nccl.groupEnd()
        if own:  # copied by the device alone, and not element by element
            for column, whole in zip(columns, out, strict=True):
                source = column[own_source : own_source + own]
                whole[own_target:].data.copy_from_device_async(source.data, source.nbytes)


def _nccl() -> Any:
    """Return CuPy's binding of NCCL.

    The library of NVIDIA's package is loaded first, which CuPy does not look for everywhere.
    """
    os.environ.setdefault(*NO_MULTICAST)
    try:
        package = find_spec("nvidia.nccl")
    except ModuleNotFoundError:
        package = None
    for folder in package.submodule_search_locations or () if package else ():
        if (library := Path(folder) / "lib" / LIBRARY).exists():
            ctypes.CDLL(str(library), ctypes.RTLD_GLOBAL)
    try:
        return importlib.import_module("cupy_backends.cuda.libs.nccl")
    except ImportError as error:
        raise EngineUnavailable(f"{INSTALL} ({error})") from None
