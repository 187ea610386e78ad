"""The notice of a compilation: once, and not for what is compiled already."""

from __future__ import annotations

from numba import njit

from graphla.numba_support.compiling import announce_compilation


def test_the_first_compilation_prints_one_line(capsys):
    first, second = (njit(lambda x, k=k: x + k) for k in (1, 2))
    with announce_compilation("searches"):
        assert (first(1), second(1)) == (2, 3)
    assert capsys.readouterr().err == (
        "graphla: compiling searches for these types; the result is cached on disk\n"
    )
    with announce_compilation("searches"):
        first(4)
    assert capsys.readouterr().err == ""
