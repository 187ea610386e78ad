"""One call of each generator, and graphs as sets of arcs."""

from __future__ import annotations

import graphla as gl

generate = gl.generate


# one call of each generator that draws or that takes weights
DRAWN = {
    "kronecker": lambda **options: generate.kronecker(7, edgefactor=4, **options),
    "rmat": lambda **options: generate.rmat(7, a=0.4, b=0.3, c=0.2, **options),
    "uniform": lambda **options: generate.uniform(7, edgefactor=3, **options),
    "random_digraph": lambda **options: generate.random_digraph(90, 3, **options),
    "random_dag": lambda **options: generate.random_dag(90, 3, **options),
    "ssca2": lambda **options: generate.ssca2(7, **options),
    "grid": lambda **options: generate.grid(9, 8, holes=0.2, **options),
    "geometric": lambda **options: generate.geometric(60, 0.3, **options),
}
SHAPES = {
    "path": lambda **options: generate.path(20, **options),
    "cycle": lambda **options: generate.cycle(20, **options),
    "star": lambda **options: generate.star(20, **options),
    "complete": lambda **options: generate.complete(12, **options),
}
MADE = DRAWN | SHAPES


def same(G, H):
    return G.kind == H.kind and G.A.isequal(H.A, check_dtype=True)


def arcs(G):
    rows, cols, _ = G.A.to_coo()
    return set(zip(rows.tolist(), cols.tolist(), strict=True))
