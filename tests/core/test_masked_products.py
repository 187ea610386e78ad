"""Masked products have a form from which SuiteSparse returns, and users are warned of others.

What might not return runs in a process of its own, with a limit of time.
"""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
import warnings
from pathlib import Path

import graphblas as gb
import numpy as np
import pytest
from graphblas import semiring

import graphla as gl
from graphla.algorithms._shared.vectors import make_index_vector
from graphla.algorithms.traversal.level_sweep import sweep
from graphla.core import tracing
from graphla.core.masked_products import PRODUCTS, may_hang, needs_safe_form
from graphla.errors import GraphlaError
from tests.graphs import random_graph

ROOT = Path(__file__).parents[2]
ALGORITHMS = ROOT / "graphla" / "algorithms"
LIMIT = 30  # seconds of a process, most of which take one

plus_times = semiring.plus_times[gb.dtypes.INT64]


# ---- all products of all algorithms

ONE_SOURCE = {
    *("bfs", "bfs_levels", "bellman_ford", "bellman_ford_distances", "sssp", "sssp_distances"),
    "negative_cycle",
}
SOURCES = {
    "betweenness_centrality", "betweenness_centrality_weighted", "edge_betweenness_centrality",
    "edge_betweenness_centrality_weighted",
}  # fmt: skip


def arguments(name, G):
    """Return what a public function of algorithms/ takes beside the graph."""
    if name in ONE_SOURCE:
        return ([0],)
    if name in SOURCES:
        return ([range(0, G.n, 3)],)
    if "community" in name or name in ("within_inter_cluster", "modularity"):
        label = G.vector("INT64")
        label << 0
        label[0] = 1
        community = [label]
        return (community,) if name == "modularity" else ([[0, 1], [2, 5], label], [label])
    if name == "k_truss":
        return ([3],)
    return ([], [[0, 1], [2, 5]])


def graphs():
    """Return graphs that take the algorithms through all their products."""
    ring = gl.Graph.from_edges(range(80), [*range(1, 80), 0])
    found = [ring, gl.Graph.from_edges([0, 1, 2], [1, 2, 0], [1, 2, -5])]
    for kind in ("undirected", "directed"):
        found += [
            random_graph(n, m, kind=kind, dtype=dtype, seed=n)
            for n, m, dtype in ((40, 90, "int32"), (40, 700, "float64"), (200, 420, None))
        ]
    return found


def run_all(G):
    """Call every public algorithm; what a graph is refused for, or takes no part in, is skipped."""
    for name, module in gl._EXPORTS.items():
        if "algorithms" not in module:
            continue
        for given in arguments(name, G):
            try:
                found = getattr(gl, name)(G, *given)
                list(found) if hasattr(found, "__next__") else None
            except (GraphlaError, TypeError):
                continue


def product_lines():
    """Return (file, first line, last line) of the products that algorithms/ writes."""
    found = set()
    for path in sorted(ALGORITHMS.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            if called and node.func.attr in PRODUCTS:
                found.add((path.name, node.func.end_lineno, node.end_lineno))
    return found


@pytest.fixture
def seen(monkeypatch):
    """Note the lines of algorithms/ that make a product, and products that need a safe form."""
    lines, unsafe = set(), []

    def noting(method):
        def product(*args, **options):
            code = sys._getframe(1)
            lines.add((Path(code.f_code.co_filename).name, code.f_lineno))
            return method(*args, **options)

        return product

    matrix = gb.core.matrix
    for kind in (gb.Matrix, gb.Vector, matrix.TransposedMatrix):
        for name in PRODUCTS:
            if name in vars(kind):
                monkeypatch.setattr(kind, name, noting(vars(kind)[name]))

    def look(operation, mask, *rest):
        if needs_safe_form(operation, mask, *rest):
            frame = sys._getframe()
            while ALGORITHMS not in Path(frame.f_code.co_filename).parents:
                frame = frame.f_back
            unsafe.append((Path(frame.f_code.co_filename).name, frame.f_lineno))
        return False

    monkeypatch.setattr(tracing, "may_hang", look)
    return lines, unsafe


@pytest.mark.thorough
def test_every_product_of_the_algorithms_has_a_safe_form(seen):
    lines, unsafe = seen
    with gl.trace():
        for G in graphs():
            run_all(G)
        mixed = np.random.default_rng(1).permutation(500)
        gl.connected_components(gl.Graph.from_edges(mixed[1:], mixed[:-1]))
        deep = gl.Graph.from_edges(range(1, 500), range(499))
        X = deep.A.dup()
        sweep(deep.A, make_index_vector(deep, deep.n), X, semiring.any_pair, gb.binary.any, band=2)
    assert not set(unsafe), "see graphla/core/masked_products.py"
    expected = product_lines()
    missed = {x for x in expected if not any((x[0], k) in lines for k in range(x[1], x[2] + 1))}
    assert len(expected) > 80
    assert not missed, "a graph or a call that reaches these products is lacking"


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("centrality.betweenness_centrality", "betweenness_centrality"),
        ("centrality.edge_betweenness_centrality", "edge_betweenness_centrality"),
        ("centrality.efficiency", "local_efficiency"),
    ],
)
def test_a_product_without_its_safe_form_is_found(seen, monkeypatch, module, name):
    module = importlib.import_module(f"graphla.algorithms.{module}")
    if hasattr(module, "GUSTAVSON"):
        monkeypatch.setattr(module, "GUSTAVSON", {})
    else:
        monkeypatch.setattr(module, "set_storage_hint", lambda *objects, form: None)
    G = graphs()[2]
    with gl.trace():
        getattr(gl, name)(G, *arguments(name, G)[0])
    assert seen[1]


