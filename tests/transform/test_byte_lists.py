"""Neighbours in ten bits: the window of a row is where it has the most neighbours."""

from __future__ import annotations

import graphla as gl
from graphla import transform
from tests.transform.orders_and_forms import host


def test_windows_hold_the_most():
    form = transform.byte_ids(gl.Graph.from_edges([5] * 6, [0, 3, 2000, 2001, 3023, 3024], n=4000))
    assert host(form.base)[5] == 2000
    assert host(form.far).tolist() == [0, 3, 3024]
    assert host(form.bytes).tolist() == [0, 1, 255]
    assert host(form.blocks).tolist() == [3 << 4]
    assert form.nbytes == 4 * 4000 + 3 + 1 + 4 * 3  # base, bytes, blocks, far
