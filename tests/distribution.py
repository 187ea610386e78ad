"""How the tests are distributed over parallel processes.

In `make test`, tests of one file run in one process, in their order. So do all tests of the
STAR-machine, and all of the native CPU kernels, which come first: each process that calls a kernel
compiles it anew. NetworkX's own tests call the native kernels in a process of their own, so they
end that group. The examples come next: in `make rest` single ones take a minute, in which no other
process should be without work.
"""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

NATIVE_KERNELS = ("tests/native/cpu/", "graphla/native/", "tests/transform/")
CALLS_THEM = ("tests/interop/networkx/test_own_tests.py",)
LONG = "tests/test_examples.py"
STAR_MACHINE = ("tests/star/", "tests/comparison/peers/test_star_machine.py")


def group_of(nodeid):
    """Return the name of the tests that run in the same process as this one."""
    native_on_cpu = "test_native_kernels_agree" in nodeid and "-cpu]" in nodeid
    if nodeid.startswith((*NATIVE_KERNELS, *CALLS_THEM)) or native_on_cpu:
        return "native CPU kernels"
    if nodeid.startswith(STAR_MACHINE):
        return "STAR-machine"
    return nodeid.partition("::")[0]


def order(items):
    """Sort the groups: those that take longest come first."""
    groups = dict.fromkeys(["native CPU kernels", LONG, *(group_of(item.nodeid) for item in items)])
    rank = {group: k for k, group in enumerate(groups)}
    items.sort(key=lambda x: (rank[group_of(x.nodeid)], x.nodeid.startswith(CALLS_THEM)))


class ByGroup(LoadScopeScheduling):
    """Give each process the next group as soon as it is ready."""

    def _split_scope(self, nodeid):
        return group_of(nodeid)
