"""graphla as a backend of NetworkX: ``nx.pagerank(G, backend="graphla")``.

NetworkX finds the backend through the entry points ``networkx.backends`` (:mod:`.backend`) and
``networkx.backend_info`` (:mod:`.info`). A call passes these steps:

1. :mod:`.dispatch` decides whether the call can run here and, if NetworkX chose the backend,
   whether it should.
2. :mod:`.convert` turns the NetworkX graph into a :class:`.labelled_graph.LabelledGraph`, which
   NetworkX caches.
3. A function of :mod:`.functions`, :mod:`.paths` or :mod:`.reachability` runs an algorithm of
   :mod:`graphla.algorithms`.
4. :mod:`.results` turns vectors and matrices into NetworkX's types: dictionaries by node,
   generators, NetworkX graphs.

Only :mod:`.info` is loaded before the first call. `from_networkx` and `to_networkx` convert graphs
by hand.
"""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name in ("from_networkx", "to_networkx"):
        from graphla.io.files import import_optional

        import_optional("networkx", name, "'graphla[networkx]'")
        from graphla.interop.networkx import convert

        return getattr(convert, name)
    raise AttributeError(f"module 'graphla.interop.networkx' has no attribute {name!r}")
