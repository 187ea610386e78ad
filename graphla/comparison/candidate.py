"""One implementation at work on one graph: prepared, checked, then timed call by call."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from graphla.comparison import measure
from graphla.core.graph import Graph
from graphla.core.properties import derive
from graphla.errors import InvalidValue

if TYPE_CHECKING:
    from graphla.comparison.algorithms import Algorithm
    from graphla.comparison.implementations import Implementation


class Views(dict[str, Graph]):
    """One graph by engine: where it was given, and on the CPU once that is asked for."""

    def __init__(self, given: Graph, on_cpu: Callable[[], Graph]) -> None:
        super().__init__({given.engine: given})
        self.given, self.on_cpu = given, on_cpu

    def __missing__(self, engine: str) -> Graph:
        if engine != "cpu":
            raise KeyError(engine)
        self[engine] = self.on_cpu()
        return self[engine]

    def of(self, i: Implementation) -> Graph:
        """Return the graph as an implementation is given it."""
        peer = i.family == "peer" or (i.engine not in self and self.given.engine != "cpu")
        return self["cpu"] if peer else self.get(i.engine, self.given)


def here(G: Graph) -> Graph:
    """Return a graph on the CPU; a copy is kept with it."""
    return G if G.engine == "cpu" else derive(G, Graph.to, "cpu")


class Candidate:
    """An implementation, its form of the graph, and what has been measured of it.

    It is out of the race, with a reason in `skipped` or `error`, where it refuses
    the graph, raises an exception, or gives a wrong result.
    """

    def __init__(self, implementation: Implementation) -> None:
        self.implementation = implementation
        self.seconds: list[float] = []
        self.wanted = 0  # trials
        self.prepare_s: float | None = None
        self.peak_bytes: int | None = None
        self.verified: bool | None = None
        self.error: str | None = None
        self.skipped: str | None = None
        self._prepared: Any = None

    def warm_up(
        self, a: Algorithm, views: Views, start: Any, trials: int, budget: float, verify: bool
    ) -> None:
        """Prepare; call once for the check, and once for the memory if that is quick."""
        i, given = self.implementation, views.of(self.implementation)
        try:
            self.skipped = a.refuses(given) or i.refuses(given)
            if self.skipped:
                return
            if i.library:
                import_module(i.library)  # neither timed nor in the memory
            self.prepare_s, self._prepared = measure.timed(lambda: i.prepare(given))
            self.peak_bytes, (took, result) = self._peak(start)
            if verify:
                self._verify(a, views, start, result)
            del result
            compiles = i.family in ("native", "associative") or i.engine == "cuda"
            if compiles or took < budget / 2:  # the first call may have compiled something
                self.peak_bytes, (again, _) = self._peak(start)
                took = min(took, again)
            self.wanted = min(trials, max(3, int(budget / took)))
        except Exception as error:  # whatever a library raises: the others go on
            self._fail(error)

    def trial(self, start: Any, before: Any, check: tuple[Algorithm, Views] | None = None) -> None:
        """Time one call; the result of the last one is checked too, once the clock stands.

        On a device calls like the trial `before` come first, untimed, for a tenth of a second.
        """
        again = partial(self._call, before) if self.implementation.engine == "cuda" else None
        try:
            seconds, result = measure.quietly_timed(lambda: self._call(start)[1], rehearsal=again)
            self.seconds.append(seconds)
            if check and len(self.seconds) == self.wanted:
                self._verify(*check, start, result)
            del result  # not inside the next timing
        except Exception as error:
            self._fail(error)

    def release(self) -> None:
        """Give back its form of the graph."""
        self._prepared = None

    def row(self) -> dict[str, Any]:
        """Return its own part of the row."""
        i = self.implementation
        return {
            "implementation": i.name,
            "family": i.family,
            "engine": i.engine,
            "returns": i.returns,
            "prepare_s": None if self.prepare_s is None else round(self.prepare_s, 6),
            "trials_s": [round(s, 7) for s in self.seconds],
            "median_s": measure.median(self.seconds),
            "peak_bytes": self.peak_bytes,
            "memory": measure.memory_of(i.engine),
            "verified": self.verified,
            "error": self.error,
            "skipped": self.skipped,
        }

    def _peak(self, start: Any) -> tuple[int | None, tuple[float, Any]]:
        return measure.peak_above(lambda: self._call(start), self.implementation.engine)

    def _call(self, start: Any) -> tuple[float, Any]:
        def run() -> Any:
            result = self.implementation.run(self._prepared, start)
            measure.synchronise(self.implementation.engine)
            return result

        return measure.timed(run)

    def _verify(self, a: Algorithm, views: Views, start: Any, result: Any) -> None:
        told = self.implementation.result(views.of(self.implementation), result)
        try:
            a.verify(self._judged_on(a, views), start, told)
            self.verified = True
        except InvalidValue:  # beyond what the check can judge
            self.verified = None

    def _judged_on(self, a: Algorithm, views: Views) -> Graph:
        """Return the graph to check a result on: one that is on a device already, if possible."""
        if a.verified_by_scipy:
            return views["cpu"]
        if "cuda" in views:
            return views["cuda"]
        mine = self._prepared
        own = self.implementation.family != "peer" and isinstance(mine, Graph)
        return mine if own and mine.engine == "cuda" else views["cpu"]

    def _fail(self, error: Exception) -> None:
        self.error = f"{type(error).__name__}: {error}"
        self.verified, self.wanted, self.seconds = False, 0, []
        self.release()
