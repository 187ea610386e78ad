"""Calls in alternated runs, so that drift of the machine hits all alike, and what scripts share.

Every script measures inside `graphla.comparison.quiet.guarded`, and its rows hold what that finds.
"""

from __future__ import annotations

from graphla.comparison import measure
from graphla.comparison.quiet import MAX_WAIT, guarded
from graphla.comparison.runner import rotated_order


def add_max_wait(parser):
    """Let the command line say how long a script waits for a quiet machine."""
    text = "seconds to wait for a quiet machine before trials"
    parser.add_argument("--max-wait", type=float, default=MAX_WAIT, help=text)


def times(row):
    """Return the minimum and the median of a row as text."""
    return (
        f"{min(row['trials_s']) * 1e3:10.3f} ms at least, median {row['median_s'] * 1e3:10.3f} ms"
    )


def race(field, trials, max_wait):
    """Return the seconds of each (engine, call), after a call of each that warms up.

    And, as a part of a row, how busy the machine was meanwhile.
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
            for at in rotated_order(list(range(len(field))), k):
                seconds[at].append(timed(*field[at]))
    return seconds, conditions
