"""Device memory ends at each allocation of a call: nothing changes, the next call works."""

import re

import graphblas as gb
import numpy as np
import pytest

import graphla as gl
from graphla import cuda
from graphla.core.properties import CACHEABLE
from graphla.cuda.runtime.device import device
from graphla.errors import GraphlaError
from graphla.native.cuda.papers.beyond_memory import bfs_beyond_memory
from graphla.native.cuda.papers.boruvka_variants import forest_variants
from graphla.native.cuda.papers.ford_bellman import sssp_variants
from graphla.native.cuda.papers.forest_with_cpu import minimum_spanning_forest_with_cpu
from graphla.native.cuda.papers.variants import bfs_variants
from tests.algorithm_calls import algorithms, prepared
from tests.cuda.failed_allocations import check, spread
from tests.cuda.python_graphblas_names import public
from tests.index_dtypes import NATIVE_ON_CPU_ONLY

SIZE = 9

# Statements, and expressions whose value is compared. Each runs with objects in two formats.
LINES = {
    "update": """
        w << v.apply('ainv')
        w(m.V, binary.plus, replace=True) << v.apply('ainv')
        w(~m.S) << 7
        w.update(v)
        C(A.S, binary.plus, replace=True) << B
        C(~A.V) << A.apply('abs')
        w(input_mask=m.S) << v[:]
        w << v.apply('plus', right=2)
        w << v.apply(indexunary.rowindex)
        v.apply('minus', left=3).new()
        A.apply('ainv').new('FP32', mask=B.S)
        w << v.select('>', 1)
        w << v.select(m.V)
        C << A.select('tril')
        A.select(B.S).new()
        v.S.new(); (v.S & ~m.V).new(); (v.S | m.V).new(); v.V.new(complement=True)
        w << 3
        C << 3
        w.clear()
        C.clear()
        """,
    "elementwise": """
        w << binary.minus(v | u)
        w(~m.S) << v.ewise_mult(u, 'plus')
        w << v.ewise_union(u, 'plus', 1, 2)
        C << A.ewise_add(B, monoid.max)
        C << A.ewise_mult(B, 'times')
        C << A.ewise_union(B, 'minus', 1, 2)
        C << A.ewise_add(v, 'plus')
        C << A.ewise_mult(v, 'plus')
        C << A.ewise_union(v, 'plus', 1, 2)
        C << A + v
        w << v - u
        w += v
        w -= v
        w *= u
        w @= A
        m &= m
        m |= m
        m ^= m
        (v * 2).new(); (-v).new(); (~m).new(); abs(v).new(); (v > 1).new(); (v == u).new()
        (v // 2).new(); (v ** 2).new(); (v / 2).new(); (v % 2).new()
        [x.new() for x in divmod(v, 2)]
        (A * 2).new(); (-A).new(); abs(A).new(); (A > 1).new(); (A == B).new()
        v.outer(u).new()
        C << v.outer(u)
        A.kronecker(B).new()
        K << A.kronecker(A)
        """,
    "products": """
        w << semiring.min_plus(A @ v)
        w(m.S) << v.vxm(A, semiring.plus_times)
        w << A.T.mxv(v, semiring.ss.any_secondi)
        w << A.mxv(w, semiring.plus_times)
        C << A.mxm(B, semiring.plus_times)
        C(A.S) << A.mxm(B.T, semiring.plus_times)
        C(A.V, binary.plus) << A.T.mxm(B, semiring.min_plus)
        C(~A.S) << A.mxm(B, semiring.any_pair)
        A.mxm(A, semiring.any_pair).new()
        R.mxm(R, semiring.lor_land).new()
        A.power(3).new()
        v.inner(u).new(); (v @ u).new()
        """,
    "reductions": """
        w << A.reduce_rowwise(monoid.plus)
        w << A.reduce_columnwise(agg.mean)
        w << A.reduce_rowwise(agg.count)
        A.reduce_scalar(monoid.plus).new()
        A.reduce_scalar(agg.vars).new()
        v.reduce(monoid.max).new(); v.reduce(agg.ss.argmin).new(); v.reduce(agg.hypot).new()
        v.isequal(u), v.isclose(w), A.isequal(B), A.isclose(C), A.T.isequal(B), R.is_true
        v.nvals, A.nvals, R.nvals, m.is_empty, C.is_empty
        """,
    "indices": """
        w << v[[8, 7, 6, 5, 4, 3, 2, 1, 0]]
        v[[2, 0, 1]].new(); v[1:5].new(); A[[2, 0], [1, 3, 4]].new(); A[1, :].new(); A[:, 2].new()
        A.T[1, :].new(); A[3:, ::2].new(); A[1, 2].new(); v[3].new()
        v.get(3), A.get(1, 2), 3 in v, (1, 2) in A
        C << A[::-1, :]
        w[2:5] = 7
        w[[1, 3]] << v[:2]
        w(m.V)[1:] << u[1:]
        w[1:](binary.plus) << u[1:]
        w[3] = 5
        del w[3]
        w[2] << v[3]
        C[2:5, :] = A[2:5, :].new()
        C[1, :] << v
        C(A.S)[:, 2] << v
        C[1, 2] = 5
        C[:, :](binary.plus) << 1
        del C[1, 2]
        A.diag(); A.diag(1); v.diag(); v.diag(2)
        C.setdiag(v)
        C.setdiag(3, 1)
        w << v.reposition(2)
        A.reposition(1, 2).new()
        w.resize(12)
        C.resize(12, 4)
        C.resize(3, 3)
        """,
    "making": """
        side.Vector.from_coo([0, 3, 3], [1, 2, 3], size=9, dup_op=binary.plus)
        side.Vector.from_dense([1.5, 2, 3]); side.Vector.from_dense([1, 0, 3], missing_value=0)
        side.Vector.from_pairs([(0, 1), (3, 2)]); side.Vector.from_dict({0: 1, 3: 2})
        side.Vector.from_scalar(3, 5); side.Vector(int, 7); side.Matrix(int, 700, 900)
        side.Matrix.from_coo([0, 3, 3], [1, 2, 2], [1, 2, 3], nrows=9, ncols=9, dup_op=binary.plus)
        side.Matrix.from_dense([[1, 2], [3, 4]]); side.Matrix.from_scalar(3, 4, 5)
        side.Matrix.from_edgelist([(0, 1), (1, 2)], [3, 4]); side.Matrix.from_dicts({0: {1: 2}})
        side.Matrix.from_csr(*A.to_csr(), ncols=9); side.Matrix.from_csc(*A.to_csc(), nrows=9)
        side.Matrix.from_dcsr(*A.to_dcsr(), nrows=9, ncols=9)
        side.Matrix.from_dcsc(*A.to_dcsc(), nrows=9, ncols=9)
        w.build([0, 3], [1, 2], clear=True)
        C.build([0, 3], [1, 2], [3, 4], clear=True)
        v.dup(); v.dup('FP32'); v.dup(mask=m.S); v.dup(clear=True); A.dup(); A.dup('FP32')
        A.T.new(); A.T.dup('FP32'); C << A.T
        copy.copy(v); copy.deepcopy(A)
        """,
    "storage": """
        w.store('bitmap')
        w.store('sparse')
        C.store('bitmap')
        C.store('sparse')
        R.store('sparse')
        R.store('bits')
        F.store('full')
        F.store('sparse')
        """,
    "output": """
        v.to_coo(), v.to_dense(fill_value=0), v.to_dict()
        A.to_coo(), A.to_dense(fill_value=0), A.to_csr(), A.to_csc(), A.to_dcsr(), A.to_dcsc()
        A.to_edgelist(), A.to_dicts(), A.to_dicts('columnwise'), A.T.to_coo(), A.to_coo(rows=[1, 0])
        A.T.to_csr(), A.T.to_dense(fill_value=0), R.to_coo(), R.T.new()
        repr(v), repr(A), v._repr_html_(), A._repr_html_()
        side.to_graphblas(v).nvals, side.to_graphblas(A).nvals, side.to_graphblas(R).nvals
        side.from_graphblas(G); side.from_graphblas(g)
        pickle.loads(pickle.dumps(v)); pickle.loads(pickle.dumps(A))
        """,
    "SuiteSparse": """
        v.ss.export(); v.ss.export('bitmap'); A.ss.export(); A.ss.export('coo')
        A.ss.export('hypercsc'); A.ss.export('bitmapc')
        side.Vector.ss.import_any(**v.ss.export()); side.Matrix.ss.import_any(**A.ss.export())
        v.ss.nbytes, A.ss.nbytes, v.ss.is_iso, A.ss.is_iso, sys.getsizeof(A) > 0
        v.ss.head(2); A.ss.head(2); list(v.ss.iterkeys()), list(A.ss.itervalues())
        list(v.ss.iteritems()); list(A.ss.iteritems())
        C.ss.build_diag(v)
        e.ss.build_scalar([1, 3], 4)
        K.ss.build_scalar([1, 3], [2, 4], 4)
        w.ss.concat([v[:4].new(), u[4:].new()])
        C.ss.concat([[A[:4, :].new()], [B[4:, :].new()]])
        v.ss.split([4, 5]); A.ss.split([[4, 5], [3, 6]])
        v.ss.reshape(3, 3); A.ss.reshape(27, 3); A.ss.flatten(); C.ss.reshape(3, 27, inplace=True)
        v.ss.selectk('largest', 2); A.ss.selectk('first', 1)
        v.ss.compactify('smallest'); A.ss.compactify('last', 2)
        v.ss.sort(); A.ss.sort()
        side.ss.diag(v); side.ss.diag(A); side.ss.concat([v, u]); side.ss.concat([[A, B]])
        """,
    "scalars": """
        s << v.reduce(monoid.plus)
        s(binary.plus) << v.inner(u)
        s << v[3]
        s.update(A.reduce_scalar(monoid.max))
        w << v.apply('plus', right=s)
        w << s
        """,
}
STATEMENTS = [
    pytest.param(line.strip(), id=f"{kind} {line.strip()}")
    for kind, lines in LINES.items()
    for line in lines.strip().splitlines()
]
WITHOUT_ALLOCATION = {  # of sparse objects, in the simulator; bitmaps are also updated in place
    "w.clear()",
    "v.isequal(u), v.isclose(w), A.isequal(B), A.isclose(C), A.T.isequal(B), R.is_true",
    *("w.store('sparse')", "C.store('sparse')", "R.store('bits')", "F.store('full')"),
}
A_FEW = (
    "C << A.mxm(B, semiring.plus_times)",
    "w(m.V, binary.plus, replace=True) << v.apply('ainv')",
)
# Names that allocate no array, or are in the lines above by their sign.
NO_LINE = {
    "S", "V", "T", "dtype", "name", "ndim", "ncols", "nrows", "shape", "size", "ss", "wait",
    "is_cscalar", "is_grbscalar", "on_device", "value",
}  # fmt: skip


