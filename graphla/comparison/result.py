"""What a comparison returns: its rows, and the ways to look at them and to keep them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload
from uuid import uuid4

from graphla.comparison.pairs import Ratio, ratios
from graphla.comparison.report import table
from graphla.errors import InvalidValue, MissingPackage, ReadError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Row = dict[str, Any]
NEEDED = ("graph", "algorithm", "implementation", "family", "trials_s", "verified")


class Comparison(Sequence[Row]):
    """Rows of measurements, one an implementation, algorithm and graph; it does not change.

    Parameters
    ----------
    rows : iterable of dict
        As :func:`graphla.compare` makes them. Times are in seconds. A row whose
        result was wrong, or that raised, has `verified` False and the reason in
        `error`; one that was not run has the reason in `skipped`. `verified` is
        None where the check cannot judge.

    Raises
    ------
    InvalidValue
        A row lacks what a table needs.

    Notes
    -----
    ``+`` joins comparisons. Each row carries a mark of its comparison, as only
    trials of the same one are alternated pairs.

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
        mark = uuid4().hex[:12]
        self._rows = tuple({"comparison": mark} | deepcopy(dict(row)) for row in rows)
        for at, row in enumerate(self._rows):
            if missing := [name for name in NEEDED if name not in row]:
                raise InvalidValue(f"row {at} of the comparison has no {', '.join(missing)}")

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows, as copies."""
        return deepcopy(self._rows)

    @property
    def failed(self) -> tuple[Row, ...]:
        """The rows of wrong results, and of implementations that raised."""
        return tuple(row for row in self.rows if table.has_failed(row))

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> Comparison: ...
    def __getitem__(self, at: int | slice) -> Row | Comparison:
        return Comparison(self._rows[at]) if isinstance(at, slice) else deepcopy(self._rows[at])

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
            Implementation, or family, whose time is 1; of a family, its fastest
            implementation, on engine "cpu" if one runs there.

        Returns
        -------
        dict
            (graph, algorithm, implementation) -> :class:`~graphla.comparison.pairs.Ratio`
            over the alternated pairs; nothing for what has no trials. Of several
            comparisons the last one counts.

        Raises
        ------
        InvalidValue
            No row is of an implementation or family `to`.
        """
        found = zip(self._rows, ratios(self._rows, to), strict=True)
        return {
            (row["graph"], row["algorithm"], row["implementation"]): ratio
            for row, ratio in found
            if ratio
        }

    def to_pandas(self) -> Any:
        """Return the rows as a pandas DataFrame."""
        try:
            pandas = import_module("pandas")
        except ImportError as error:
            raise MissingPackage("a DataFrame needs pandas: pip install 'pandas<3'") from error
        return pandas.DataFrame(list(self.rows))

    # ---- looks

    def __rich__(self) -> Any:
        return table.Fitted(self._rows)

    def __repr__(self) -> str:
        return table.plain(self.__rich__())

    def _repr_html_(self) -> str:
        return table.html_table(self._rows)

    def plot(self, path: Any = None) -> Figure:
        """Draw times, and ratios to the algebraic form; write the figure to `path` if given."""
        from graphla.comparison.report.chart import draw, save

        return save(draw(self._rows), path)

    # ---- files

    def to_html(self, path: Any, *, levels: Mapping[str, Any] | None = None) -> None:
        """Write one self-contained page: tables, plots, what the algebra costs, raw rows.

        Parameters
        ----------
        path : path-like
        levels : mapping of str to Levels, optional
            Headings and views by :func:`graphla.compare_levels` to show below.
        """
        from graphla.comparison.report.page import page

        Path(path).write_text(page(self._rows, levels or {}), encoding="utf-8")

    def to_jsonl(self, path: Any) -> None:
        """Append the rows to a file of JSON lines; what is there is never touched."""
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        lines = "".join(json.dumps(row) + "\n" for row in self._rows)
        with target.open("a", encoding="utf-8") as file:
            file.write(lines)

    @classmethod
    def from_jsonl(cls, path: Any) -> Comparison:
        """Read the rows that :meth:`to_jsonl` has written.

        Rows without a mark of their comparison belong together where their date is the same.

        Raises
        ------
        ReadError
            A line is no row.
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
