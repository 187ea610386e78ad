"""The graphs of suite.toml: those of `graphla.generate`, by its names, and those made here."""

from __future__ import annotations

import numpy as np

import graphla as gl
from graphla.cuda.runtime.device import device


def graph(suite, name):
    """Make a graph of the suite."""
    spec = dict(suite["graphs"][name])
    make = spec.pop("make")
    return (HERE.get(make) or getattr(gl.generate, make))(*spec.pop("args"), **spec)


def drawn(scale):
    """Draw Graph500's edges on the device: whole weights 1..255, no self-loops."""
    edges = gl.graph500.kronecker(scale, weighted=True, engine="cuda")
    weight = (edges.weight * 255).astype("i4") + 1  # of [0, 1)
    apart = edges.src != edges.dst
    columns = (x[apart] for x in (edges.src, edges.dst, weight.clip(1, 255)))
    return gl.graph500.EdgeList(*columns, edges.n, "cuda").graph()


def drawn_by_degree(scale):
    """Return the same, its vertices sorted by degree and those without edges left out."""
    return gl.transform.by_degree(drawn(scale))[0]


def cliques(scale, max_clique, seed=1):
    """Draw `gl.generate.ssca2` on the device: whole weights 1..255."""
    xp, n = device.xp, 1 << scale
    rng, v = xp.random.default_rng(seed), xp.arange(n)
    size = (rng.random(n) * max_clique).astype("i8") + 1
    last = size.cumsum()
    clique = xp.searchsorted(last, v, side="right")
    behind = v - (last - size)[clique]  # how many of its clique are before a vertex
    pairs = []
    for back in range(1, max_clique):
        members = v[behind >= back].astype("u4")
        pairs.append((members, members - members.dtype.type(back)))
    for k in range(scale):
        some, step = rng.random(n) < 0.5 / 2**k, (rng.random(n) + 1) * 2**k
        far, to = v[some], (v + step.astype("i8"))[some] % n
        leaves = clique[far] != clique[to]
        pairs.append((far[leaves].astype("u4"), to[leaves].astype("u4")))
    relabel = rng.random(n).argsort().astype("u4")
    src, dst = (relabel[xp.concatenate(ends)] for ends in zip(*pairs, strict=True))
    weight = (rng.random(src.size) * 255).astype("i4") + 1
    return gl.graph500.EdgeList(src, dst, weight, n, "cuda").graph()


def shuffled_dag(n, degree, seed=1):
    """Return `gl.generate.random_dag` with its vertices in any order."""
    src, dst, _ = gl.generate.random_dag(n, degree, seed=seed).A.to_coo(values=False)
    name = np.random.default_rng(seed).permutation(n)
    return gl.Graph.from_edges(name[src], name[dst], n=n)


HERE = {make.__name__: make for make in (drawn, drawn_by_degree, cliques, shuffled_dag)}