# ---- in a process of its own

HEAD = """
import numpy as np
import graphblas as gb
import graphla as gl
from graphla.core.masked_products import GUSTAVSON
from tests.core.test_masked_products import *
"""


def child(code):
    """Run lines in a process of its own; return what it prints, or None if it does not end."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", HEAD + code],
            capture_output=True, text=True, timeout=LIMIT, cwd=ROOT,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    assert done.returncode == 0, done.stderr
    return done.stdout


def funnel(sources, width, sinks=1, n=0, kind="directed"):
    """Return the graph sources -> width vertices -> sinks."""
    s, w, t = np.arange(sources), sources + np.arange(width), sources + width + np.arange(sinks)
    src = np.concatenate([np.repeat(s, width), np.repeat(w, sinks)])
    dst = np.concatenate([np.tile(w, sources), np.tile(t, width)])
    return gl.Graph.from_edges(src, dst, n=max(n, sources + width + sinks), kind=kind)


def hubs(n):
    """Return two joined vertices that are adjacent to all others."""
    rest = np.arange(2, n)
    src, dst = np.repeat([0, 1], n - 2), np.tile(rest, 2)
    return gl.Graph.from_edges(np.append(src, 0), np.append(dst, 1), n=n, kind="undirected")


def dense(n, seed=0):
    """Return a graph with half of all edges, whose matrix is a bitmap."""
    found = np.triu(np.random.default_rng(seed).random((n, n)) < 0.55, 1)
    return gl.Graph.from_edges(*np.nonzero(found), n=n, kind="undirected")


def drawn(seed):
    """Return a graph made for the fault: rows of more than 256 entries, and wide levels."""
    rng = np.random.default_rng(seed)
    width = int(rng.integers(257, 420))
    sources, sinks = (int(x) for x in rng.integers(1, 24, 2))
    n = sources + width + sinks + int(rng.integers(0, 200))
    kind = ("directed", "undirected")[int(rng.integers(2))]
    A = funnel(sources, width, sinks, n, kind)
    src, dst = (x.astype(np.int64) for x in A.A.to_coo()[:2])
    kept = rng.random(src.size) < rng.choice([1.0, 0.98])
    src, dst = src[kept], dst[kept]
    k = int(rng.integers(0, 300))
    edges = np.r_[src, rng.integers(0, n, k)], np.r_[dst, rng.integers(0, n, k)]
    return gl.Graph.from_edges(*edges, n=n, kind=kind, dup="min")


def check(seed):
    """Run what used to hang on a drawn graph."""
    G = drawn(seed)
    k = 1 + seed % 17
    found = gl.betweenness_centrality(G, range(k)).to_dense()
    through = gl.edge_betweenness_centrality(G, range(k))
    assert through.nvals == G.A.nvals
    ends = through.reduce_columnwise().new().to_dense(fill_value=0) - found  # one for each source
    np.testing.assert_allclose(ends, ends.round(), atol=1e-9)
    assert 0 <= ends.round().min() <= ends.round().max() <= k
    if G.kind == "undirected" and seed % 8 == 0:
        assert 0 <= gl.local_efficiency(G) <= 1


@pytest.mark.thorough
@pytest.mark.parametrize(
    "code",
    [
        "G = funnel(40, 1000); print(gl.betweenness_centrality(G, range(16)).nvals == G.n)",
        "G = funnel(40, 1000); r = gl.edge_betweenness_centrality(G, range(16))\n"
        "print(r.nvals == G.A.nvals)",
        "G = dense(700); r = gl.edge_betweenness_centrality(G, range(16))\n"
        "print(G.A.ss.format == 'bitmapr' and r.nvals == G.A.nvals)",
        *(
            f"G = hubs({n}); print(0.49 < gl.local_efficiency(G) < 1)"
            for n in (258, 259, 300, 1000)
        ),
    ],
)
def test_what_used_to_hang_ends(code):
    assert child(code) == "True\n"


# A hundred graphs take four seconds.
SEEDS = [range(20), range(20, 100), *(range(k, k + 100) for k in range(100, 700, 100))]


@pytest.mark.parametrize(
    "seeds", [SEEDS[0], *(pytest.param(part, marks=pytest.mark.thorough) for part in SEEDS[1:])]
)
def test_drawn_graphs_end(seeds):
    assert child(f"for seed in {seeds}: check(seed)\nprint(1)")


# ---- the rule, and the warning for users

PRODUCT = """
n, d = 4096, {d}
A = gb.Matrix.from_coo(np.zeros(d, int), np.arange(d), 1, nrows=n, ncols=n)
u = gb.Vector.from_coo([0], [1], size=n)
m = gb.Vector.from_coo(np.arange(300), np.arange(300) % 2 == 0, size=n)
w = gb.Vector(int, n)
AT = A.T.new()
F = gb.Matrix.from_coo([0, 1], [0, 0], 1, nrows=2, ncols=n)
M = gb.Matrix.from_coo([0] * 2000, range(2000), True, nrows=2, ncols=n)
full = gb.Vector.from_dense(np.arange(n) % 2 == 0)
"""
SAFE = {
    "complemented": "w(~m.S) << u.vxm(A, plus_times)",
    "unmasked": "w << u.vxm(A, plus_times)",
    "options": "w(m.S, **GUSTAVSON) << u.vxm(A, plus_times)",
    "options of new": "u.vxm(A, plus_times).new(mask=m.V, **GUSTAVSON)",
    "dot": "w(m.S, axb_method='dot') << u.vxm(A, plus_times)",
    "sparse": "set_storage_hint(m, form='sparse')\nw(m.S) << u.vxm(A, plus_times)",
    "operand": "m(m.S) << m.vxm(A, plus_times)",
    "bitmap": "set_storage_hint(A, form='bitmap')\nw(m.S) << u.vxm(A, plus_times)",
    "full structure": "w(full.S) << u.vxm(A, plus_times)",
}
HANGS = {
    "vxm": "w(m.S) << u.vxm(A, plus_times)",
    "values": "w(m.V, replace=True) << u.vxm(A, plus_times)",
    "full values": "w(full.V) << u.vxm(A, plus_times)",
    "mxv": "w(m.S) << AT.mxv(u, plus_times)",
    "transposed": "w(m.S, gb.binary.plus) << A.T.mxv(u, plus_times)",
    "mxm": "F.mxm(A, plus_times).new(mask=M.S)",
    "mxm, transposed": "F.mxm(AT.T, plus_times).new(mask=M.S)",
    "hash": "w(m.S, axb_method='hash') << u.vxm(A, plus_times)",
}


def traced(product, d=257):
    """Return the warning of a product in a trace, as it would run, or "" where there is none."""
    code = PRODUCT.format(d=d) + "import warnings\n"
    code += "from graphla.execution.hints import set_storage_hint\n"
    code += "warnings.simplefilter('error')\ntry:\n  with gl.trace():\n    "
    code += product.replace("\n", "\n    ")
    return child(code + "\nexcept RuntimeWarning as warning: print(warning)")


@pytest.mark.thorough
@pytest.mark.parametrize("name", SAFE)
def test_a_safe_product_ends_and_gives_no_warning(name):
    assert traced(SAFE[name]) == ""


@pytest.mark.thorough
@pytest.mark.parametrize("name", HANGS)
def test_a_product_that_may_hang_gives_a_warning_before_it_runs(name):
    """The warning, an error here, keeps it from running."""
    assert "SuiteSparse may never return" in traced(HANGS[name])


@pytest.mark.thorough
@pytest.mark.parametrize("name", HANGS)
def test_rows_of_256_entries_end(name):
    assert traced(HANGS[name], d=256) == ""


@pytest.mark.thorough
@pytest.mark.parametrize("name", HANGS)
def test_the_fault_is_there(name):
    """A product of microseconds does not end. If this fails SuiteSparse has been mended:
    `masked_products` can go."""
    code = HEAD + PRODUCT.format(d=257) + "print('ready', flush=True)\n" + HANGS[name]
    command = [sys.executable, "-c", code + "\nw.nvals"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(2)
        finally:
            process.kill()


def test_the_warning_is_of_the_line_that_multiplies():
    A = gb.Matrix.from_coo([0] * 257, range(257), 1, nrows=400, ncols=400)
    u, m = gb.Vector.from_coo([0], [1], size=400), gb.Vector.from_coo(range(300), True, size=400)
    with gl.trace(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        steps = may_hang("vxm", m.S, u, A, "default"), may_hang("vxm", m.S, u, A, "gustavson")
        tracing._warn("vxm", [None, m.S, None, None, u, A, None])
    assert steps == (True, False)
    assert [Path(w.filename) for w in caught] == [Path(__file__)]
