"""What happens when the device's memory ends: a refusal with the bytes, and nothing has changed."""

import graphblas as gb
import numpy as np
import pytest

import graphla as gl
from graphla import cuda
from graphla.core import memory, validation
from graphla.cuda import Matrix, Vector
from graphla.cuda.memory import buffer_pool
from graphla.cuda.runtime.device import Device, device
from graphla.cuda.storage.csr import CSR
from graphla.errors import DomainMismatch, InvalidValue, OutOfDeviceMemory, OutOfMemory

N = 100_000


@pytest.fixture
def short(request):
    """Leave room for small arrays only, when called; put the limit back afterwards.

    A device's pool rounds sizes and reuses what the test has freed: only tests that allow for
    that run there.
    """
    if isinstance(device.active, Device) and not request.node.get_closest_marker("gpu"):
        pytest.skip("bytes are counted exactly in the simulator")

    def limit():
        cuda.clear_workspaces()  # what the pool holds unused is under no limit
        cuda.set_memory_limit(cuda.memory().used + 10_000)

    yield limit
    cuda.set_memory_limit(None)


def vectors():
    """An output with an entry, and operands whose results are large."""
    w = Vector.from_coo([3], [7], size=N)
    u, v = (Vector.from_coo(np.arange(k, N), np.arange(k, N)) for k in (0, 5))
    return w, u, v


UPDATES = {
    "apply": lambda w, u, v: w << u.apply("abs"),
    "ewise_add": lambda w, u, v: w << u.ewise_add(v, "min"),
    "ewise_mult": lambda w, u, v: w(u.S) << u.ewise_mult(v, "plus"),
    "select": lambda w, u, v: w(gb.binary.plus) << u.select(">", 3),
    "assign": lambda w, u, v: w(u.V, replace=True) << 1,
    "region": lambda w, u, v: w[5:] << v[5:].new(),
    "mxv": lambda w, u, v: w << DIAGONAL[0].mxv(u),
    "vxm": lambda w, u, v: w << u.vxm(DIAGONAL[0]),
    "mxm": lambda w, u, v: w << DIAGONAL[0].mxm(DIAGONAL[0]).new().diag(),
}
DIAGONAL = []


@pytest.mark.parametrize("name", UPDATES)
def test_the_output_keeps_its_value(name, short):
    w, u, v = vectors()
    DIAGONAL[:] = [v.diag(dtype="INT64")]
    short()
    with pytest.raises(OutOfDeviceMemory) as caught:
        UPDATES[name](w, u, v)
    assert caught.value.needed > 10_000
    assert caught.value.free <= 10_000
    cuda.set_memory_limit(None)
    assert [device.to_host(x).tolist() for x in w.to_coo()] == [[3], [7]]
    UPDATES[name](w, u, v)
    assert w.nvals > 1


def test_a_product_with_itself_keeps_its_value(short):
    """The output is read while it is written, so it gets other arrays."""
    A = Matrix.from_coo(np.arange(N), np.arange(N), 2, nrows=N, ncols=N)
    w = Vector.from_dense(np.ones(N))
    w << A.mxv(w)
    short()
    with pytest.raises(OutOfDeviceMemory):
        w << A.mxv(w)
    cuda.set_memory_limit(None)
    assert w.reduce().new().value == 2 * N
    w << A.mxv(w)
    assert w.reduce().new().value == 4 * N


def test_new_objects_and_scalars(short):
    _, u, v = vectors()
    short()
    for make in (
        lambda: u.apply("abs").new(),
        lambda: u.inner(v).new(),
        lambda: Matrix(int, N, N),
        lambda: v.to_dense(fill_value=0),
    ):
        with pytest.raises(OutOfDeviceMemory):
            make()


@pytest.mark.gpu
def test_copies_to_the_device(short):
    """Far more is asked for than the pool has left over."""
    x = gb.Vector.from_dense(np.ones(1 << 23))
    short()
    with pytest.raises(OutOfDeviceMemory) as caught:
        cuda.from_graphblas(x)
    assert caught.value.needed >= 8 << 23
    cuda.set_memory_limit(None)
    assert cuda.from_graphblas(x).nvals == 1 << 23


