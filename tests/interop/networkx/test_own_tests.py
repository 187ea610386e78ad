"""NetworkX's own tests pass with their calls sent to graphla."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from graphla.interop.networkx.version import BEFORE_3_5
from tests.interop.networkx import installed  # noqa: F401  (skips without the backend)

ROOT = Path(__file__).parents[3]
SEEN_HERE = {  # NetworkX tests these only as parts of others
    *("boruvka_mst_edges", "kruskal_mst_edges", "prim_mst_edges", "generic_bfs_edges"),
}
NOT_IN_3_4 = {"all_triangles", "number_of_selfloops"} if BEFORE_3_5 else set()


def test_networkx_own_tests(tmp_path):
    file = tmp_path / "counts.json"
    command = [sys.executable, "-m", "tests.interop.networkx.suite", "--json", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    counts = json.loads(file.read_text())
    assert done.returncode == 0, done.stdout
    assert counts["outcomes"]["passed"] >= (560 if BEFORE_3_5 else 620)
    not_called = {name for name, times in counts["calls"].items() if not times}
    assert not_called <= SEEN_HERE | NOT_IN_3_4
