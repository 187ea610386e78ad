"""Both engines implement the same operations."""

from __future__ import annotations

import inspect

from graphla.star import on_cpu, on_cuda


def operations(module):
    """Return the parameters of each public function that a module defines."""
    return {
        name: list(inspect.signature(function).parameters)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    }


def test_both_engines_have_the_same_operations():
    assert operations(on_cpu) == operations(on_cuda)
    assert len(operations(on_cpu)) > 20