def objects(form):
    """Return the names of a line: objects on the device, two on the CPU, and operators."""
    rng = np.random.default_rng(3)
    i, j = rng.permutation(SIZE)[:5], rng.permutation(SIZE)
    V, M = cuda.Vector.from_coo, cuda.Matrix.from_coo
    shape, R = {"nrows": SIZE, "ncols": SIZE}, cuda.Matrix(bool, SIZE, SIZE)
    R.store("bits")
    R.build(j, j[::-1], [True] * SIZE)
    found = {
        "v": V(i, i + 1, size=SIZE), "u": V(j[:4], j[:4] + 2, size=SIZE),
        "w": V(j[:6], 3, size=SIZE), "m": V(i, i % 2 == 0, size=SIZE),
        "A": M(i, j[:5], i, **shape), "B": M(j, j[::-1], j, **shape), "C": M(j, j, 1, **shape),
        "K": cuda.Matrix(int, SIZE**2, SIZE**2), "R": R, "e": cuda.Vector(int, SIZE),
        "F": cuda.Vector.from_scalar(3, SIZE), "s": cuda.Scalar.from_value(5),
    }  # fmt: skip
    for name in "vuwABC":
        found[name].store(form)
    return found


def run(line, names):
    """Run a line; return its value if it is an expression."""
    modules = ("binary", "monoid", "semiring", "agg", "indexunary")
    world = {name: getattr(gb, name) for name in modules} | {"side": cuda} | names
    world |= {name: __import__(name) for name in ("copy", "pickle", "sys")}
    world["g"] = gb.Vector.from_coo([1, 3], [2, 4], size=SIZE)
    world["G"] = gb.Matrix.from_coo([1, 3], [2, 4], [5, 6], nrows=SIZE, ncols=SIZE)
    found = []
    for part in line.split("; "):
        try:
            found.append(eval(part, world))
        except SyntaxError:
            exec(part, world)
    return found


