"""Shared by the scripts: alternated timing of several calls, so that drift affects all alike.

Every script measures inside `graphla.comparison.quiet.guarded`; its conditions are part of a row.
"""

from __future__ import annotations

from graphla.comparison import measure
from graphla.comparison.quiet import MAX_WAIT, guarded
from graphla.comparison.runner import rotated_order


def add_max_wait(parser):
    """Add the option --max-wait: how long to wait for a quiet machine."""
    text = "seconds to wait for a quiet machine before trials"
    parser.add_argument("--max-wait", type=float, default=MAX_WAIT, help=text)


def times(row):
    """Return the minimum and the median of a row as text."""
    return (
        f"{min(row['trials_s']) * 1e3:10.3f} ms at least, median {row['median_s'] * 1e3:10.3f} ms"
    )


def race(field, trials, max_wait):
    """Time each (engine, call) of a list alternately, after one untimed call of each.

    Returns the seconds of each, and the fields of a row that say how busy the machine was.
    """

    def timed(engine, call):
        def whole():
            call()
            measure.synchronise(engine)

        return measure.quietly_timed(whole, rehearsal=whole if engine == "cuda" else None)[0]

    seconds = [[] for _ in field]
    for engine, call in field:
        timed(engine, call)
    with guarded(max_wait) as conditions:
        for k in range(trials):
            for index in rotated_order(list(range(len(field))), k):
                seconds[index].append(timed(*field[index]))
    return seconds, conditions
