"""The result of :func:`graphla.compare_levels`: a table and a plot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from graphla.comparison.pairs import faster
from graphla.comparison.report.chart import FAMILIES, figure, save
from graphla.comparison.report.table import milliseconds, plain_text
from graphla.core.display import html_table
from graphla.io.files import import_optional

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAMES = ("algebraic", "native")
SHOWN = 30  # levels that a table shows; of more levels it shows the first and the last ones
HEAD = (
    *("level", "frontier", "algebraic", "native", "algebraic edges", "native edges"),
    *("algebraic ms", "native ms", "by hand"),
)


class SearchLevels(NamedTuple):
    """Measurements of one implementation: lists with an element for each level, and `whole`.

    `direction` is "push" or "pull", `edges` the number of inspected edges; `whole` is the time in
    seconds of a search that is not timed level by level.
    """

    direction: list[str]
    edges: list[int]
    seconds: list[float]
    whole: float


class Levels(NamedTuple):
    """Breadth-first search level by level: frontier sizes and two implementations' measurements."""

    frontier: list[int]
    algebraic: SearchLevels
    native: SearchLevels

    @property
    def title(self) -> str:
        """The number of levels and of reached vertices, in one line."""
        depth, reached = len(self.frontier), sum(self.frontier)
        return f"Breadth-first search level by level: {depth:,} levels, {reached:,} vertices"

    @property
    def notes(self) -> list[str]:
        """The sums over the levels, and the time of a whole search."""
        return [
            f"{name}: {sum(search.edges):,} edges inspected; levels "
            f"{milliseconds(sum(search.seconds))} ms, "
            f"a whole search without timing inside {milliseconds(search.whole)} ms"
            for name, search in self._searches()
        ]

    def _searches(self) -> Iterator[tuple[str, SearchLevels]]:
        return zip(NAMES, (self.algebraic, self.native), strict=True)

    def _cells(self) -> list[tuple[str, ...]]:
        a, b = self.algebraic, self.native
        lines: list[tuple[str, ...]] = [
            (
                str(d), f"{size:,}", a.direction[d], b.direction[d],
                f"{a.edges[d]:,}", f"{b.edges[d]:,}",
                milliseconds(a.seconds[d]), milliseconds(b.seconds[d]),
                faster(b.seconds[d] / a.seconds[d]) if a.seconds[d] and b.seconds[d] else "",
            )
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
            table.add_column(name, justify="left" if name in NAMES else "right")
        for line in self._cells():
            table.add_row(*line)
        return Group(table, *map(Text, self.notes))

    def __repr__(self) -> str:
        return plain_text(self.__rich__())

    def _repr_html_(self) -> str:
        table = html_table(self._cells(), HEAD, numbers=set(HEAD) - set(NAMES))
        return table + "".join(f"<p>{note}</p>" for note in self.notes)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a dict for each level and implementation."""
        for name, search in self._searches():
            for d, size in enumerate(self.frontier):
                yield {
                    "level": d, "implementation": name, "direction": search.direction[d],
                    "frontier": size, "edges": search.edges[d], "seconds": search.seconds[d],
                }  # fmt: skip

    def to_pandas(self) -> Any:
        """Return a DataFrame with a row for each level and implementation."""
        return import_optional("pandas", "a DataFrame", "'pandas<3'").DataFrame(list(self.rows()))

    def plot(self, path: Any = None) -> Figure:
        """Draw time, inspected edges and frontier over the levels; filled: push, hollow: pull."""
        fig = figure(9, 6)
        times, edges = fig.subplots(2, 1, sharex=True)
        levels = range(len(self.frontier))
        marker_size = 2 if len(self.frontier) > SHOWN else 7
        for name, search in self._searches():
            colour, marker = FAMILIES[name]
            width = 4 if name == NAMES[0] else 1  # both lines are visible if they coincide
            for axes, values in (
                (times, [1e3 * s for s in search.seconds]),
                (edges, search.edges),
            ):
                axes.plot(levels, values, color=colour, linewidth=width, label=name)
                for direction, face in (("push", colour), ("pull", "none")):
                    marked = [d for d in levels if search.direction[d] == direction]
                    axes.plot(
                        marked, [values[d] for d in marked], marker, color=colour,
                        markerfacecolor=face, markersize=marker_size,
                    )  # fmt: skip
        edges.plot(levels, self.frontier, ":", color="#767676", label="frontier (vertices)")
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
