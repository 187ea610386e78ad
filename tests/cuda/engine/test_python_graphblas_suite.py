"""python-graphblas's own tests of its objects, on the objects of the device."""

import graphblas as gb
import numpy as np
import pytest

from tests.cuda import python_graphblas_suite as own

QUICK = {
    "test_new",
    "test_dup",
    "test_ewise_mult",
    "test_reduce",
    "test_mxv",
    "test_scalar_operators",
}
globals().update({f"Test{name.capitalize()}": own.suite(name, QUICK) for name in own.MODULES})


@pytest.fixture(autouse=True)
def as_in_its_own_runs(monkeypatch):
    """Expressions are computed automatically only in the tests that ask for it."""
    monkeypatch.setattr(np.testing, "assert_array_equal", own.assert_array_equal)
    with gb.config.set(autocompute=False):
        yield


def test_the_table_names_tests_that_exist():
    for name in own.MODULES:
        assert own.left_out(name).keys() <= vars(own.load(name)).keys()
