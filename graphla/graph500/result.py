"""The result of a benchmark run: numbers, the official output block, and rows for files."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from math import isnan
from pathlib import Path
from typing import Any

from graphla.core import validation
from graphla.graph500.energy import Energy
from graphla.graph500.statistics import Rates, Statistics, rates, statistics


@dataclass(frozen=True)
class Kernel:
    """One algorithm from all search keys; every search result was validated.

    Parameters
    ----------
    algorithm, implementation, family, returns : str
        As in :mod:`graphla.comparison`.
    seconds, validate_s : tuple of float
        Time of each search, and of its validation.
    energy : Energy or None
        None if it was not requested or no counter can be read.
    no_energy : str or None
        Reason why no counter can be read.
    conditions : dict
        Load of the machine during searches and validation (:mod:`graphla.comparison.quiet`).
    """

    algorithm: str
    implementation: str
    family: str
    returns: str
    seconds: tuple[float, ...]
    validate_s: tuple[float, ...]
    energy: Energy | None
    no_energy: str | None
    conditions: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, repr=False)
class Result:
    """A valid run of the benchmark; ``print(result)`` shows the official output block.

    Parameters
    ----------
    scale, edgefactor, seed : int
    engine : str
    roots : tuple of int
        The search keys.
    nedge : tuple of int
        Input edges in the component of each search key, with duplicates and self-loops.
    generation_s, construction_s : float
        Seconds to generate the edge list, and to build the kernels' graphs from it.
    kernels : tuple of Kernel
    about : dict
        Fields of a row: date, commit, machine, versions, and stored entries of the graph.
    """

    scale: int
    edgefactor: int
    seed: int
    engine: str
    roots: tuple[int, ...]
    nedge: tuple[int, ...]
    generation_s: float
    construction_s: float
    kernels: tuple[Kernel, ...]
    about: dict[str, Any]

    def time(self, algorithm: str) -> Statistics:
        """Return the statistics of the search times in seconds."""
        return statistics(self._kernel(algorithm).seconds)

    def teps(self, algorithm: str) -> Rates:
        """Return the statistics of traversed edges per second."""
        return rates(self.nedge, self._kernel(algorithm).seconds)

    def teps_per_watt(self, algorithm: str) -> float | None:
        """Return the harmonic mean of TEPS divided by the mean power; None if it is unknown."""
        energy = self._kernel(algorithm).energy
        return self.teps(algorithm).harmonic_mean / energy.watts if energy else None

    def _kernel(self, algorithm: str) -> Kernel:
        names = tuple(k.algorithm for k in self.kernels)
        return self.kernels[names.index(validation.check_choice(algorithm, names, "algorithm"))]

    # ---- text

    def block(self) -> dict[str, int | float | str]:
        """Return the lines of the output block as a dict, in the official order."""
        lines: dict[str, int | float | str] = {
            "SCALE": self.scale,
            "edgefactor": self.edgefactor,
            "NBFS": len(self.roots),
            "graph_generation": self.generation_s,
            "num_mpi_processes": self.about.get("ranks", 1),
            "construction_time": self.construction_s,
        }

        def add(quantity: str, numbers: Any, algorithm: str = "") -> None:
            head = f"{algorithm:<4} " if algorithm else ""
            for name, value in numbers._asdict().items():
                lines[f"{head}{name}_{quantity}"] = value

        for k in self.kernels:
            add("time", self.time(k.algorithm), k.algorithm)
        add("nedge", statistics(self.nedge))
        for k in self.kernels:
            add("TEPS", self.teps(k.algorithm), k.algorithm)
        for k in self.kernels:
            add("validate", statistics(k.validate_s), k.algorithm)
        for k in self.kernels:
            head = f"{k.algorithm:<4} "
            if k.no_energy is not None:
                lines[f"{head}energy"] = f"not measured: {k.no_energy}"
            if k.energy is None:
                continue
            lines[f"{head}energy_counter"] = k.energy.counter
            lines[f"{head}energy_joules"] = k.energy.joules
            lines[f"{head}energy_seconds"] = k.energy.seconds
            lines[f"{head}energy_searches"] = k.energy.repeats * len(self.roots)
            lines[f"{head}watts"] = k.energy.watts
            lines[f"{head}idle_watts"] = k.energy.idle_watts
            lines[f"{head}TEPS_per_watt"] = self.teps_per_watt(k.algorithm) or 0.0
        return lines

    def __str__(self) -> str:
        return "\n".join(_line(name, value) for name, value in self.block().items())

    def __repr__(self) -> str:
        rates_text = ", ".join(
            f"{k.algorithm} {self.teps(k.algorithm).harmonic_mean:.4g} TEPS" for k in self.kernels
        )
        return (
            f"<Graph500: scale {self.scale}, {self.engine}, {len(self.roots)} keys, {rates_text}>"
        )

    # ---- rows

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each kernel, as :func:`graphla.compare` makes them.

        `gteps` is the harmonic mean of TEPS, and `graph500` holds the output block.
        """
        block = {
            "_".join(name.split()): None if _is_nan(x) else x for name, x in self.block().items()
        }
        return [
            {
                **self.about,
                **k.conditions,
                "algorithm": k.algorithm,
                "graph": f"graph500-{self.scale}",
                "seed": self.seed,
                "n": 1 << self.scale,
                "sources": list(self.roots),
                "implementation": k.implementation,
                "family": k.family,
                "engine": self.engine,
                "returns": k.returns,
                "prepare_s": round(self.construction_s, 6),
                "trials_s": [round(s, 9) for s in k.seconds],
                "median_s": self.time(k.algorithm).median,
                "peak_bytes": None,
                "verified": True,
                "gteps": self.teps(k.algorithm).harmonic_mean / 1e9,
                "nedge": list(self.nedge),
                "graph500": block,
            }
            for k in self.kernels
        ]

    def to_jsonl(self, path: Any) -> None:
        """Append the rows to a file of JSON lines."""
        with Path(path).open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(row, allow_nan=False) + "\n" for row in self.rows())


def _is_nan(x: Any) -> bool:
    return isinstance(x, float) and isnan(x)


def _line(name: str, value: int | float | str) -> str:
    """Return a line of the block in the format of the reference code."""
    text = str(value)
    if isinstance(value, float):
        text = f"{value:.11g}" if name.endswith("nedge") else f"{value:g}"
    mark = "!  " if "harmonic_mean" in name else ""
    return f"{name + ':':<{32 - len(mark)}}{mark}{text}"
