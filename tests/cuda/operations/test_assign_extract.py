"""Extract, assign and subassign by every kind of key, against python-graphblas."""

import graphblas as gb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.cuda import Matrix, Vector
from graphla.cuda.operations import assign_extract, kronecker, reduce
from graphla.cuda.runtime.device import device
from graphla.errors import InvalidIndex
from tests.cuda import nvrtc
from tests.cuda.launching import launches
from tests.cuda.object_pairs import ACCUMS, DTYPES, MASKS, masked, objects, pair, same, shapes
from tests.cuda.operations.matrix_updates import flat_rows  # noqa: F401
from tests.cuda.simulator import Simulator
from tests.cuda.vector_forms import host
from tests.strategies import examples

EXAMPLES = examples(20)
FORMS = (None, "sparse", "bitmap")


@st.composite
def keys(draw, size, unique=False, single=True):
    """Draw a key of a dimension."""
    kinds = ["slice", "list", "array"] + ["one"] * (single and size > 0)
    kind = draw(st.sampled_from(kinds))
    if kind == "one":
        return draw(st.integers(-size, size - 1))
    if kind == "slice":
        ends = st.none() | st.integers(-size, size)
        step = draw(st.sampled_from([None, 1, 2, -1, -3]))
        return slice(draw(ends), draw(ends), step)
    if not size:
        return np.array([], np.int64)
    low = 0 if unique else -size
    found = draw(st.lists(st.integers(low, size - 1), unique=unique, min_size=1, max_size=size))
    if kind == "list":
        return found
    return np.array(found, draw(st.sampled_from([np.int32, np.int64])))


def region_shape(where, shape):
    """The shape of x[where]."""
    found = [np.arange(size)[key] for key, size in zip(where, shape, strict=True)]
    return tuple(part.size for part in found if part.ndim)


def key_of(where):
    """The keys as they stand between brackets."""
    return where[0] if len(where) == 1 else where


@st.composite
def regions(draw, unique=False, single=True, ndim=None):
    """Draw a pair of objects and keys of them."""
    ndim = ndim or draw(st.integers(1, 2))
    shape = draw(shapes())[:ndim]
    x = draw(objects(shape))
    form = draw(st.sampled_from(FORMS))
    if form is not None:
        x[0].store(form)
    return x, tuple(draw(keys(size, unique, single)) for size in shape)


@given(st.data())
@EXAMPLES
def test_extract(data):
    (ours, theirs), where = data.draw(regions())
    key = key_of(where)
    got, want = ours[key].new(), theirs[key].new()
    if want.ndim == 0:
        assert got.value == want.value
        return
    same(got, want)
    m = data.draw(objects(want.shape))
    kind, accum = data.draw(st.sampled_from(MASKS)), data.draw(st.sampled_from(ACCUMS))
    c = data.draw(objects(want.shape, want.dtype.name))
    options = [{"mask": masked(kind, x), "accum": accum_of(accum)} for x in m]
    replace = data.draw(st.booleans()) and kind != "none"
    c[0](**options[0], replace=replace) << ours[key]
    c[1](**options[1], replace=replace) << theirs[key]
    same(*c)


def accum_of(name):
    """The operator of a name, or none."""
    return None if name is None else getattr(gb.binary, name)


@st.composite
def values(draw, shape, dtype):
    """Draw what may be assigned to a region."""
    if not shape or draw(st.booleans()):
        value = draw(st.sampled_from([True, 2, 2.5, -1, np.float32(2.5), np.int8(3)]))
        return value, value
    return draw(objects(shape, draw(st.sampled_from((dtype, *DTYPES)))))


@pytest.mark.thorough
@given(st.data())
@EXAMPLES
def test_subassign(data):
    (ours, theirs), where = data.draw(regions(unique=True))
    shape, key = region_shape(where, ours.shape), key_of(where)
    value = data.draw(values(shape, ours.dtype.name))
    accum = accum_of(data.draw(st.sampled_from(ACCUMS)))
    if not shape:
        ours[key](accum=accum) << value[0]
        theirs[key](accum=accum) << value[1]
        same(ours, theirs)
        return
    kind, m = data.draw(st.sampled_from(MASKS)), data.draw(objects(shape))
    replace = data.draw(st.booleans()) and kind != "none"
    for x, mask, v in zip((ours, theirs), m, value, strict=True):
        x[key](mask=masked(kind, mask), accum=accum, replace=replace) << v
    same(ours, theirs)


@given(st.data())
@EXAMPLES
def test_assign(data):
    (ours, theirs), where = data.draw(regions(unique=True))
    shape, key = region_shape(where, ours.shape), key_of(where)
    value = data.draw(values(shape, ours.dtype.name))
    accum = accum_of(data.draw(st.sampled_from(ACCUMS)))
    kind, m = data.draw(st.sampled_from(MASKS)), data.draw(objects(ours.shape))
    replace = data.draw(st.booleans()) and kind != "none"
    for x, mask, v in zip((ours, theirs), m, value, strict=True):
        x(mask=masked(kind, mask), accum=accum, replace=replace)[key] << v
    same(ours, theirs)


@pytest.mark.thorough
@given(st.data())
@EXAMPLES
def test_assign_to_a_line_with_a_mask_of_its_shape(data):
    (ours, theirs), (i, j) = data.draw(regions(unique=True, single=False, ndim=2))
    n, m = ours.shape
    by_row = data.draw(st.booleans())
    if not (n if by_row else m):
        return
    one = data.draw(st.integers(0, (n if by_row else m) - 1))
    key = (one, j) if by_row else (i, one)
    value = data.draw(values(region_shape(key, ours.shape), ours.dtype.name))
    kind, mask = data.draw(st.sampled_from(MASKS[1:])), data.draw(objects((m if by_row else n,)))
    replace, accum = data.draw(st.booleans()), accum_of(data.draw(st.sampled_from(ACCUMS)))
    for x, k, v in zip((ours, theirs), mask, value, strict=True):
        x(mask=masked(kind, k), accum=accum, replace=replace)[key] << v
    same(ours, theirs)


