"""python-graphblas's own tests of its objects, run on the objects of graphla.cuda.

Each module of tests is executed from the installed package, as a copy whose global names are then
replaced: Vector, Matrix and Scalar by those of graphla.cuda, ``gb`` by a namespace with them,
``pytest.raises`` by one that knows graphla's exceptions (:data:`ERRORS`) and no messages. The tests
themselves are python-graphblas's.
"""

from __future__ import annotations

import importlib.util
import json
import math
import warnings
from functools import partial
from pathlib import Path
from types import FunctionType, SimpleNamespace

import graphblas as gb
import numpy as np
import pytest
from graphblas import exceptions

from graphla import cuda, errors
from graphla.cuda.expressions.statement import Mask, Update
from graphla.cuda.runtime.device import device

MODULES = ("vector", "matrix", "scalar", "infix", "op", "mask", "resolving")
TABLE = Path(__file__).with_suffix(".json")
ERRORS = {  # python-graphblas's or Python's exception: what graphla raises
    exceptions.DimensionMismatch: errors.DimensionMismatch,
    exceptions.DomainMismatch: errors.DomainMismatch,
    exceptions.EmptyObject: errors.EmptyObject,
    exceptions.IndexOutOfBound: errors.InvalidIndex,
    exceptions.InvalidIndex: errors.InvalidIndex,
    exceptions.InvalidObject: (errors.InvalidValue, errors.InvalidIndex),
    exceptions.InvalidValue: errors.InvalidValue,
    exceptions.NotImplementedException: (errors.NotSupported, errors.DomainMismatch),
    exceptions.OutputNotEmpty: errors.OutputNotEmpty,
    KeyError: (KeyError, errors.DomainMismatch),  # an operator that has no such dtype
    OverflowError: (OverflowError, errors.InvalidValue),
}


def raises(expected, *, match=None):
    """Return pytest's context for graphla's exceptions of the same names."""
    classes = expected if isinstance(expected, tuple) else (expected,)
    known = []
    for cls in classes:
        found = ERRORS.get(cls, cls)
        known += found if isinstance(found, tuple) else (found,)
    return pytest.raises(tuple(dict.fromkeys((*classes, *known))))


class Namespace:
    """A module with some of its names replaced."""

    def __init__(self, module, **names):
        self.__dict__.update(names)
        self.module = module

    def __getattr__(self, name):
        return getattr(self.module, name)


def mask_of(kind, x):
    """Return the mask of an object by the name of its class in python-graphblas."""
    mask = x.S if kind.endswith("Structural") else x.V
    return ~mask if kind.startswith("Complemented") else mask


def assert_array_equal(x, y, equal=np.testing.assert_array_equal):
    equal(*(device.to_host(z) if device.is_array(z) else z for z in (x, y)))


def replacements():
    """Return what the global names of a module of tests are replaced by."""
    objects = {name: getattr(cuda, name) for name in ("Matrix", "Scalar", "Vector")}
    kinds = ("Structural", "ComplementedStructural", "Value", "ComplementedValue")
    masks = {f"{kind}Mask": partial(mask_of, kind) for kind in kinds}
    core = Namespace(gb.core, mask=SimpleNamespace(**masks))
    return objects | {
        "assert_array_equal": assert_array_equal,
        "gb": Namespace(gb, **objects, core=core, ss=cuda.ss),
        "Mask": Mask,
        "pytest": Namespace(pytest, raises=raises),
        "Updater": Update,
    }


def load(name):
    """Return a module of python-graphblas's tests with the objects of the device."""
    spec = importlib.util.find_spec(f"graphblas.tests.test_{name}")
    module = importlib.util.module_from_spec(spec)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # marks that this run of pytest does not know
        spec.loader.exec_module(module)
    vars(module).update({k: v for k, v in replacements().items() if hasattr(module, k)})
    return module


def tests(name):
    """Return the tests of a module by name."""
    found = vars(load(name)).items()
    return {k: x for k, x in found if isinstance(x, FunctionType) and k.startswith("test_")}


def items(test):
    """Return the number of items that pytest makes of a test: one for each set of parameters."""
    marks = [m for m in getattr(test, "pytestmark", ()) if m.name == "parametrize"]
    return math.prod(len(m.args[1]) for m in marks)


def left_out(name):
    """Return the tests of a module that do not apply to the device, each with the reason."""
    return json.loads(TABLE.read_text())["not_applicable"][name]


def suite(name, quick=()):
    """Return the tests and fixtures of a module as a class that pytest collects.

    Tests that do not apply are left out; all but those of `quick` are marked thorough.
    """
    members = {}
    for key, x in vars(load(name)).items():
        if isinstance(x, FunctionType) and key.startswith("test_") and key not in left_out(name):
            x.pytestmark = [m for m in getattr(x, "pytestmark", ()) if m.name != "slow"]
            x = x if key in quick else pytest.mark.thorough(x)
            members[key] = staticmethod(x)
        elif type(x).__name__ == "FixtureFunctionDefinition":
            members[key] = pytest.fixture(staticmethod(x.__wrapped__), name=key)
    return type(f"Test{name.capitalize()}", (), members)
