"""Draw random integers by several threads: the numbers that NumPy would draw in turn.

PCG64 makes words of 64 bits, and its state after any number of words is known without making them
[1]_. A number of 32 bits takes half a word, the low half first. So each thread begins at the word
that its part of the result needs.

.. [1] M. O'Neill, "PCG: a family of simple fast space-efficient statistically good algorithms for
   random number generation", 2014, section 4.3.1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.core.threads import num_threads
from graphla.numba_support.thread_pool import run_tasks

PARALLEL_FROM = 1 << 20  # numbers from which threads share the work
PART = 1 << 18  # numbers that a thread draws at a time; an even number


def advanced(rng: np.random.Generator, words: int) -> np.random.PCG64:
    """Return a bit generator whose first word is the one that `rng` makes after `words` words."""
    bits: Any = np.random.PCG64(0)
    bits.state = rng.bit_generator.state
    advanced_bits: np.random.PCG64 = bits.advance(words)
    return advanced_bits


def integers(rng: np.random.Generator, low: int, high: int, size: int, dtype: Any) -> Any:
    """Return the array of rng.integers(low, high, size, dtype, endpoint=True); change `rng` alike.

    Threads draw integers of 32 bits if about every number takes half a word: NumPy draws again, in
    one of 2^32 / (2^32 mod (high - low + 1)) cases, to make all numbers equally probable [1]_. If a
    part took more words than that, all later ones are drawn again, in turn.

    .. [1] D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 2019.
    """
    dtype, threads = np.dtype(dtype), num_threads()
    options: dict[str, Any] = {"dtype": dtype, "endpoint": True}
    half_words = dtype.itemsize == 4 and low < high and not rng.bit_generator.state["has_uint32"]
    drawn_again = 2**32 % (int(high) - int(low) + 1) * size / 2**32 if half_words else 0
    if size < PARALLEL_FROM or threads == 1 or not half_words or drawn_again > 0.5:
        return rng.integers(low, high, size, **options)
    out = np.empty(size, dtype)
    num_parts = -(-size // PART)
    ends: list[Any] = [None] * num_parts

    def draw(k: int) -> None:
        bits = advanced(rng, k * PART // 2)
        part = out[k * PART : (k + 1) * PART]
        part[:] = np.random.Generator(bits).integers(low, high, part.size, **options)
        ends[k] = bits.state

    run_tasks(draw, num_parts, threads)
    valid = 1  # parts that began at the right word
    while valid < num_parts and _is_at(ends[valid - 1], advanced(rng, valid * PART // 2)):
        valid += 1
    rng.bit_generator.state = ends[valid - 1]
    rest = out[valid * PART :]
    rest[:] = rng.integers(low, high, rest.size, **options)
    return out


def _is_at(state: Any, bits: np.random.PCG64) -> bool:
    """Whether a state is that of `bits`, which has no unused half of a word."""
    return bool(state["state"] == bits.state["state"] and not state["has_uint32"])
