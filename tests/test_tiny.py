"""One small graph through each layer of graphla: read this first, and run it first."""

import graphblas as gb
import pytest

import graphla as gl
from graphla.core.engines import available
from graphla.cuda.runtime.device import device
from tests.cuda.simulator import simulate_device

EDGES = "0 1\n0 2\n1 3\n2 3\n3 4\n"  # 0 reaches 4 in three steps, by 1 or by 2
LEVELS = [0, 1, 1, 2, 3]


@pytest.fixture
def G(tmp_path):
    """The graph, read from a file of edges."""
    (tmp_path / "tiny.el").write_text(EDGES)
    return gl.read(tmp_path / "tiny.el", kind="directed")


def test_read(G):
    assert (G.n, G.A.nvals, G.kind) == (5, 5, "directed")


def test_algebra(G):
    """A step of a search is a masked product of the frontier and the adjacency matrix."""
    frontier = gb.Vector.from_coo([0], True, size=G.n)
    visited = frontier.dup()
    after = frontier.vxm(G.A, gb.semiring.any_pair).new(mask=~visited.S)
    assert after.to_coo()[0].tolist() == [1, 2]
    assert gl.bfs(G, 0).level.to_dense(fill_value=-1).tolist() == LEVELS


def test_native_kernels_give_the_same_answer(G):
    assert gl.native.bfs(G, 0).level.isequal(gl.bfs(G, 0).level)


def test_cuda_engine(G, monkeypatch):
    """Without a GPU the CUDA kernels run in a simulator, compiled by g++."""
    if not available("cuda"):
        simulate_device(monkeypatch)
    level = gl.bfs(G.to("cuda"), 0).level
    assert device.to_host(level.to_dense(fill_value=-1)).tolist() == LEVELS


def test_verify(G):
    level, parent = gl.bfs(G, 0)
    gl.verify.bfs(G, 0, level, parent)
    level[4] = 1
    with pytest.raises(AssertionError):
        gl.verify.bfs(G, 0, level, parent)


def test_compare(G):
    """Time the algebraic and the native kernel side by side."""
    rows = gl.compare("bfs", G, sources=[0], trials=1, implementations=["graphla", "native"])
    assert [(row["family"], row["verified"]) for row in rows] == [
        ("algebraic", True),
        ("native", True),
    ]
