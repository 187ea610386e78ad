"""The notebook for a GPU, cell by cell, where its engines are both there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphla import generate
from graphla.core import engines

NOTEBOOK = Path(__file__).parents[3] / "examples" / "same_code_on_a_gpu.ipynb"


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore")
def test_the_cells_that_need_a_device_run(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    interactiveshell = pytest.importorskip("IPython.core.interactiveshell")
    monkeypatch.setattr(engines, "available", lambda engine: True)
    small = generate.kronecker(5, seed=1, weights=(1, 255))
    monkeypatch.setattr(generate, "kronecker", lambda *args, **options: small)
    shell = interactiveshell.InteractiveShell()  # keeps the source of functions, as a notebook does
    for cell in json.loads(NOTEBOOK.read_text())["cells"]:
        code = "".join(cell["source"])
        if cell["cell_type"] == "code" and not code.startswith(("forms", "c.")):  # comparisons
            shell.run_cell(code, silent=True).raise_error()
    names = shell.user_ns
    assert list(names["graphs"]) == ["cpu", "cuda"]
    assert "Both engines found the same.\n" in capsys.readouterr().out
    assert names["apart"]["cuda"].reduce("max").new() == names["apart"]["cpu"].reduce("max").new()
