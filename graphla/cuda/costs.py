"""Thresholds of push and pull on the device, and its preferences."""

from __future__ import annotations

from graphla.execution.push_pull import Costs

COSTS = Costs(
    alpha=24.0,
    beta1=8.0,
    beta2=512.0,
    dot_products=True,
    boolean_form="bits",
    positions_per_byte=8,
    row_alignment=128,
    casts_are_free=True,
    prefers_few_steps=True,
    small_result=2**29,
    levels_per_check=4,
)
