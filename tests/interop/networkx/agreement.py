"""Tests that functions of the backend agree with NetworkX's own on small graphs of every kind."""

from __future__ import annotations

import random

import pytest

from graphla.interop.networkx.version import BEFORE_3_5
from tests.interop.networkx.answers import KINDS, plain, same
from tests.interop.networkx.installed import nx

LABELS = "ponmlkjihgfedcba"


def draw(kind, seed, *, loops=True, integers=True):
    """Return a graph of 16 nodes in descending order, two isolated, some weights missing."""
    rng = random.Random(seed)
    G = KINDS[kind]()
    G.add_nodes_from((node, {"community": ord(node) % 3}) for node in LABELS)
    for _ in range(rng.choice([12, 30])):
        u, v = rng.choice(LABELS[:-2]), rng.choice(LABELS[:-2])
        if u != v or loops:
            weight = rng.randint(1, 9) if integers else rng.random()
            G.add_edge(u, v, **({"weight": weight} if rng.random() < 0.8 else {}))
    return G


def weighted(kind, seed):
    """Return a drawn graph with all of its weights, as `networkx.path_weight` needs them."""
    G = draw(kind, seed)
    for *_, data in G.edges(data=True):
        data.setdefault("weight", 1)
    return G


def outcome(name, G, arguments, backend):
    try:
        found = getattr(nx, name)(G, **arguments, backend=backend)
        as_before = BEFORE_3_5 and name == "single_target_shortest_path_length"
        return plain(dict(found) if as_before else found)
    except NotImplementedError:
        pytest.skip("one of the backends refuses this call: NotImplementedError")
    except (AttributeError, nx.NetworkXException, ZeroDivisionError, ValueError, KeyError) as error:
        return type(error)


S, T = {"source": "p"}, {"target": "k"}
PAIRS = {"ebunch": [(u, v) for u in LABELS for v in LABELS]}
COUNT = {node: 1 + i for i, node in enumerate(LABELS)}


def changed_since_3_4(name, arguments, kind):
    """Whether NetworkX 3.4 has another result: of samples and squares, and of cores that it
    finds in multigraphs. It sends no call for the number of self-loops.
    """
    cores = name.startswith("k_") and name != "k_truss" and kind.startswith("multi")
    others = name in ("square_clustering", "number_of_selfloops")
    return ("k" in arguments and "betweenness" in name) or others or cores


def agreement(calls):
    """Return a test of calls, {function: [arguments, ...]}, on graphs of every kind."""
    cases = [(name, arguments) for name, several in calls.items() for arguments in several]

    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize(("name", "arguments"), cases, ids=[f"{n}-{a}" for n, a in cases])
    def test(name, arguments, kind):
        if BEFORE_3_5 and changed_since_3_4(name, arguments, kind):
            pytest.skip("graphla's result is that of later versions")
        for seed in range(4):
            G = draw(kind, seed, loops=seed % 2 == 0, integers=seed < 2)
            theirs = outcome(name, G, arguments, "networkx")
            ours = outcome(name, G, arguments, "graphla")
            assert same(theirs, ours), (seed, theirs, ours)

    return test
