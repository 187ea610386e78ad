"""Calls in alternated runs, so that drift of the machine hits all alike."""

from __future__ import annotations

from graphla.comparison import measure
from graphla.comparison.runner import turns


def race(field, trials):
    """Return the seconds of each (engine, call), after a call of each that warms up."""

    def timed(engine, call):
        def whole():
            call()
            measure.synchronise(engine)

        return measure.quietly_timed(whole, rehearsal=whole if engine == "cuda" else None)[0]

    seconds = [[] for _ in field]
    for k in range(-1, trials):
        for at in turns(list(range(len(field))), k):
            seconds[at].append(timed(*field[at]))
    return [found[1:] for found in seconds]
