"""Errors name the word that a caller probably meant."""

from __future__ import annotations

import importlib
import inspect
import pickle
import re

import numpy as np
import pytest

import graphla as gl
from graphla.core.validation import explains_wrong_calls
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    InvalidCall,
    InvalidValue,
    UnknownArgument,
)
from graphla.interop.labels import Labelled
from graphla.suggestions import ELSEWHERE, GRAPH_MEMBERS, suggest

G = gl.Graph.from_edges([0, 1], [1, 2], kind="undirected")


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
        (lambda: G.vector(bool, fill=True), "Graph.vector() has no argument 'fill'; it has dtype"),
    ],
)
def test_unknown_arguments(call, message):
    with pytest.raises(UnknownArgument, match=re.escape(message)):
        call()
    with pytest.raises(TypeError):
        call()


@pytest.mark.parametrize(
    "name", ["pandas.from_edges", "polars.from_edges", "arrow.from_edges", "networkx.from_networkx"]
)
def test_unknown_arguments_of_other_libraries(name):
    module, function = name.split(".")
    pytest.importorskip({"arrow": "pyarrow"}.get(module, module))
    convert = getattr(importlib.import_module(f"graphla.interop.{module}"), function)
    with pytest.raises(UnknownArgument, match="no argument 'directed'"):
        convert(None, directed=False)


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
    @explains_wrong_calls
    def fails(x, **options):
        raise TypeError("from within")

    with pytest.raises(TypeError, match="from within"):
        fails(1, other=2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gl.bfs(G), "bfs() lacks the argument 'source': call bfs(G, source)"),
        (lambda: gl.bfs(0, G), "the graph is given as 'source': call bfs(G, source)"),
        (lambda: gl.native.bfs(0, G), "the graph is given as 'source': call bfs(G, source)"),
        (lambda: gl.compare(G, "bfs"), "is given as 'algorithms': call compare(algorithms, G)"),
        (lambda: gl.compare("bfs"), "compare() lacks the argument 'G'"),
        (lambda: gl.Graph(), "Graph() lacks the argument 'A': call Graph(A)"),
        (lambda: gl.Graph.from_edges(), "Graph.from_edges() lacks the arguments 'src' and 'dst'"),
        (lambda: gl.Graph.from_edges([(0, 1), (1, 2)]), "src, dst = zip(*pairs)"),
        (lambda: gl.pagerank(G, 0.85), "takes 1 argument by position (G), not 2; by name: damping"),
        (
            lambda: gl.betweenness_centrality(G),
            "(G, sources); range(G.n) has all vertices",
        ),
        (lambda: gl.read(), "read() lacks the argument 'path'"),
    ],
)
def test_impossible_calls(call, message):
    with pytest.raises(InvalidCall, match=re.escape(message)):
        call()
    with pytest.raises(TypeError):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gl.compare(gl.bfs, G), "names such as 'bfs', not function; graphla.comparison"),
        (lambda: gl.compare("bfs", G, implementations=[gl.bfs]), "implementations are names, not"),
        (lambda: gl.bfs("roads.csv", 0), "graphla.read(G) makes it from a file"),
        (lambda: gl.bfs(np.eye(3), 0), "numpy's ndarray; graphla.Graph(G) makes it from a matrix"),
        (lambda: gl.compare("bfs", [G]), "a mapping from name to graph"),
        (lambda: gl.sssp(G, [0, 1]), "not list; all_pairs_shortest_paths and shortest_path_trees"),
        (lambda: gl.bfs(G, "alice"), "not str; the vertex of a label is labels.get_loc('alice')"),
        (lambda: gl.betweenness_centrality(G, "alice"), "H.index['alice']"),
        (lambda: gl.Graph.from_edges(["a"], ["b"]), "gl.interop.pandas.from_edges"),
        (lambda: gl.read(3), "path must be a str or a path, not int"),
        (lambda: len(G), "G.n vertices and G.nedges edges"),
        (lambda: gl.modularity(G, gl.bfs(G, 0)), "whole BFS, not one of its fields level, parent"),
        (lambda: gl.verify.bfs(G, 0, gl.bfs(G, 0)), "pass r.level instead of r"),
        (lambda: gl.verify.bfs(G, 0, [0, 1, 2]), "level must be a Vector, not list"),
        (lambda: gl.verify.triangle_count(G, "3"), "count must be a real number, not str"),
        (lambda: gl.verify.minimum_spanning_forest(G, 3), "forest must be a Forest, not int"),
    ],
)
def test_objects_of_another_type(call, message):
    with pytest.raises(DomainMismatch, match=re.escape(message)):
        call()


@pytest.mark.parametrize(
    ("name", "value"),
    [("number_of_nodes", "G.n"), ("num_edges", "G.nedges"), ("degree", "G.out_degree")],
)
def test_attributes_that_graphs_of_other_libraries_have(name, value):
    assert eval(value, {"G": G}) is not None
    with pytest.raises(AttributeError, match=re.escape(f"{name!r}: did you mean {value}?")):
        getattr(G, name)


