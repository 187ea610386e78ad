"""The output block and the rows of a result."""

from __future__ import annotations

import json

import pytest

import graphla as gl
from graphla.comparison.result import Comparison
from graphla.errors import (
    InvalidValue,
)
from graphla.graph500 import Kernel, Result, rates, statistics

# the lines that the reference code prints, and where it has room for sssp
ORDER = ("min", "firstquartile", "median", "thirdquartile", "max")
MOMENTS, HARMONIC = ("mean", "stddev"), ("harmonic_mean", "harmonic_stddev")
OFFICIAL = [
    *("SCALE", "edgefactor", "NBFS"),
    *("graph_generation", "num_mpi_processes", "construction_time"),
    *(f"{a}_{x}_time" for a in ("bfs", "sssp") for x in (*ORDER, *MOMENTS)),
    *(f"{x}_nedge" for x in (*ORDER, *MOMENTS)),
    *(f"{a}_{x}_TEPS" for a in ("bfs", "sssp") for x in (*ORDER, *HARMONIC)),
    *(f"{a}_{x}_validate" for a in ("bfs", "sssp") for x in (*ORDER, *MOMENTS)),
]


def made(**changes):
    """Return a result with known numbers."""
    times = {"bfs": (0.5, 0.25, 1.0), "sssp": (2.0, 2.0, 4.0)}
    kernels = tuple(
        Kernel(a, "mine", "native", "levels, parents", t, t, None, None) for a, t in times.items()
    )
    fields = {"kernels": kernels, "about": {"date": "today"}, **changes}
    return Result(4, 2, 1, "cpu", (1, 2, 3), (32, 32, 16), 0.125, 0.0625, **fields)


def test_the_block_has_the_official_lines_in_their_order():
    result = made()
    lines = str(result).splitlines()
    names = ["_".join(line.split(":")[0].split()) for line in lines]
    assert names == OFFICIAL
    assert lines[0] == "SCALE:                          4"
    assert lines[6] == "bfs  min_time:                  0.25"
    assert lines[13] == "sssp min_time:                  2"
    assert "max_nedge:                      32" in lines
    # bfs: 64, 128 and 16 edges a second
    assert "bfs  max_TEPS:                  128" in lines
    assert "bfs  harmonic_mean_TEPS:     !  34.9091" in lines
    assert "sssp harmonic_mean_TEPS:     !  8" in lines  # 16, 16 and 4
    bfs_only = made(kernels=made().kernels[:1])
    names = ["_".join(line.split(":")[0].split()) for line in str(bfs_only).splitlines()]
    assert names == [name for name in OFFICIAL if not name.startswith("sssp")]


def test_statistics_of_a_result():
    result = made()
    assert result.time("bfs") == statistics([0.5, 0.25, 1.0])
    assert result.teps("sssp") == rates([32, 32, 16], [2.0, 2.0, 4.0])
    assert result.teps_per_watt("bfs") is None
    assert "bfs 34.91 TEPS, sssp 8 TEPS" in repr(result)


@pytest.mark.thorough
def test_rows_are_those_of_a_comparison(tmp_path):
    path = tmp_path / "rows.jsonl"
    gl.graph500.run(5, algorithms=("bfs", "sssp"), searches=1).to_jsonl(path)
    made().to_jsonl(path)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [row["algorithm"] for row in rows] == ["bfs", "sssp"] * 2
    assert rows[0]["graph500"]["bfs_stddev_time"] is None  # of one search
    assert rows[0]["verified"] is True
    assert {"load", "foreign_cpu_s", "foreign_cpu_share", "quiet", "waited_s"} <= set(rows[0])
    assert rows[2]["gteps"] == pytest.approx(34.90909e-9)
    assert list(rows[2]["graph500"]) == OFFICIAL
    assert len(Comparison.from_jsonl(path)) == 4


def test_statistics_of_an_algorithm_that_did_not_run():
    with pytest.raises(InvalidValue, match="'sssp'"):
        gl.graph500.run(4, searches=1).teps("sssp")
