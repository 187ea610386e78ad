"""A comparison as one self-contained HTML page: no scripts, no fonts, no external files."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from graphla.comparison.pairs import WIDE, Row
from graphla.comparison.quiet import BUSY, describe
from graphla.comparison.report import table
from graphla.comparison.report.chart import draw, svg
from graphla.comparison.report.conclusions import conclusions
from graphla.comparison.report.costs import grid
from graphla.comparison.report.heat_map import heat_map
from graphla.comparison.report.reasons import reason
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
.conclusion { font-size: 18px; margin: .5rem 0; }
details { margin-top: 1.5rem; }
summary { cursor: pointer; font-weight: 600; }
ul { font-size: 13px; }
"""
NAMED = 4
COSTS = ("graph", "algorithm", "implementation", "than the algebra", "pairs", "why")


def page(rows: Sequence[Row], levels: Mapping[str, Any]) -> str:
    """Return the page as text: it opens with the conclusions and the heat map."""
    explained = explanations(rows)
    parts = [
        f"<h1>{escape(title(rows))}</h1>",
        *(f'<p class="conclusion">{escape(line)}</p>' for line in conclusions(rows)),
        f'<div class="wide">{svg(heat_map(rows), "costs")}</div>' if grid(rows).cells else "",
        *(f"<p>{escape(line)}</p>" for line in describe(rows)),
        f'<h2>What the algebra costs</h2><div class="wide">'
        f'{html_table(explained, COSTS, numbers=["pairs"])}</div>' if explained else "",
        *(_levels(name, view, f"levels{k}") for k, (name, view) in enumerate(levels.items())),
        _hidden("Times and ratios of each graph, with quartiles", "".join(pictures(rows))),
        _hidden("How it was measured", "".join(f"<p>{escape(line)}</p>"
                for line in (PROTOCOL, *machines(rows)))),
        _hidden(f"All {len(rows):,} rows", f'<div class="wide">{table.rows_html(rows)}</div>'
                f"{_raw(rows)}"),
    ]  # fmt: skip
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title(rows))}</title><style>{STYLE}</style></head><body>"
        + "\n".join(parts)
        + "</body></html>\n"
    )


def title(rows: Sequence[Row]) -> str:
    """Return the algorithms and graphs in one line, of more than NAMED how many they are."""
    algorithms = list(dict.fromkeys(row["algorithm"] for row in rows))
    graphs = list(dict.fromkeys(row["graph"] for row in rows))
    return f"{_names(algorithms, 'algorithms')} on {_names(graphs, 'graphs')}"


def _names(names: Sequence[str], noun: str) -> str:
    return f"{len(names)} {noun}" if len(names) > NAMED else ", ".join(names) or f"no {noun}"


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


def explanations(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """Return the texts of the conclusive and noisy ratios of the heat map, with their reasons."""
    return [
        (
            cost.rival["graph"], cost.rival["algorithm"], cost.rival["implementation"],
            cost.ratio.in_words(), str(cost.ratio.pairs),
            ("" if cost.ratio.alike
             else f"(not like with like: returns {cost.rival.get('returns')}) ") + reason(cost),
        )
        for cost in grid(rows).costs
    ]  # fmt: skip


def _hidden(summary: str, content: str) -> str:
    """Return content that a click on its summary shows."""
    return f"<details><summary>{escape(summary)}</summary>{content}</details>"


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
