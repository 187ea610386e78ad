"""How the tests are distributed over parallel processes.

Tests of one file run in one process, in their order. So do all tests of the native CPU kernels,
which come first: many of them call the same kernels, and each process would compile these anew.
"""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

NATIVE_KERNELS = ("tests/native/cpu/", "graphla/native/", "tests/transform/")
TAKES_LONG = ("tests/interop/networkx/test_own_tests.py",)  # one test that must not come last


def group_of(nodeid):
    """Return the name of the tests that run in the same process as this one."""
    native_on_cpu = "test_native_kernels_agree" in nodeid and "-cpu]" in nodeid
    if nodeid.startswith(NATIVE_KERNELS) or native_on_cpu:
        return "native CPU kernels"
    return nodeid.partition("::")[0]


def order(items):
    """Sort the groups: what takes longest comes first."""
    first = ["native CPU kernels", *TAKES_LONG]
    groups = dict.fromkeys(first + [group_of(item.nodeid) for item in items])
    rank = {group: k for k, group in enumerate(groups)}
    items.sort(key=lambda item: rank[group_of(item.nodeid)])


class ByGroup(LoadScopeScheduling):
    """Give each process the next group as soon as it is ready."""

    def _split_scope(self, nodeid):
        return group_of(nodeid)
