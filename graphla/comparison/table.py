"""The rows of a comparison as a table: on a terminal, as plain text, in HTML."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from graphla.comparison.pairs import Ratio, Row, quartiles, ratios

HEAD = (
    *("graph", "algorithm", "implementation", "family", "returns", "prepare ms", "median ms"),
    *("quartiles ms", "GTEPS", "peak MB", "to algebraic", "verified"),
)
NUMBERS = HEAD[5:11]
BASE = "algebraic"
OTHERWISE = "* not like with like: it returns other values than the algebraic form"
LESS = ("family", "prepare ms", "returns", "peak MB", "GTEPS", "quartiles ms")  # first to go
COLOURS = {"yes": "green", "FAILED": "bold red", "skipped": "dim", "cannot judge": "yellow"}


def has_failed(row: Row) -> bool:
    """Whether the result was wrong, or the implementation raised."""
    return row["verified"] is False and not row.get("skipped")


def verdict(row: Row) -> str:
    """Return "yes", "FAILED", "cannot judge" or "skipped"."""
    if row.get("skipped"):
        return "skipped"
    return {True: "yes", False: "FAILED", None: "cannot judge"}[row["verified"]]


def notes(rows: Sequence[Row]) -> list[str]:
    """Return one line for each row that has no time, or none that was verified."""
    unlike = [OTHERWISE] if any(r and not r.alike for r in to_base(rows)) else []
    return unlike + [
        f"{verdict(row)}: {row['implementation']}, {row['algorithm']} on {row['graph']}: {reason}"
        for row in rows
        if (reason := row.get("skipped") or row.get("error"))
    ]


def to_base(rows: Sequence[Row]) -> list[Ratio | None]:
    """Return the ratio of every row to the algebraic form, where there is one."""
    if not any(row["family"] == BASE for row in rows):
        return [None] * len(rows)
    return ratios(rows, BASE)


def cells(row: Row, ratio: Ratio | None) -> tuple[str, ...]:
    """Return the row as texts, in the order of HEAD."""
    trials = row["trials_s"]
    low, median, high = quartiles(trials) if trials else (None, None, None)
    median = row.get("median_s") or median
    spread = f"{milliseconds(low)} to {milliseconds(high)}" if trials else ""
    prepare, gteps, peak = (row.get(name) for name in ("prepare_s", "gteps", "peak_bytes"))
    return (
        *(str(row.get(name) or "") for name in HEAD[:5]),
        milliseconds(prepare),
        milliseconds(median),
        spread,
        "" if gteps is None else f"{gteps:.3g}",
        "" if peak is None else f"{peak / 1e6:,.1f}",
        _ratio(ratio),
        verdict(row),
    )


def _ratio(ratio: Ratio | None) -> str:
    if ratio is None:
        return ""
    mark = "" if ratio.alike else " *"
    return f"{ratio.median:.2f} ({ratio.low:.2f} to {ratio.high:.2f}){mark}"


def milliseconds(seconds: float | None) -> str:
    """Return milliseconds in three significant digits, or whole ones."""
    if seconds is None:
        return ""
    ms = seconds * 1e3
    return f"{ms:,.0f}" if ms >= 100 else f"{ms:#.3g}" if ms else "0"


def body(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """Return the cells of all rows."""
    return [cells(row, ratio) for row, ratio in zip(rows, to_base(rows), strict=True)]


class Fitted:
    """The table for a terminal: where that is narrow, without some columns, and saying so."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows

    def __rich_console__(self, console: Console, options: Any) -> Iterator[Any]:
        left_out: list[str] = []
        table = self._table(left_out)
        for name in LESS:
            if Measurement.get(console, options.update(width=10**4), table).maximum <= (
                options.max_width
            ):
                break
            left_out.append(name)
            table = self._table(left_out)
        yield table
        if left_out:
            yield Text(f"Too narrow for: {', '.join(left_out)}", "dim")
        yield from map(Text, notes(self.rows))

    def _table(self, left_out: Sequence[str]) -> Table:
        table = Table(title=f"Comparison: {len(self.rows)} rows", title_justify="left")
        kept = [k for k, name in enumerate(HEAD) if name not in left_out]
        for k in kept:
            number = HEAD[k] in NUMBERS
            table.add_column(
                HEAD[k], justify="right" if number else "left", no_wrap=number, overflow="fold"
            )
        before = None
        for row, texts in zip(self.rows, body(self.rows), strict=True):
            place = (row["graph"], row["algorithm"])
            if before not in (None, place):
                table.add_section()
            before = place
            table.add_row(*(Text(texts[k], COLOURS.get(texts[k], "")) for k in kept))
        return table


def plain(renderable: Any, width: int = 220) -> str:
    """Return what a console without a terminal prints."""
    text = io.StringIO()
    console = Console(  # which in a notebook would show by itself what is asked for as text
        file=text, width=width, color_system=None, force_terminal=False, force_jupyter=False
    )
    console.print(renderable)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


def html_rows(head: Sequence[str], lines: Iterable[Sequence[str]], numbers: Any = ()) -> str:
    """Return an HTML table of texts, escaped; columns of numbers stand to the right."""
    kinds = ['class="number"' if name in numbers else "" for name in head]
    heads = "".join(f"<th {k}>{escape(h)}</th>" for k, h in zip(kinds, head, strict=True))
    parts = [
        "<tr>"
        + "".join(f"<td {k}>{escape(c)}</td>" for k, c in zip(kinds, line, strict=True))
        + "</tr>"
        for line in lines
    ]
    text = f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(parts)}</tbody></table>"
    return text.replace(" >", ">")


def html_table(rows: Sequence[Row]) -> str:
    """Return the rows as an HTML table, with the reasons below."""
    below = "".join(f"<li>{escape(note)}</li>" for note in notes(rows))
    return html_rows(HEAD, body(rows), NUMBERS) + (f"<ul>{below}</ul>" if below else "")
