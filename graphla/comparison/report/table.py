"""The rows of a comparison as a table: on a terminal, as plain text, in HTML."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from graphla.comparison.pairs import NOISY, WIDE, Ratio, Row, quartiles, ratios, timing
from graphla.comparison.quiet import BUSY, describe
from graphla.core.display import html_table

HEAD = (
    *("graph", "algorithm", "implementation", "family", "returns", "prepare ms"),
    *("minimum ms", "median ms", "quartiles ms", "GTEPS", "peak MB"),
    *("than the algebra", "timing", "verified"),
)
NUMBERS = HEAD[5:11]
BASE = "algebraic"
UNLIKE = "* not like with like: it returns other values than the algebraic form"
OPTIONAL = (  # columns that a narrow terminal leaves out, in this order
    *("family", "prepare ms", "returns", "peak MB", "GTEPS", "quartiles ms", "minimum ms"),
)
COLOURS = {"yes": "green", "FAILED": "bold red", "skipped": "dim"}
COLOURS |= dict.fromkeys(("cannot judge", NOISY, "busy machine", "wide spread"), "yellow")
SHOWN = 5  # noisy ratios that the notes explain; of more they say how many


def has_failed(row: Row) -> bool:
    """Whether the result was wrong or the implementation raised an exception."""
    return row["verified"] is False and not row.get("skipped")


def verdict(row: Row) -> str:
    """Return "yes", "FAILED", "cannot judge" or "skipped"."""
    if row.get("skipped"):
        return "skipped"
    return {True: "yes", False: "FAILED", None: "cannot judge"}[row["verified"]]


def notes(rows: Sequence[Row]) -> list[str]:
    """Return lines about unlike or noisy ratios, and about failed or skipped rows."""
    base_ratios = ratios_to_base(rows)
    unlike = [UNLIKE] if any(r and not r.alike for r in base_ratios) else []
    noisy = [
        f"{NOISY}: {row['implementation']}, {row['algorithm']} on {row['graph']}: quartiles of the "
        f"ratio {r.low:.2f} and {r.high:.2f}, {_percent(r.foreign_cpu_share)} of the cores' time "
        f"used by other processes (allowed: a factor of {WIDE}, and {BUSY:.0%})"
        for row, r in zip(rows, base_ratios, strict=True)
        if r and r.noisy and not is_base(row, r)
    ]
    if len(noisy) > SHOWN:
        noisy[SHOWN:] = [f"{NOISY}: {len(noisy) - SHOWN} more"]
    failed = [
        f"{verdict(row)}: {row['implementation']}, {row['algorithm']} on {row['graph']}: {reason}"
        for row in rows
        if (reason := row.get("skipped") or row.get("error"))
    ]
    return unlike + noisy + failed


def ratios_to_base(rows: Sequence[Row]) -> list[Ratio | None]:
    """Return the ratio of every row to the algebraic implementation, None if there is none."""
    if not any(row["family"] == BASE for row in rows):
        return [None] * len(rows)
    return ratios(rows, BASE)


def cells(row: Row, ratio: Ratio | None) -> tuple[str, ...]:
    """Return the texts of a row, in the order of HEAD."""
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
        "" if ratio is None or is_base(row, ratio) else _words(ratio),
        timing(row),
        verdict(row),
    )


def is_base(row: Row, ratio: Ratio) -> bool:
    """Whether the row is the one that its ratio divides by."""
    return row["implementation"] == ratio.to


def _words(ratio: Ratio) -> str:
    return ratio.in_words() + ("" if ratio.alike else " *")


def _percent(share: float | None) -> str:
    return "an unknown share" if share is None else f"{share:.0%}"


def milliseconds(seconds: float | None) -> str:
    """Return milliseconds with three significant digits, whole ones from 100 on."""
    if seconds is None:
        return ""
    ms = seconds * 1e3
    return f"{ms:,.0f}" if ms >= 100 else f"{ms:#.3g}" if ms else "0"


def all_cells(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """Return the texts of all rows."""
    return [cells(row, ratio) for row, ratio in zip(rows, ratios_to_base(rows), strict=True)]


class FittedTable:
    """The table for a terminal; a narrow one leaves out columns and lists them below."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows

    def __rich_console__(self, console: Console, options: Any) -> Iterator[Any]:
        yield from map(Text, describe(self.rows))
        left_out: list[str] = []
        table = self._table(left_out)
        for name in OPTIONAL:
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
        columns = [k for k, name in enumerate(HEAD) if name not in left_out]
        for k in columns:
            is_number = HEAD[k] in NUMBERS
            table.add_column(
                HEAD[k],
                justify="right" if is_number else "left",
                no_wrap=is_number,
                overflow="fold",
            )
        previous = None
        for row, texts in zip(self.rows, all_cells(self.rows), strict=True):
            section = (row["graph"], row["algorithm"])
            if previous not in (None, section):
                table.add_section()
            previous = section
            table.add_row(*(Text(texts[k], COLOURS.get(texts[k], "")) for k in columns))
        return table


def plain_text(renderable: Any, width: int = 220) -> str:
    """Return the text that a console without a terminal prints."""
    text = io.StringIO()
    console = Console(  # force_jupyter=False: in a notebook it would display instead of print
        file=text, width=width, color_system=None, force_terminal=False, force_jupyter=False
    )
    console.print(renderable)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


def comparison_html(rows: Sequence[Row]) -> str:
    """Return the rows as an HTML table, with the machine's load above and notes below."""
    return "".join(f"<p>{escape(line)}</p>" for line in describe(rows)) + rows_html(rows)


def rows_html(rows: Sequence[Row]) -> str:
    """Return the rows as an HTML table with notes below."""
    below = "".join(f"<li>{escape(note)}</li>" for note in notes(rows))
    table = html_table(all_cells(rows), HEAD, numbers=NUMBERS)
    return table + (f"<ul>{below}</ul>" if below else "")