def check_line(line, form, *options):
    return check(lambda: objects(form), lambda names: run(line, names), *options)


def vectors():
    return {"v": cuda.Vector.from_dense([1, 2, 3]), "w": cuda.Vector(int, 3)}


def test_what_stays_allocated_is_found():
    kept = []

    def call(x):
        kept.append(x["v"].dup())
        x["w"] << x["v"].apply("ainv")

    with pytest.raises(AssertionError, match="bytes stay allocated"):
        check(vectors, call)


def test_a_changed_output_is_found():
    def call(x):
        x["w"] << 3
        x["v"].apply("ainv").new()

    with pytest.raises(AssertionError):
        check(vectors, call)


def test_an_error_of_another_class_is_found():
    with pytest.raises(device.out_of_memory):
        check(vectors, lambda x: device.xp.ones(5))


@pytest.mark.parametrize("line", A_FEW)
def test_a_few_statements(line):
    assert check_line(line, "sparse", spread(6)) > 1


@pytest.mark.thorough
@pytest.mark.parametrize("form", ["sparse", "bitmap"])
@pytest.mark.parametrize("line", STATEMENTS)
def test_statements(line, form):
    failures = check_line(line, form)
    assert failures or form == "bitmap" or line in WITHOUT_ALLOCATION


@pytest.mark.parametrize("kind", [cuda.Vector, cuda.Matrix, cuda.TransposedMatrix, cuda.Scalar])
def test_every_name_is_in_a_line(kind):
    text = "".join(LINES.values())
    names = {n for n in public(kind) if n[0] != "_"} - NO_LINE
    if kind is cuda.Scalar:  # on the host
        names &= {"update"}
    assert [n for n in sorted(names) if not re.search(rf"\.{n}\b", text)] == []


