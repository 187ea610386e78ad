"""The engine of the blocks: what the ranks need of it beyond the operations on its objects."""

from __future__ import annotations

from graphla.ranks.blocks.engine import BlockEngine, block_engine

__all__ = ["BlockEngine", "block_engine"]
