"""Batches of items."""

from __future__ import annotations

from graphla.algorithms._shared.batches import iterate_batches


def test_batches_keep_the_order_and_the_last_is_shorter():
    assert list(iterate_batches([3, 1, 2], 2, "test", False)) == [[3, 1], [2]]
    assert list(iterate_batches(range(4), 2, "test", False)) == [range(2), range(2, 4)]
    assert list(iterate_batches([], 2, "test", False)) == []


def test_the_bar_counts_items(capsys):
    assert len(list(iterate_batches(range(5), 2, "label", True))) == 3
    bar = capsys.readouterr().err
    assert "label" in bar
    assert "5/5" in bar