@given(st.data())
@EXAMPLES
def test_elements(data):
    (ours, theirs), where = data.draw(regions())
    where = tuple(key for key in where if isinstance(key, int))
    if len(where) < ours.ndim:
        return
    key = key_of(where)
    assert ours.get(*where, "none") == theirs.get(*where, "none")
    assert (key in ours) == (key in theirs)
    for x in (ours, theirs):
        x[key] = 3.7
    same(ours, theirs)
    for x in (ours, theirs):
        del x[key]
    same(ours, theirs)
    assert ours[key].new().value is None


@given(st.data())
@EXAMPLES
def test_delete(data):
    (ours, theirs), where = data.draw(regions())
    del ours[key_of(where)]
    empty = theirs.dup(clear=True)
    shape = region_shape(where, ours.shape)
    if shape:
        theirs[key_of(where)] << (gb.Vector, gb.Matrix)[len(shape) - 1](empty.dtype, *shape)
    else:
        del theirs[key_of(where)]
    same(ours, theirs)


def test_operands_that_are_the_output():
    for form in FORMS:
        ours, theirs = pair((5,), [(0,), (2,), (3,)], [1, 2, 3], "INT64")
        ours.store(form)
        for x in (ours, theirs):
            x(gb.binary.min) << x[[4, 3, 2, 1, 0]]
            x[[1, 2, 3, 4, 0]] << x.dup()
        same(ours, theirs)
        for x in (ours, theirs):
            x(x.S, replace=True)[1:3] << 7
            x[::-1] << x[:]
        same(ours, theirs)
    ours[[1, 2, 3, 4, 0]] << ours
    theirs[[1, 2, 3, 4, 0]] << theirs.dup()
    same(ours, theirs)


def test_what_may_be_assigned():
    ours, theirs = pair((3, 3), [(0, 1), (2, 0)], [1, 2], "INT64")
    for x in (ours, theirs):
        x[[2, 1, 0], :] << x.T
        x[:, 0] << [7, 8, 9]
        x[1:, 1:] << np.array([[1, 2], [3, 4]])
        x[0, :2] << x[1, 1:]
        x[0, 0] << x[2, 2].new()
        x[:, 2] << x.apply(gb.unary.ainv).new()[0, :].new().apply(gb.unary.abs)
    same(ours, theirs)
    ours[0, 0] << np.array(5)  # as the device's own sums are
    ours[0, 1] << ours[0, 0].new()
    assert ours[0, 1].new().value == 5


def test_duplicates_take_one_of_the_values():
    v = Vector.from_dense(np.zeros(4))
    v[[1, 1, 2]] << np.array([5.0, 6.0, 7.0])
    assert v[1].new().value in (5, 6)
    assert v[2].new().value == 7
    A = Matrix.from_coo([0, 1], [0, 1], [1.0, 2.0], nrows=3, ncols=3)
    A[[2, 2], [0, 0]] << np.array([[3.0, 4.0], [5.0, 6.0]])
    assert A.nvals == 3
    assert A[2, 0].new().value in (3, 4, 5, 6)


@pytest.mark.thorough
def test_compiles_as_cuda(monkeypatch):
    if not isinstance(device.active, Simulator):
        pytest.skip("a device compiles what it runs")
    for cached in (assign_extract._assign_kernel, reduce._fold_kernel, kronecker._kernel):
        cached.cache_clear()
    sources, compiled = set(), device.active.compile

    def compile(source, name, cooperative):
        sources.add((source, name))
        return compiled(source, name, cooperative)

    monkeypatch.setattr(device.active, "compile", compile)
    A = Matrix.from_coo([0, 1, 2], [1, 2, 0], [1.5, 2.5, 3.5], nrows=3, ncols=3)
    v = Vector.from_coo([0, 2], [1, 2], size=3)
    A[[0, 1], [2, 0]](gb.binary.plus) << A[[1, 0], [2, 2]]
    A.T.new()[:, 0] << A[[0, 1, 2], 1]
    A(A.V, replace=True)[0, :] << 1
    v[[0, 2]](~v[:2].new().V) << v[1:].new()
    B = Matrix.from_coo([0, 1, 2], [1, 2, 0], 1, nrows=3, ncols=3)
    assert (B[0, :].new().nvals, B[:, 1].new().nvals, B.diag().nvals) == (1, 1, 0)
    assert A.reduce_rowwise().new().nvals + A.reduce_columnwise("min").new().nvals > 0
    A.store("bitmap")
    assert A.reduce_rowwise().new().nvals + A.reduce_columnwise("min").new().nvals > 0
    assert A.kronecker(A).new().shape == (9, 9)
    names = {
        "extract",
        "assign",
        "csr_lookup",
        "extract_rows",
        "extract_columns",
        "normalize_indices",
    }
    assert names | {"kronecker", "reduce_rows", "reduce_columns"} <= {name for _, name in sources}
    for source in {source for source, _ in sources}:
        nvrtc.compile(source)


def test_values_along_a_full_vector_take_two_kernels():
    v = Vector.from_dense(np.array([2, 0, 1, -1]))
    keys, out = v.to_coo(indices=False)[1], []
    assert launches(lambda: out.append(v[keys].new())) == ["normalize_indices", "extract"]
    assert host(out[0]) == {0: 1, 1: 2, 2: 0, 3: -1}
    keys[2] = 4
    with pytest.raises(InvalidIndex, match="index 4 is out of range of a dimension of 4"):
        v[keys].new()
