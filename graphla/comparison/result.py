"""The result of a comparison: its rows, their tables and plots, and JSON-lines files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload
from uuid import uuid4

from graphla.comparison.pairs import Ratio, ratios
from graphla.comparison.report import table
from graphla.errors import InvalidValue, ReadError
from graphla.io.files import import_optional

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Row = dict[str, Any]
REQUIRED = ("graph", "algorithm", "implementation", "family", "trials_s", "verified")


class Comparison(Sequence[Row]):
    """An immutable sequence of rows, one for each implementation, algorithm and graph.

    Parameters
    ----------
    rows : iterable of dict
        As :func:`graphla.compare` makes them. Times are in seconds. After a wrong result or an
        exception `verified` is False and `error` has the reason; if the implementation was not
        run, `skipped` has the reason. `verified` is None if the check cannot judge.

    Raises
    ------
    InvalidValue
        A row lacks a required field.

    Notes
    -----
    ``+`` concatenates comparisons. Each row has an identifier of its comparison, because only
    trials of the same comparison are alternated pairs.

    Examples
    --------
    >>> from graphla.comparison.result import Comparison
    >>> row = {"graph": "g", "algorithm": "bfs", "verified": True}
    >>> c = Comparison([
    ...     row | {"implementation": "graphla", "family": "algebraic", "trials_s": [2.0, 4.0]},
    ...     row | {"implementation": "native", "family": "native", "trials_s": [1.0, 1.0]},
    ... ])
    >>> c.ratios()["g", "bfs", "native"].median
    0.375
    """

    __slots__ = ("_rows",)

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        identifier = uuid4().hex[:12]
        self._rows = tuple({"comparison": identifier} | deepcopy(dict(row)) for row in rows)
        for k, row in enumerate(self._rows):
            if missing := [name for name in REQUIRED if name not in row]:
                raise InvalidValue(f"row {k} of the comparison has no {', '.join(missing)}")

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows, as copies."""
        return deepcopy(self._rows)

    @property
    def failed(self) -> tuple[Row, ...]:
        """The rows with a wrong result or an exception."""
        return tuple(row for row in self.rows if table.has_failed(row))

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, k: int) -> Row: ...
    @overload
    def __getitem__(self, k: slice) -> Comparison: ...
    def __getitem__(self, k: int | slice) -> Row | Comparison:
        return Comparison(self._rows[k]) if isinstance(k, slice) else deepcopy(self._rows[k])

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Comparison) and self._rows == other._rows

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Comparison) -> Comparison:
        if not isinstance(other, Comparison):
            return NotImplemented
        return Comparison(self._rows + other._rows)

    # ---- numbers

    def ratios(self, to: str = "algebraic") -> dict[tuple[str, str, str], Ratio]:
        """Return time ratios, by graph, algorithm and implementation.

        Parameters
        ----------
        to : str
            The implementation or family to divide by. The base of a family is its fastest
            implementation, on engine "cpu" if there is one.

        Returns
        -------
        dict
            (graph, algorithm, implementation) -> :class:`~graphla.comparison.pairs.Ratio`
            over the alternated pairs, without rows that have no trials. The last comparison
            wins if there are several with the same key.

        Raises
        ------
        InvalidValue
            No row has an implementation or family `to`.
        """
        return {
            (row["graph"], row["algorithm"], row["implementation"]): ratio
            for row, ratio in zip(self._rows, ratios(self._rows, to), strict=True)
            if ratio
        }

    def to_pandas(self) -> Any:
        """Return the rows as a pandas DataFrame."""
        return import_optional("pandas", "a DataFrame", "'pandas<3'").DataFrame(list(self.rows))

    # ---- representations

    def __rich__(self) -> Any:
        from rich.console import Group
        from rich.text import Text

        return Group(table.FittedTable(self._rows), *map(Text, self.conclusions()))

    def __repr__(self) -> str:
        return table.plain_text(self.__rich__())

    def _repr_html_(self) -> str:
        above = "".join(f"<p>{escape(line)}</p>" for line in self.conclusions())
        return above + table.comparison_html(self._rows)

    def plot(self, path: Any = None) -> Figure:
        """Draw times and ratios to the algebraic form; save the figure if `path` is given."""
        from graphla.comparison.report.chart import draw, save

        return save(draw(self._rows), path)

    def heat_map(self, path: Any = None) -> Figure:
        """Draw algorithms x graphs, coloured by the time of the algebra over that of its rival.

        The rival is the hand-written implementation on the same engine; the fastest library, or
        the STAR-machine, where the comparison has none. Each cell says how many times faster it
        is, with both median times, or that the ratio is too noisy. The figure is saved if `path`
        is given.
        """
        from graphla.comparison.report.chart import save
        from graphla.comparison.report.heat_map import heat_map

        return save(heat_map(self._rows), path)

    def conclusions(self) -> list[str]:
        """Return what the rows say in up to three sentences.

        How many times faster the rival of :meth:`heat_map` is than the algebra, how that depends on
        the size of the graph, and for which algorithms it is largest and smallest; or why nothing
        can be concluded.

        Examples
        --------
        >>> from graphla.comparison.result import Comparison
        >>> row = {"graph": "g", "algorithm": "bfs", "verified": True, "engine": "cpu"}
        >>> Comparison([
        ...     row | {"implementation": "graphla", "family": "algebraic", "trials_s": [2.0, 2.0]},
        ...     row | {"implementation": "native", "family": "native", "trials_s": [1.0, 1.0]},
        ... ]).conclusions()[0].partition(":")[0]
        'By hand is typically 2.0 times faster than the algebra'
        """
        from graphla.comparison.report.conclusions import conclusions

        return conclusions(self._rows)

    # ---- files

    def to_html(self, path: Any, *, levels: Mapping[str, Any] | None = None) -> None:
        """Write one self-contained page: conclusions, heat map, cost of the algebra, plots, rows.

        Parameters
        ----------
        path : path-like
        levels : mapping of str to Levels, optional
            Results of :func:`graphla.compare_levels` to append, by heading.
        """
        from graphla.comparison.report.page import page

        Path(path).write_text(page(self._rows, levels or {}), encoding="utf-8")

    def to_jsonl(self, path: Any) -> None:
        """Append the rows to a file of JSON lines."""
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        lines = "".join(json.dumps(row) + "\n" for row in self._rows)
        with target.open("a", encoding="utf-8") as file:
            file.write(lines)

    @classmethod
    def from_jsonl(cls, path: Any) -> Comparison:
        """Read the rows that :meth:`to_jsonl` has written.

        Rows without the identifier of a comparison belong together if they have the same date.

        Raises
        ------
        ReadError
            A line is not a row.
        """
        rows = []
        for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
            try:
                row = json.loads(line)
                cls([row])
            except (ValueError, TypeError) as error:
                raise ReadError(path, number, f"expected a row of a comparison: {error}") from error
            rows.append({"comparison": row.get("date")} | row)
        return cls(rows)
