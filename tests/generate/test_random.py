"""Tests of single generators: random models, local structure, named graphs, imports."""

from __future__ import annotations

from math import comb

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import pdist, squareform

import graphla as gl
from graphla.generate import random
from tests.generate.test_builder import arcs, generate, same
from tests.graphs import from_networkx, to_networkx, to_scipy

# ---- random models


@pytest.mark.parametrize("probabilities", [(0.57, 0.19, 0.19), (0.1, 0.2, 0.3), (0.25, 0.25, 0.5)])
def test_rmat_quadrants_have_their_probabilities_on_every_level(probabilities):
    """The drawn columns themselves, before duplicates merge: chi-squared with 3 degrees."""
    from graphla.generate.builder import GraphBuilder
    from graphla.generate.random import CHUNK, _rmat

    scale, m = 12, 16 << 12
    assert m <= CHUNK
    n, src, dst = _rmat(GraphBuilder("directed", None, 3), scale, 16, *probabilities)
    assert (n, src.size, src.dtype, dst.dtype) == (1 << scale, m, np.uint32, np.uint32)
    assert max(src.max(), dst.max()) < n
    expected = m * np.array([*probabilities, 1 - sum(probabilities)])
    for bit in range(scale):
        quadrant = 2 * (src >> bit & 1) + (dst >> bit & 1)
        counts = np.bincount(quadrant, minlength=4)
        assert (counts[expected < 1e-6] == 0).all()
        possible = expected > 1e-6
        chi2 = ((counts - expected)[possible] ** 2 / expected[possible]).sum()
        assert chi2 < 25  # exceeded once in 65,000


