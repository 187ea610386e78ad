"""The view of a search level by level: a table and a picture."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from graphla.comparison.report.chart import FAMILIES, figure, save
from graphla.comparison.report.table import milliseconds, plain
from graphla.core.html import html_table
from graphla.errors import MissingPackage

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIDES = ("algebraic", "native")
SHOWN = 30  # levels of a table; a longer one shows those at both ends
HEAD = (
    *("level", "frontier", "algebraic", "native", "algebraic edges", "native edges"),
    *("algebraic ms", "native ms", "native / algebraic"),
)


class Levels(NamedTuple):
    """Breadth-first search level by level, by algebra and by hand.

    `frontier` holds the vertices of each level. `algebraic` and `native` hold for each
    level the `direction` in which its edges were followed ("push" or "pull"), the `edges`
    inspected, the `seconds`, and in `whole` the seconds of an undisturbed search.
    """

    frontier: list[int]
    algebraic: Any
    native: Any

    @property
    def title(self) -> str:
        """What is shown, in one line."""
        depth, reached = len(self.frontier), sum(self.frontier)
        return f"Breadth-first search level by level: {depth:,} levels, {reached:,} vertices"

    @property
    def notes(self) -> list[str]:
        """What the levels sum to, and what the clocks inside do not show."""
        return [
            f"{name}: {sum(side.edges):,} edges inspected; levels {milliseconds(sum(side.seconds))}"
            f" ms, a whole search without clocks inside {milliseconds(side.whole)} ms"
            for name, side in zip(SIDES, self[1:], strict=True)
        ]

    def _cells(self) -> list[tuple[str, ...]]:
        lines: list[tuple[str, ...]] = [
            (
                str(d), f"{size:,}", a.direction[d], b.direction[d],
                f"{a.edges[d]:,}", f"{b.edges[d]:,}",
                milliseconds(a.seconds[d]), milliseconds(b.seconds[d]),
                f"{b.seconds[d] / a.seconds[d]:.2f}" if a.seconds[d] else "",
            )
            for a, b in [(self.algebraic, self.native)]
            for d, size in enumerate(self.frontier)
        ]  # fmt: skip
        if len(lines) > SHOWN:
            lines[SHOWN // 2 : -SHOWN // 2] = [("...",) * len(HEAD)]
        return lines

    def __rich__(self) -> Any:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        table = Table(title=self.title, title_justify="left")
        for name in HEAD:
            table.add_column(name, justify="left" if name in SIDES else "right")
        for line in self._cells():
            table.add_row(*line)
        return Group(table, *map(Text, self.notes))

    def __repr__(self) -> str:
        return plain(self.__rich__())

    def _repr_html_(self) -> str:
        table = html_table(self._cells(), HEAD, numbers=set(HEAD) - set(SIDES))
        return table + "".join(f"<p>{note}</p>" for note in self.notes)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a dict for each level and implementation."""
        for name, side in zip(SIDES, self[1:], strict=True):
            for d, size in enumerate(self.frontier):
                yield {
                    "level": d, "implementation": name, "direction": side.direction[d],
                    "frontier": size, "edges": side.edges[d], "seconds": side.seconds[d],
                }  # fmt: skip

    def to_pandas(self) -> Any:
        """Return a DataFrame with a row for each level and implementation."""
        try:
            pandas = import_module("pandas")
        except ImportError as error:
            raise MissingPackage("a DataFrame needs pandas: pip install 'pandas<3'") from error
        return pandas.DataFrame(list(self.rows()))

    def plot(self, path: Any = None) -> Figure:
        """Draw time, inspected edges and frontier over the levels; filled: push, hollow: pull."""
        fig = figure(9, 6)
        times, edges = fig.subplots(2, 1, sharex=True)
        many = len(self.frontier) > SHOWN
        depth = range(len(self.frontier))
        for name, side in zip(SIDES, self[1:], strict=True):
            colour, marker = FAMILIES[name]
            width = 4 if name == SIDES[0] else 1  # where both coincide, both are seen
            for axes, values in (
                (times, [1e3 * s for s in side.seconds]),
                (edges, side.edges),
            ):
                axes.plot(depth, values, color=colour, linewidth=width, label=name)
                for way, face in (("push", colour), ("pull", "none")):
                    chosen = [d for d in depth if side.direction[d] == way]
                    axes.plot(
                        chosen, [values[d] for d in chosen], marker, color=colour,
                        markerfacecolor=face, markersize=2 if many else 7,
                    )  # fmt: skip
        edges.plot(depth, self.frontier, ":", color="#767676", label="frontier (vertices)")
        times.set_ylabel("time (ms)")
        edges.set_ylabel("edges inspected")
        edges.set_xlabel("level (filled: push, hollow: pull)")
        times.set_yscale("log")
        edges.set_yscale("symlog")
        edges.set_ylim(0, 3 * max(*self.algebraic.edges, *self.native.edges, *self.frontier))
        for axes in (times, edges):
            axes.grid(alpha=0.3)
            axes.legend(frameon=False)
        return save(fig, path)
