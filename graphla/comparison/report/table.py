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

from graphla.comparison.pairs import BUSY, NOISY, WIDE, Ratio, Row, quartiles, ratios
from graphla.comparison.quiet import describe

HEAD = (
    *("graph", "algorithm", "implementation", "family", "returns", "prepare ms"),
    *("minimum ms", "median ms", "quartiles ms", "GTEPS", "peak MB", "to algebraic", "verified"),
)
NUMBERS = HEAD[5:12]
BASE = "algebraic"
OTHERWISE = "* not like with like: it returns other values than the algebraic form"
LESS = (  # columns of a narrow terminal, the first to go first
    *("family", "prepare ms", "returns", "peak MB", "GTEPS", "quartiles ms", "minimum ms"),
)
COLOURS = {"yes": "green", "FAILED": "bold red", "skipped": "dim"}
COLOURS |= dict.fromkeys(("cannot judge", NOISY), "yellow")


def has_failed(row: Row) -> bool:
    """Whether the result was wrong, or the implementation raised."""
    return row["verified"] is False and not row.get("skipped")


def verdict(row: Row) -> str:
    """Return "yes", "FAILED", "cannot judge" or "skipped"."""
    if row.get("skipped"):
        return "skipped"
    return {True: "yes", False: "FAILED", None: "cannot judge"}[row["verified"]]


def notes(rows: Sequence[Row]) -> list[str]:
    """Return lines on ratios that say little, and on rows that have no time, or none verified."""
    found = to_base(rows)
    unlike = [OTHERWISE] if any(r and not r.alike for r in found) else []
    noisy = [
        f"{NOISY}: {row['implementation']}, {row['algorithm']} on {row['graph']}: quartiles of the "
        f"ratio {r.low:.2f} and {r.high:.2f}, {_percent(r.foreign_cpu_share)} of the cores' time "
        f"taken by other processes (allowed: a factor of {WIDE}, and {BUSY:.0%})"
        for row, r in zip(rows, found, strict=True)
        if r and r.noisy
    ]
    failed = [
        f"{verdict(row)}: {row['implementation']}, {row['algorithm']} on {row['graph']}: {reason}"
        for row in rows
        if (reason := row.get("skipped") or row.get("error"))
    ]
    return unlike + noisy + failed


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
        milliseconds(min(trials, default=None)),
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
    return ratio.conclusion() + ("" if ratio.alike else " *")


def _percent(share: float | None) -> str:
    return "an unknown share" if share is None else f"{share:.0%}"


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
        yield from map(Text, describe(self.rows))
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
    """Return the rows as an HTML table: above it the state of the machine, below it notes."""
    above = "".join(f"<p>{escape(line)}</p>" for line in describe(rows))
    below = "".join(f"<li>{escape(note)}</li>" for note in notes(rows))
    return above + html_rows(HEAD, body(rows), NUMBERS) + (f"<ul>{below}</ul>" if below else "")
