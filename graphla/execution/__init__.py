"""Push or pull, storage hints and fusion: all that is not mathematics in an algorithm."""

from graphla.execution import prepared_calls as prepared_calls  # registers its planner
