"""Errors name the word that a caller probably meant."""

from __future__ import annotations

import inspect
import pickle
import re

import pytest

import graphla as gl
from graphla.core.validation import names_unknown_arguments
from graphla.errors import DomainMismatch, UnknownArgument
from graphla.suggestions import suggest

G = gl.Graph.from_edges([0, 1], [1, 2])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gl.pagerank(G, alpha=0.8), "no argument 'alpha': did you mean 'damping'?"),
        (lambda: gl.pagerank(G, dampng=0.8), "did you mean 'damping'?"),
        (lambda: gl.pagerank(G, zzz=1), "no argument 'zzz'; it has G, damping"),
        (lambda: gl.bfs(G, 0, directed=False), "Graph.from_edges(..., kind='undirected')"),
        (lambda: gl.Graph.from_edges([0], [1], directed=True), "did you mean kind='directed'?"),
        (lambda: gl.native.bfs(G, src=0), "bfs() has no argument 'src': did you mean 'source'?"),
        (lambda: gl.native.pagerank(G, alpha=0.8), "no argument 'alpha': did you mean 'damping'?"),
        (lambda: gl.generate.kronecker(4, weight=(1, 9)), "did you mean 'weights'?"),
        (lambda: gl.generate.karate(weights=(1, 9)), "karate() has no argument 'weights'"),
        (lambda: gl.Graph([[0]], directed=True), "did you mean kind='directed'?"),
    ],
)
def test_unknown_arguments(call, message):
    with pytest.raises(UnknownArgument, match=re.escape(message)):
        call()
    with pytest.raises(TypeError):
        call()


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("x.mtx", {"src": "a"}, "a .mtx file has no argument 'src'; it has path, kind, dup, dtype"),
        ("x.npz", {"base": 1}, "read() of a .npz file has no argument 'base'; it has path, kind"),
        ("x.csv", {"weights": "w"}, "a .csv file has no argument 'weights': did you mean 'weight'"),
        ("x.wel.gz", {"source": "a"}, "a .wel file has no argument 'source': did you mean 'src'?"),
        ("x.parquet", {"directed": True}, "did you mean kind='directed'?"),
    ],
)
def test_unknown_arguments_of_a_format(name, options, message):
    with pytest.raises(UnknownArgument, match=re.escape(message)):
        gl.read(name, **options)


def test_other_type_errors_are_not_changed():
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'source'"):
        gl.bfs(G)

    @names_unknown_arguments
    def fails(x, **options):
        raise TypeError("from within")

    with pytest.raises(TypeError, match="from within"):
        fails(1, other=2)


def test_unknown_names():
    with pytest.raises(AttributeError, match="did you mean 'pagerank'"):
        gl.page_rank
    with pytest.raises(AttributeError, match="did you mean 'sssp'"):
        gl.dijkstra
    assert suggest("xyzzy", ["bfs"]) == ""


@pytest.mark.parametrize(
    ("module", "name", "meant"),
    [(gl.native, "page_rank", "pagerank"), (gl.generate, "kron", "kronecker")],
)
def test_unknown_names_of_modules(module, name, meant):
    message = f"module '{module.__name__}' has no attribute '{name}': did you mean '{meant}'?"
    with pytest.raises(AttributeError, match=re.escape(message)):
        getattr(module, name)
    assert not hasattr(module, "_" + name)


@pytest.mark.parametrize("module", [gl.native, gl.generate])
def test_every_function_of_a_module_names_unknown_arguments(module):
    functions = [getattr(module, name) for name in module.__all__]
    functions = [f for f in functions if inspect.isfunction(f)]
    assert len(functions) > 10
    for function in functions:
        assert pickle.loads(pickle.dumps(function)) is function
        with pytest.raises(UnknownArgument, match="no argument 'zzz'"):
            function(zzz=1)


def test_public_functions_stay_what_they_are():
    assert pickle.loads(pickle.dumps(gl.bfs)) is gl.bfs
    assert list(inspect.signature(gl.bfs).parameters) == ["G", "source", "progress"]
    assert gl.bfs.__doc__


def test_graphs_of_networkx_are_recognised():
    nx = pytest.importorskip("networkx")
    way = re.escape("graphla.interop.networkx.from_networkx(G).graph()")
    H = nx.path_graph(3)
    for call in (lambda: gl.bfs(H, 0), lambda: gl.Graph(H), lambda: gl.pagerank(nx.DiGraph(H))):
        with pytest.raises(DomainMismatch, match=way):
            call()
    converted = gl.interop.networkx.from_networkx(H).graph()
    assert gl.bfs(converted, 0).level.to_dense().tolist() == [0, 1, 2]


def test_graphs_of_networkx_keep_their_weights():
    nx = pytest.importorskip("networkx")
    H = nx.path_graph(4)
    nx.set_edge_attributes(H, {(1, 2): 2.5}, "weight")  # the other edges weigh 1
    for weighted in (H, nx.MultiDiGraph(H), H.edge_subgraph([(0, 1), (1, 2)])):
        with pytest.raises(DomainMismatch) as raised:
            gl.sssp(weighted, 0)
        way = str(raised.value).partition("; ")[2].partition(" makes it")[0]
        converted = eval(way, {"graphla": gl, "G": weighted})
        assert gl.sssp(converted, 0).distance.to_dense().tolist()[:3] == [0, 1, 3.5]