def test_every_name_of_ss_is_in_a_line():
    text = "".join(LINES.values())
    for x in (cuda.Vector.ss, cuda.Matrix.ss, cuda.ss):
        names = {n for n in dir(x) if n[0] != "_"} - {"iso_value"}
        assert [n for n in sorted(names) if f".ss.{n}" not in text] == []


# ---- algorithms and native kernels

QUICK = ("bfs", "pagerank", "triangle_count")
LONG = {"louvain", "louvain_levels", "label_propagation"}  # on a smaller graph
SEARCHES = {**bfs_variants, **{f"sssp {name}": f for name, f in sssp_variants.items()}}
FORESTS = {**forest_variants, "with CPU": minimum_spanning_forest_with_cpu}
PAPERS = {
    **{f"search {name}": lambda G, f=f: f(G, 0) for name, f in SEARCHES.items()},
    **{f"forest {name}": f for name, f in FORESTS.items()},
    "search beyond memory": lambda G: bfs_beyond_memory(G, 0, max_bytes=16),
}
TRANSFORMS = {
    "by degree": lambda G: gl.transform.by_degree(G).graph,
    "breadth first": lambda G: gl.transform.breadth_first(G).graph,
    "Cuthill-McKee": lambda G: gl.transform.reverse_cuthill_mckee(G).graph,
    "rows by weight": lambda G: tuple(gl.transform.rows_by_weight(G))[:3],
    "rows by degree": lambda G: tuple(gl.transform.rows_by_degree(G))[:3],
    "compressed": lambda G: tuple(gl.transform.compress(G).decode())[:3],
    "ranks": lambda G: gl.transform.weights_to_ranks(G).graph,
    "codes": lambda G: gl.transform.weights_to_codes(G),
    "astype": lambda G: G.astype("FP32"),
    "cached": lambda G: G.cache(*set(CACHEABLE) - {"csr", "csr_transposed"}),
    "reversed": lambda G: gl.Graph(G.A.select("triu").new()).reversed(),
}


def graph(kind, name=""):
    """Return a triangle with a leaf and an isolated vertex, or one edge."""
    src, dst = ([0], [1]) if name in LONG else ([0, 1, 0, 2], [1, 2, 2, 3])
    return gl.Graph.from_edges(src, dst, [4, 1, 7, 2][: len(src)], n=5, kind=kind)


def check_algorithm(function, kind, *options):
    """Check a call of an algorithm; return None if it refuses the graph."""
    G = graph(kind, function.__name__)
    try:
        prepared(function, G)()
    except GraphlaError:
        return None

    def make():
        H = G.to("cuda")
        return {"G": H, "call": prepared(function, H)}

    return check(make, lambda x: x["call"](), *options)


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("module", [gl, gl.native])
def test_a_few_algorithms(module, name):
    assert check_algorithm(algorithms(module)[name], "undirected", spread(6)) > 1


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("name", algorithms())
def test_algorithms(name, kind):
    assert check_algorithm(algorithms()[name], kind) != 0


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("name", sorted(set(algorithms(gl.native)) - NATIVE_ON_CPU_ONLY))
def test_native_kernels(name, kind):
    assert check_algorithm(algorithms(gl.native)[name], kind) != 0


@pytest.mark.thorough
@pytest.mark.parametrize("name", [*PAPERS, *TRANSFORMS])
def test_kernels_of_papers_and_transforms(name):
    G, call = graph("undirected"), (PAPERS | TRANSFORMS)[name]
    assert check(lambda: G.to("cuda"), call)
