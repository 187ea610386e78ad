"""Hand-made rows in the format of a comparison."""

from __future__ import annotations


def row(implementation="graphla", family="algebraic", trials=(0.002, 0.004, 0.003), **changes):
    trials = list(trials)
    return {
        "date": "2026-01-02T03:04:05+00:00",
        "commit": "0123456789ab",
        "machine": {
            "cpu": "a <cpu>", "cores": 2, "threads": 2, "memory_bytes": 2**33,
            "gpu": None, "driver": None,
        },
        "load": 0.5,
        "foreign_cpu_s": 0.04,
        "foreign_cpu_share": 0.02,
        "quiet": True,
        "waited_s": 0.25,
        "versions": {"python": "3.11.7", "numba": "0.60"},
        "algorithm": "bfs",
        "implementation": implementation,
        "family": family,
        "engine": "cpu",
        "returns": "levels, parents",
        "graph": "kron:6",
        "fingerprint": "f00",
        "n": 64,
        "nvals": 1000,
        "prepare_s": 0.5,
        "trials_s": trials,
        "median_s": sorted(trials)[len(trials) // 2] if trials else None,
        "gteps": 0.25 if trials else None,
        "peak_bytes": 3_000_000,
        "verified": True,
        "error": None,
        "skipped": None,
        "sources": [1, 2, 3],
    } | changes  # fmt: skip


def rows_of_every_outcome():
    """Return rows of every outcome: correct, wrong, skipped, not verifiable."""
    return [
        row(),
        row("native", "native", (0.001, 0.0015, 0.0015)),
        row("levels only", "peer", (0.006, 0.006), returns="levels"),
        row("wrong", "peer", (), verified=False, error="level of <b>3</b> & [red]4 differ"),
        row("absent", "peer", (), verified=None, skipped="beyond the budget of 60 s"),
        row("beyond", "peer", verified=None, error="no check for more than 5 vertices"),
        row(algorithm="pagerank", gteps=None, peak_bytes=None),
        row("native", "native", (0.004, 0.004, 0.003), algorithm="pagerank", gteps=None),
    ]
