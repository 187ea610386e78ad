"""Arguments that several commands share: lists of names, known names, folders of outputs."""

from __future__ import annotations

import pytest
import typer

from graphla.cli.common import check_folder, check_name, split_names


def test_names_are_separated_by_commas_or_spaces():
    assert split_names("bfs,sssp  pagerank, , bfs") == ["bfs", "sssp", "pagerank", "bfs"]
    assert split_names(" , ") == []


def test_unknown_names_are_refused_with_the_known_ones():
    check_name("bfs", "algorithm", iter(["sssp", "bfs"]))
    with pytest.raises(typer.BadParameter, match="unknown algorithm 'bsf': expected one of a, b"):
        check_name("bsf", "algorithm", iter("ab"))


def test_the_folder_of_an_output_must_exist(tmp_path):
    check_folder(None)
    check_folder(tmp_path / "page.html")
    with pytest.raises(typer.BadParameter, match=r"there is no folder .*absent"):
        check_folder(tmp_path / "absent" / "page.html")