def test_rmat_does_not_depend_on_the_chunk_size(monkeypatch):
    assert not same(generate.rmat(8, a=0.5, b=0.2, c=0.2), generate.rmat(8, a=0.2, b=0.2, c=0.5))
    monkeypatch.setattr(random, "CHUNK", 100)
    from graphla.generate.builder import GraphBuilder

    _, src, dst = random._rmat(GraphBuilder("directed", None, 1), 8, 5, 0.57, 0.19, 0.19)
    last = slice(src.size // 100 * 100, None)
    assert src[last].any()  # the last, shorter chunk is drawn too
    assert dst[last].any()


def test_kronecker_is_a_relabelled_rmat():
    G = generate.kronecker(9, seed=4)
    H = generate.rmat(9, a=0.57, b=0.19, c=0.19, seed=4, kind="undirected")
    mine, other = (K.out_degree.to_dense() for K in (G, H))
    assert (np.sort(mine) == np.sort(other)).all()
    assert np.corrcoef(other, np.arange(512))[0, 1] < -0.4
    assert (
        abs(np.corrcoef(mine, np.arange(512))[0, 1]) < 0.15
    )  # labels and degrees are uncorrelated


def test_kronecker_degrees_are_skewed_and_uniform_ones_are_not():
    skewed, flat = generate.kronecker(12), generate.uniform(12)
    assert skewed.n == flat.n == 4096
    assert skewed.out_degree.to_dense().max() > 500
    degree = flat.out_degree.to_dense()
    assert degree.max() < 70
    assert abs(degree.mean() - 32) < 0.5
    assert 16 * 4096 * 0.98 < flat.nedges <= 16 * 4096


def test_uniform_ends_are_uniform():
    G = generate.random_digraph(100, 60, seed=8)
    expected = 100 * 99 * (1 - (1 - 1 / 100**2) ** 6000)  # distinct pairs hit, loops apart
    assert abs(G.nedges - expected) < 5 * np.sqrt(expected)
    assert np.ptp(G.out_degree.to_dense()) < 40


@given(st.integers(0, 60), st.floats(0, 6), st.integers(0, 2**70))
@settings(max_examples=40, deadline=None)
def test_dag_has_no_cycle_and_digraph_no_more_edges_than_drawn(n, degree, seed):
    dag = generate.random_dag(n, degree, seed=seed)
    rows, cols, _ = dag.A.to_coo()
    assert (rows < cols).all()
    assert dag.nedges <= round(n * degree)
    digraph = generate.random_digraph(n, degree, seed=seed)
    assert digraph.nedges <= round(n * degree)
    assert digraph.n == dag.n == n


# ---- local structure


def test_ssca2_without_joins_is_disjoint_cliques():
    G = generate.ssca2(10, max_clique=20, joins=0)
    parts, label = connected_components(to_scipy(G), directed=False)
    sizes = np.bincount(label)
    assert (G.n, sizes.sum(), sizes.max()) == (1024, 1024, 20)
    assert sizes.min() == 1
    assert G.nedges == sum(comb(int(size), 2) for size in sizes)
    assert abs(sizes.mean() - 10.5) < 2.5
    assert parts == sizes.size
    members = np.flatnonzero(label == label[0])
    assert np.ptp(members) > 20 or members.size == 1  # permuted


def test_ssca2_joins_thin_out_with_distance():
    """With cliques of one vertex only joining edges remain: p / 2^k at distance 2^k."""
    n = 2**12
    joins = generate.ssca2(12, max_clique=1, joins=0.8, kind="directed")
    expected = n * 0.8 * sum(0.5**k for k in range(12))
    assert abs(joins.nedges - expected) < 5 * np.sqrt(expected)
    assert joins.out_degree.to_dense().max() <= 12
    assert connected_components(to_scipy(generate.ssca2(12, joins=1)))[0] == 1
    cliques = arcs(generate.ssca2(8, joins=0, kind="directed"))
    assert cliques == {(j, i) for i, j in cliques}


def test_ssca2_default_size():
    degree = generate.ssca2(12, joins=0).out_degree.to_dense()
    assert degree.max() == 15  # cliques of up to 2^(12/3)


@pytest.mark.parametrize("shape", [(1,), (7,), (1, 5), (4, 6), (3, 4, 5), (2, 2, 2, 3)])
def test_grid_is_networkx_grid(shape):
    H = nx.convert_node_labels_to_integers(nx.grid_graph(shape[::-1]), ordering="sorted")
    assert same(generate.grid(*shape), from_networkx(H))


def test_grid_holes():
    G = generate.grid(30, 40)
    with_holes = generate.grid(30, 40, holes=0.1)
    assert with_holes.nedges == G.nedges - round(0.1 * G.nedges)
    assert arcs(with_holes) < arcs(G)
    assert generate.grid(30, 40, holes=1).nedges == 0
    removed = np.array([i for i, _ in arcs(G) - arcs(with_holes)])
    assert abs(removed.mean() / 1200 - 0.5) < 0.05  # everywhere


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_geometric_joins_exactly_the_points_within_the_radius(dim):
    points = np.random.default_rng(6).random((80, dim))
    near = squareform(pdist(points)) <= 0.2
    np.fill_diagonal(near, False)
    assert same(generate.geometric(80, 0.2, dim=dim, seed=6), gl.Graph(near, kind="undirected"))


# ---- named graphs


@pytest.mark.parametrize("n", [1, 2, 3, 10])
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_shapes_equal_those_of_networkx(n, kind):
    empty = nx.DiGraph if kind == "directed" else nx.Graph
    shapes = {
        "path": nx.path_graph(n, create_using=empty),
        "complete": nx.complete_graph(n, create_using=empty),
        "star": empty([(0, v) for v in range(1, n)]),
    }
    shapes["star"].add_nodes_from(range(n))
    if n > 2:
        shapes["cycle"] = nx.cycle_graph(n, create_using=empty)
    for name, H in shapes.items():
        assert same(getattr(generate, name)(n, kind=kind), from_networkx(H)), name


@pytest.mark.parametrize(
    ("G", "H"),
    [
        (generate.karate, nx.karate_club_graph),
        (generate.les_miserables, nx.les_miserables_graph),
    ],
)
def test_data_sets_equal_those_of_networkx(G, H):
    G, H = G(), nx.convert_node_labels_to_integers(H())
    assert (G.kind, G.dtype.name) == ("undirected", "INT32")
    assert nx.utils.graphs_equal(
        to_networkx(G),
        nx.Graph([(u, v, {"weight": d["weight"]}) for u, v, d in H.edges(data=True)]),
    )


# ---- imports of Python


def test_imports_of_a_small_tree(tmp_path):
    sources = {
        "a.py": "import b, c.d\nimport nowhere\n",
        "b.py": "from c import d, e, thing\nfrom c import *\n",
        "c/__init__.py": "from . import d\nfrom .. import beyond\nimport c\n",
        "c/d.py": "def later():\n  from ..a import x\n  from .e import y\n  from . import z\n",
        "c/e.py": "import a.attribute\nprint('\\d')\n",
        "c/f.py": """
class A:
    import a
    async def m(self):
        with a as x:
            try:
                import c.d
            except E:
                import c.e
            else:
                import c.g
            finally:
                import c.h
        match x:
            case 1:
                for y in x:
                    import broken
                else:
                    while y:
                        import b
""",
        "c/g.py": "x = lambda: __import__('a')",
        "c/h.py": "",
        "broken.py": "import a\ndef (:\n",
        "null.py": "import a\n\0",
        "latin.py": b"# -*- coding: nonsense -*-\nimport a\n",
        "not-a-name.py": "import a\n",
        "test/test_a.py": "import a\n",
        "c/tests/test_d.py": "import a\n",
        "site-packages/other.py": "import a\n",
        "a.txt": "import b\n",
    }
    for name, text in sources.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    result = generate.python_imports(tmp_path)
    assert result.names == (
        *("a", "b", "broken", "c", "c.d", "c.e", "c.f", "c.g", "c.h", "latin", "null"),
    )
    named = {(result.names[i], result.names[j]) for i, j in arcs(result.graph)}
    assert named == {
        *{("a", "b"), ("a", "c.d")},
        *{("b", "c.d"), ("b", "c.e"), ("b", "c")},
        ("c", "c.d"),
        *{("c.d", "c.e"), ("c.d", "c")},  # `..a` lies outside the top package
        ("c.e", "a"),
        *(("c.f", other) for other in ("a", "b", "broken", "c.d", "c.e", "c.g", "c.h")),
    }
    assert result.graph.kind == "directed"
    assert not result.graph.weighted


def test_imports_of_nothing(tmp_path):
    graph, names = generate.python_imports(tmp_path)
    assert (graph.n, graph.nedges, names) == (0, 0, ())


def test_imports_of_the_standard_library():
    graph, names = generate.python_imports()
    assert names == tuple(sorted(names))
    assert graph.n == len(names) > 200
    edge = {(names[i], names[j]) for i, j in arcs(graph)}
    assert {
        ("json", "json.decoder"),
        ("json.decoder", "json.scanner"),
        ("dataclasses", "re"),
    } <= edge
    assert not any(name.startswith("test.") for name in names)
