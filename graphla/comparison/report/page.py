"""A comparison as one self-contained HTML page: no scripts, no fonts, no external files."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from graphla.comparison.pairs import BUSY, NOISY, WIDE, Row
from graphla.comparison.report import table
from graphla.comparison.report.chart import draw, svg
from graphla.comparison.report.reasons import REASONS
from graphla.core.display import html_table

PROTOCOL = (
    "All implementations get the same graph and the same sources; data derived from the graph "
    "are prepared before the timing (column prepare). A trial is the wall-clock time from the call "
    "to the complete result. Trial k of all implementations runs in the same round, so that a "
    "ratio is the median over alternated pairs, with its quartiles; it is too noisy to conclude if "
    f"the upper quartile is more than {WIDE} times the lower one, or other processes used more "
    f"than {BUSY:.0%} of the cores' time. Results are verified by their invariants outside the "
    "timing. The column returns says what an implementation computes: compare like with like."
)
STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 78rem; padding: 0 1rem; }
h2 { margin-top: 2.5rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: left; }
td { white-space: nowrap; }
td:last-child { white-space: normal; }
tr:hover { background: var(--soft); }
.number { text-align: right; font-variant-numeric: tabular-nums; }
svg { max-width: 100%; height: auto; }
ul { font-size: 13px; }
"""
COSTS = ("graph", "algorithm", "by hand", "native / algebraic", "quartiles", "pairs", "why")


def page(rows: Sequence[Row], levels: Mapping[str, Any]) -> str:
    """Return the page as text."""
    parts = [
        f"<h1>{escape(title(rows))}</h1>",
        *(f"<p>{escape(line)}</p>" for line in machines(rows)),
        f"<p>{escape(PROTOCOL)}</p>",
        f'<h2>Times</h2><div class="wide">{table.comparison_html(rows)}</div>',
        '<h2>What the algebra costs</h2><p>Time of the hand-written implementation divided by the '
        'time of the algebraic one: below 1 the hand-written one is faster.</p>'
        f'<div class="wide">{html_table(costs(rows), COSTS, numbers=COSTS[3:6])}</div>',
        f"<h2>Pictures</h2>{''.join(pictures(rows))}",
        *(_levels(name, view, f"levels{k}") for k, (name, view) in enumerate(levels.items())),
        f"<h2>Raw rows</h2>{_raw(rows)}",
    ]  # fmt: skip
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title(rows))}</title><style>{STYLE}</style></head><body>"
        + "\n".join(parts)
        + "</body></html>\n"
    )


def title(rows: Sequence[Row]) -> str:
    """Return the algorithms and graphs in one line."""
    algorithms = dict.fromkeys(row["algorithm"] for row in rows)
    graphs = dict.fromkeys(row["graph"] for row in rows)
    return f"{', '.join(algorithms) or 'Nothing'} on {', '.join(graphs) or 'no graph'}"


def machines(rows: Iterable[Row]) -> list[str]:
    """Return a line for each combination of day, machine, commit and versions."""
    lines: dict[str, None] = {}
    for row in rows:
        machine = row.get("machine") or {}
        memory = machine.get("memory_bytes")
        facts = [
            str(machine.get("cpu") or "unknown machine"),
            f"{machine.get('cores')} cores, {machine.get('threads')} threads" if machine else "",
            f"{memory / 2**30:.0f} GiB" if memory else "",
            machine.get("gpu") or "",
            f"driver {machine['driver']}" if machine.get("driver") else "",
            f"commit {row['commit']}" if row.get("commit") else "",
            *(f"{name} {version}" for name, version in (row.get("versions") or {}).items()),
        ]
        day = (row.get("date") or "")[:10]
        lines[", ".join(filter(None, [day, *facts]))] = None
    return list(lines)


def costs(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """Return the texts of the ratios of the hand-written implementations to the algebraic ones."""
    return [
        (
            row["graph"], row["algorithm"], row["implementation"],
            NOISY if r.noisy else f"{r.median:.2f}",
            f"{r.low:.2f} to {r.high:.2f}", str(r.pairs),
            ("" if r.alike else f"(not like with like: returns {row.get('returns')}) ")
            + ("" if r.noisy else REASONS.get(row["algorithm"], "")),
        )
        for row, r in zip(rows, table.ratios_to_base(rows), strict=True)
        if r and row["family"] == "native"
    ]  # fmt: skip


def pictures(rows: Sequence[Row]) -> Iterable[str]:
    """Yield one SVG for each graph."""
    for k, graph in enumerate(dict.fromkeys(row["graph"] for row in rows)):
        yield svg(draw([row for row in rows if row["graph"] == graph]), f"graph{k}")


def _levels(name: str, view: Any, mark: str) -> str:
    return (
        f"<h2>{escape(name)}</h2><p>{escape(view.title)}</p>{svg(view.plot(), mark)}"
        f'<div class="wide">{view._repr_html_()}</div>'
    )


def _raw(rows: Iterable[Row]) -> str:
    """Return the rows as a file to download, and as JSON in the page for programs."""
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    data = b64encode(lines.encode()).decode()
    embedded = json.dumps(list(rows)).replace("<", "\\u003c")
    return (
        f'<p><a download="rows.jsonl" href="data:application/x-ndjson;base64,{data}">'
        f'rows.jsonl</a></p><script type="application/json" id="rows">{embedded}</script>'
    )