def test_every_suggested_member_of_a_graph_exists():
    nx = pytest.importorskip("networkx")
    names = {"G": G, "gl": gl, "nx": nx, "v": 0, "range": range, "src": [0], "dst": [1]}
    names |= {"S": gl.interop.scipy.to_sparse(G), "vertices": [0, 1]}
    for name, text in GRAPH_MEMBERS.items():
        assert not hasattr(G, name), name
        first = re.match(r"[\w.]+(\(.*\)|\[[^]]*\])?", text)[0]
        assert eval(first, names) is not None
    assert G, "a graph is true, though it has no len()"


def test_every_function_that_stands_for_one_of_another_library_exists():
    for name, text in ELSEWHERE.items():
        with pytest.raises(AttributeError, match=re.escape(f"{name!r}: did you mean {text}?")):
            getattr(gl, name)
        assert eval(re.match(r"[\w.]+", text)[0], {"G": G, "gl": gl}) is not None


@pytest.mark.parametrize(
    ("call", "names"),
    [(lambda: gl.native.k_core, "it has all_pairs_shortest_paths, "),
     (lambda: gl.interop.excel, "it has arrow, ")],
)  # fmt: skip
def test_a_module_of_few_names_lists_them(call, names):
    with pytest.raises(AttributeError, match=names):
        call()


def test_unknown_names():
    with pytest.raises(InvalidValue, match="did you mean 'bfs'"):
        gl.compare("bsf", G)
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


@pytest.mark.parametrize("module", [gl, gl.native, gl.generate])
def test_every_function_of_a_module_explains_wrong_calls(module):
    names = (*gl.ALGORITHMS, "write", "compare") if module is gl else module.__all__
    functions = [getattr(module, name) for name in names]
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


def test_a_number_on_the_edges_is_taken_for_the_weight():
    nx = pytest.importorskip("networkx")
    H = nx.path_graph(3)
    nx.set_edge_attributes(H, "A1", "road")
    nx.set_edge_attributes(H, 2.5, "km")
    with pytest.raises(DomainMismatch, match=re.escape('edge_attrs={"km": 1}).graph("km")')):
        gl.sssp(H, 0)


@pytest.mark.parametrize(
    ("table", "advice"),
    [([(0, 1), (1, 2), (2, 3)], "; Graph.from_edges(*zip(*A)) makes it of edges"),
     (np.ones((4, 3)), "; Graph.from_edges(*zip(*A)) makes it of edges"),
     (np.ones((3, 4)), "")],
)  # fmt: skip
def test_a_table_of_edges_is_no_matrix(table, advice):
    with pytest.raises(DimensionMismatch, match=rf" x \d{re.escape(advice)}$"):
        gl.Graph(table)


def test_a_frame_of_edges_is_no_matrix():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"from": [0, 1, 2], "to": [1, 2, 0]})
    with pytest.raises(DimensionMismatch, match=r"pandas.from_edges\(G, 'from', 'to'\)"):
        gl.Graph(frame)


def test_graphs_converted_from_networkx_become_graphs():
    nx = pytest.importorskip("networkx")
    K = nx.path_graph(3)
    nx.set_edge_attributes(K, 4, "km")
    unweighted = gl.interop.networkx.from_networkx(K)
    weighted = gl.interop.networkx.from_networkx(K, edge_attrs={"km": 1})
    for converted, hops in ((unweighted, 1), (weighted, 4)):
        for call in (lambda x: gl.sssp(x, 0), gl.Graph):
            with pytest.raises(DomainMismatch) as raised:
                call(converted)
            way = re.search(r"; (G\.graph\(.*?\)) makes it", str(raised.value))[1]
            G = eval(way, {"G": converted})
            assert gl.sssp(G, 0).distance.to_dense().tolist() == [0, hops, 2 * hops]
    with pytest.raises(InvalidValue, match="'km' was not converted") as raised:
        unweighted.graph("km")
    way = str(raised.value).partition("; ")[2].partition(" has it")[0]
    assert eval(way, {"graphla": gl, "K": K}).A.isequal(weighted.graph("km").A)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_become_graphs(library):
    columns = {"from": ["a", "b"], "to": ["b", "c"]}
    module = pytest.importorskip(library)
    frame = module.table(columns) if library == "pyarrow" else module.DataFrame(columns)
    with pytest.raises(DomainMismatch) as raised:
        gl.bfs(frame, 0)
    way = str(raised.value).partition("; ")[2].partition(" makes it")[0]
    assert eval(way, {"graphla": gl, "G": frame}).nedges == 2


def test_graphs_with_labels_name_their_graph():
    labelled = Labelled(G, ["a", "b", "c"])
    with pytest.raises(DomainMismatch, match=r"G\.graph is one"):
        gl.bfs(labelled, 0)
