"""One implementation measured on one graph: prepare, verify, then time call by call."""

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
    from graphla.comparison.implementation import Implementation


class Views(dict[str, Graph]):
    """One graph by engine: the given one, and a copy on the CPU that is made on first use."""

    def __init__(self, given: Graph, make_on_cpu: Callable[[], Graph]) -> None:
        super().__init__({given.engine: given})
        self.given, self.make_on_cpu = given, make_on_cpu

    def __missing__(self, engine: str) -> Graph:
        if engine != "cpu":
            raise KeyError(engine)
        self[engine] = self.make_on_cpu()
        return self[engine]

    def input_of(self, i: Implementation) -> Graph:
        """Return the graph that is passed to an implementation."""
        if i.family == "peer" or (i.engine not in self and self.given.engine != "cpu"):
            return self["cpu"]
        return self.get(i.engine, self.given)


def on_cpu(G: Graph) -> Graph:
    """Return the graph on engine "cpu"; a copy is cached in the graph."""
    return G if G.engine == "cpu" else derive(G, Graph.to, "cpu")


class Candidate:
    """An implementation with its prepared graph and its measurements.

    It leaves the comparison, with a reason in `skipped` or `error`, if it refuses the graph,
    raises an exception or returns a wrong result.
    """

    def __init__(self, implementation: Implementation) -> None:
        self.implementation = implementation
        self.seconds: list[float] = []
        self.planned_trials = 0
        self.prepare_s: float | None = None
        self.peak_bytes: int | None = None
        self.verified: bool | None = None
        self.error: str | None = None
        self.skipped: str | None = None
        self._prepared: Any = None

    def warm_up(
        self, algorithm: Algorithm, views: Views, start: Any, trials: int, budget: float,
        verify: bool,
    ) -> None:  # fmt: skip
        """Prepare, call once and verify the result; call again for memory and time if possible."""
        implementation = self.implementation
        graph = views.input_of(implementation)
        try:
            self.skipped = algorithm.refuses(graph) or implementation.refuses(graph)
            if self.skipped:
                return
            if implementation.library:
                # not part of the prepare time or the peak memory
                import_module(implementation.library)
            self.prepare_s, self._prepared = measure.timed(lambda: implementation.prepare(graph))
            self.peak_bytes, (seconds, result) = self._call_for_peak(start)
            if verify:
                self._verify(algorithm, views, start, result)
            del result
            may_compile = (
                implementation.family in ("native", "associative")
                or implementation.engine == "cuda"
            )
            if may_compile or seconds < budget / 2:  # the first call may include compilation
                self.peak_bytes, (second_call, _) = self._call_for_peak(start)
                seconds = min(seconds, second_call)
            self.planned_trials = min(trials, max(3, int(budget / seconds)))
        except Exception as error:  # any library error: the other candidates continue
            self._fail(error)

    def run_trial(
        self, start: Any, previous_start: Any, check: tuple[Algorithm, Views] | None = None
    ) -> None:
        """Time one call, and verify the result of the last one after the timing.

        On a device, untimed calls from `previous_start` come first (:func:`measure.quietly_timed`).
        """
        on_device = self.implementation.engine == "cuda"
        rehearsal = partial(self._call, previous_start) if on_device else None
        try:
            seconds, result = measure.quietly_timed(
                lambda: self._call(start)[1], rehearsal=rehearsal
            )
            self.seconds.append(seconds)
            if check and len(self.seconds) == self.planned_trials:
                self._verify(*check, start, result)
            del result  # freed outside the next timing
        except Exception as error:
            self._fail(error)

    def release(self) -> None:
        """Free the prepared graph."""
        self._prepared = None

    def row(self) -> dict[str, Any]:
        """Return the fields of a row that describe this candidate."""
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
            "memory": "device" if i.engine == "cuda" else "host",  # of peak_bytes
            "verified": self.verified,
            "error": self.error,
            "skipped": self.skipped,
        }

    def _call_for_peak(self, start: Any) -> tuple[int | None, tuple[float, Any]]:
        return measure.peak_above(lambda: self._call(start), self.implementation.engine)

    def _call(self, start: Any) -> tuple[float, Any]:
        def run() -> Any:
            result = self.implementation.run(self._prepared, start)
            measure.synchronise(self.implementation.engine)
            return result

        return measure.timed(run)

    def _verify(self, algorithm: Algorithm, views: Views, start: Any, result: Any) -> None:
        implementation = self.implementation
        converted = implementation.result(views.input_of(implementation), result)
        try:
            algorithm.verify(self._graph_to_verify_on(algorithm, views), start, converted)
            self.verified = True
        except InvalidValue:  # the check cannot judge this result
            self.verified = None

    def _graph_to_verify_on(self, a: Algorithm, views: Views) -> Graph:
        """Return the graph on the device if it is there already and the check allows it."""
        if a.verified_by_scipy:
            return views["cpu"]
        if "cuda" in views:
            return views["cuda"]
        H = self._prepared
        on_device = isinstance(H, Graph) and H.engine == "cuda"
        return H if on_device and self.implementation.family != "peer" else views["cpu"]

    def _fail(self, error: Exception) -> None:
        self.error = f"{type(error).__name__}: {error}"
        self.verified, self.planned_trials, self.seconds = False, 0, []
        self.release()