def test_any_other_interruption_leaves_the_output_whole(monkeypatch):
    w = Vector.from_coo([3], [7], size=9)

    def stop(*args):
        raise KeyboardInterrupt

    e = w.apply("abs")
    monkeypatch.setattr(type(e), "plan", lambda *args: stop)
    with pytest.raises(KeyboardInterrupt):
        w(w.S) << e
    assert w.get(3) == 7


def test_the_limit_and_what_is_free():
    before = cuda.memory()
    assert before.free > 0
    cuda.set_memory_limit(before.used + 5_000_000)
    try:
        found = cuda.memory()
        assert found.limit == before.used + 5_000_000
        assert found.free <= 5_000_000 + before.used
    finally:
        cuda.set_memory_limit(None)
    assert cuda.memory().limit is None
    for bad, error in ((0, InvalidValue), (-5, InvalidValue), (1.5, DomainMismatch)):
        with pytest.raises(error, match="memory limit"):
            cuda.set_memory_limit(bad)


def test_workspaces_are_given_back():
    A = Matrix.from_coo([0, 1], [1, 0], [1, 1], nrows=99, ncols=99)
    Vector.from_coo([0], [1], size=99).vxm(A, "plus_times").new().nvals
    assert buffer_pool._workspaces
    assert buffer_pool._zeroed
    cuda.clear_workspaces()
    assert not buffer_pool._workspaces
    assert not buffer_pool._zeroed
    assert Vector.from_coo([0], [1], size=99).vxm(A, "plus_times").new().get(1) == 1


def test_checks_look_at_the_memory_of_the_engine(monkeypatch, short):
    G = gl.Graph.from_edges([0, 1], [1, 2]).to("cuda")
    monkeypatch.setattr(validation, "MANY", 1)
    validation.check_graph(G)
    cuda.set_memory_limit(max(1, cuda.memory().used + 100))
    assert memory.available("cuda") == cuda.memory().free < memory.available()
    if device.xp.ndarray is not np.ndarray:
        return
    with pytest.raises(OutOfDeviceMemory, match="n=3 vertices takes 120 bytes") as caught:
        validation.check_graph(G)
    assert (caught.value.needed, caught.value.free) == (120, 100)


def test_a_closure_is_refused_by_the_memory_of_the_engine(monkeypatch):
    n = 3000
    G = gl.Graph.from_edges(np.arange(n), (np.arange(n) + 1) % n).to("cuda")
    monkeypatch.setattr(cuda, "memory", lambda: device.usage()._replace(free=1_000_000))
    with pytest.raises(OutOfMemory, match="500,000 can be used"):
        gl.transitive_closure(G)


def test_a_closure_is_one_bit_a_pair():
    n = 1000
    G = gl.Graph.from_edges(np.arange(n), (np.arange(n) + 1) % n).to("cuda")
    for closure in (gl.transitive_closure, gl.transitive_closure_condensed):
        with pytest.raises(OutOfMemory, match="about 128,000 bytes; 127,999 can"):
            closure(G, max_bytes=127_999)
        R = closure(G, max_bytes=128_000)
        assert R._store.words.nbytes == 128_000
        assert R.nvals == n * n


def test_equal_values_of_a_matrix_stay_one(monkeypatch):
    """One value stands for those of all edges: no product, no search spreads it."""

    def spread(A):
        raise AssertionError(f"{A.nvals} values")

    G = gl.generate.kronecker(7, seed=1).astype("BOOL").to("cuda")
    assert G.A._store.iso
    monkeypatch.setattr(CSR, "full_values", spread)
    for search in (gl.bfs, gl.bfs_levels):
        assert search(G, 0) is not None
    for whole in (gl.connected_components, gl.pagerank):
        assert whole(G) is not None
    assert G.A.mxm(G.A, gb.semiring.any_pair).nvals
