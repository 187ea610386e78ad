"""The graphs of suite.toml: made by functions of `graphla.generate`, or of this file."""

from __future__ import annotations

import numpy as np

import graphla as gl
from graphla.cuda.runtime.device import device


def graph(suite, name):
    """Make a graph of the suite."""
    spec = dict(suite["graphs"][name])
    make = spec.pop("make")
    return (LOCAL.get(make) or getattr(gl.generate, make))(*spec.pop("args"), **spec)


def drawn(scale):
    """Return a Graph500 graph drawn on the device: integer weights 1..255, no self-loops."""
    edges = gl.graph500.kronecker(scale, weighted=True, engine="cuda")
    weight = (edges.weight * 255).astype("i4") + 1  # from [0, 1)
    keep = edges.src != edges.dst
    columns = (x[keep] for x in (edges.src, edges.dst, weight.clip(1, 255)))
    return gl.graph500.EdgeList(*columns, edges.n, "cuda").graph()


def drawn_by_degree(scale):
    """Return the same graph, vertices sorted by degree, without isolated vertices."""
    return gl.transform.by_degree(drawn(scale))[0]


def cliques(scale, max_clique, seed=1):
    """Return an SSCA2 graph (see `gl.generate.ssca2`) drawn on the device: weights 1..255."""
    xp, n = device.xp, 1 << scale
    rng, v = xp.random.default_rng(seed), xp.arange(n)
    size = (rng.random(n) * max_clique).astype("i8") + 1
    last = size.cumsum()
    clique = xp.searchsorted(last, v, side="right")
    rank = v - (last - size)[clique]  # position of a vertex in its clique
    pairs = []
    for back in range(1, max_clique):  # join each vertex to those before it in its clique
        members = v[rank >= back].astype("u4")
        pairs.append((members, members - members.dtype.type(back)))
    for k in range(scale):  # join cliques, with half the probability at twice the distance
        drawn, step = rng.random(n) < 0.5 / 2**k, (rng.random(n) + 1) * 2**k
        tail, head = v[drawn], (v + step.astype("i8"))[drawn] % n
        leaves = clique[tail] != clique[head]
        pairs.append((tail[leaves].astype("u4"), head[leaves].astype("u4")))
    relabel = rng.random(n).argsort().astype("u4")
    src, dst = (relabel[xp.concatenate(ends)] for ends in zip(*pairs, strict=True))
    weight = (rng.random(src.size) * 255).astype("i4") + 1
    return gl.graph500.EdgeList(src, dst, weight, n, "cuda").graph()


def shuffled_dag(n, degree, seed=1):
    """Return a graph of `gl.generate.random_dag` with its vertices in random order."""
    src, dst, _ = gl.generate.random_dag(n, degree, seed=seed).A.to_coo(values=False)
    name = np.random.default_rng(seed).permutation(n)
    return gl.Graph.from_edges(name[src], name[dst], n=n)


LOCAL = {make.__name__: make for make in (drawn, drawn_by_degree, cliques, shuffled_dag)}
