"""Storage hints: in which form an engine is to keep an object. They change no value."""

from __future__ import annotations

from typing import Any


def set_storage_hint(*objects: Any, form: str) -> None:
    """Keep each object as "sparse", "bitmap" or "full" from now on.

    A Boolean matrix can also be kept as "bits", on an engine that has this form (see
    :func:`graphla.execution.push_pull.boolean_matrix_storage`).
    """
    for x in objects:
        if hasattr(x, "store"):
            x.store(form)
        elif hasattr(x, "ss"):
            x.ss.config["sparsity_control"] = form
