"""The text of a kernel: headers in the place of their includes, each once, after definitions."""

from __future__ import annotations

import pytest

from graphla.cuda.runtime.kernel_text import KERNELS, files, source, text


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "one.cuh").write_text('#include "two.cuh"\nONE\n')
    (tmp_path / "two.cuh").write_text('#include "warp.cuh"\nTWO\n')
    (tmp_path / "kernel.cu").write_text('#include "two.cuh"\n#include "one.cuh"\nKERNEL\n')
    return tmp_path


def test_headers_are_pasted_once_in_their_place(folder):
    found = source("kernel", "DEFINITION\n", folder)
    words = [w for w in found.split() if w in ("DEFINITION", "TWO", "ONE", "KERNEL")]
    assert words == ["DEFINITION", "TWO", "ONE", "KERNEL"]
    assert "#include" not in found
    assert text("types.cuh").splitlines()[-1] in found
    assert found.count(text("warp.cuh").splitlines()[-1]) == 1


def test_a_header_of_the_definitions_is_not_pasted_again(folder):
    found = source("kernel", '#include "warp.cuh"\nDEFINITION\n', folder)
    warp = text("warp.cuh").splitlines()[-1]
    assert found.count(warp) == 1
    assert found.index(warp) < found.index("DEFINITION") < found.index("TWO")


def test_files_are_found_below_a_folder_then_among_those_of_the_engine(folder):
    assert files(folder)["one.cuh"] == folder / "deep" / "one.cuh"
    assert text("warp.cuh", folder) == next(KERNELS.rglob("warp.cuh")).read_text()
    with pytest.raises(KeyError):
        text("no_such_file.cuh", folder)
