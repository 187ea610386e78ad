"""Smoke test of an installed package: PYTHON -I tests/installed.py, from a fresh environment.

It runs the files of the installation, not those of the checkout (`-I` keeps the current folder
out of the path), loads every public name and package file, runs one algorithm by algebra and one
by a native kernel, writes and reads a file, calls the command, and prints what the installed
packages weigh. It needs nothing but the package's own dependencies.
"""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import graphla as gl

FILES = ("data/les_miserables.wel", "py.typed", "cuda/kernels")  # beside the modules


def check_names():
    """Load every public name, and find the files that are not modules."""
    for name in gl.__all__:
        getattr(gl, name)
    package = Path(gl.__file__).parent
    missing = [name for name in FILES if not (package / name).exists()]
    assert not missing, f"the package lacks {missing}"
    assert list((package / "cuda" / "kernels").rglob("*.cu")), "the package has no CUDA kernel"


def check_algorithms():
    """Run one algorithm by algebra, one by a native kernel, and a round trip through a file."""
    G = gl.read(Path(gl.__file__).parent / "data" / "les_miserables.wel", kind="undirected")
    r = gl.bfs(G, 0)
    gl.verify.bfs(G, 0, r.level, r.parent)
    assert gl.native.triangle_count(G) == gl.triangle_count(G) > 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "copy.mtx"
        gl.write(path, G)
        assert gl.read(path).A.isequal(G.A)


def check_command():
    """Call the `graphla` command of this environment."""
    command = Path(sysconfig.get_path("scripts")) / "graphla"
    file = Path(gl.__file__).parent / "data" / "les_miserables.wel"
    out = subprocess.run([command, "info", file], capture_output=True, text=True, check=True).stdout
    assert "254" in out, out  # its edges


def weight():
    """Return {package: MB of its files} of everything installed here, the largest first."""
    found = {}
    for package in importlib.metadata.distributions():
        paths = (Path(package.locate_file(file)) for file in package.files or ())
        size = sum(path.stat().st_size for path in paths if path.is_file())
        found[package.metadata["Name"]] = size / 1e6
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def main():
    """Run all checks."""
    check_names()
    check_algorithms()
    check_command()
    sizes = weight()
    print(
        f"graphla {gl.__version__} in {Path(gl.__file__).parent} works on {sys.version.split()[0]}"
    )
    largest = ", ".join(f"{name} {size:.0f}" for name, size in list(sizes.items())[:6])
    print(f"{len(sizes)} packages, {sum(sizes.values()):.0f} MB: {largest}")


if __name__ == "__main__":
    main()
