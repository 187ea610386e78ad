"""The rules of the layout, as tests."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import graphla

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "graphla"
SOURCES = sorted(PACKAGE.rglob("*.py"))
ALGORITHMS = sorted(p for p in (PACKAGE / "algorithms").rglob("*.py") if p.stem != "__init__")
BENCHMARKS = sorted((ROOT / "benchmarks").rglob("*.py"))
KERNEL_FILES = sorted((*PACKAGE.rglob("*.cu"), *PACKAGE.rglob("*.cuh")))
ENGINES_AND_ARRAYS = {"numpy", "scipy", "cupy", "cupyx", "numba", "pandas"}
CONSTRUCTORS = {"Matrix", "Vector", "Scalar"}
CACHE = "__pycache__"
IMPORTS_BY_NAME = {
    "graphla/__init__.py",
    "graphla/comparison/candidate.py",  # a user's module
    "graphla/comparison/implementations.py",
    "graphla/core/engines.py",
    "graphla/core/results.py",  # frames
    "graphla/core/threads.py",  # optional libraries
    "graphla/interop/__init__.py",
    "graphla/interop/networkx/dispatch.py",
    "graphla/io/__init__.py",
    "graphla/io/files.py",
    "graphla/native/cuda/__init__.py",
    "graphla/native/dispatch.py",
    "graphla/ranks/blocks/engine.py",
    "graphla/ranks/communicators/nccl_communicator.py",  # an optional library
    "graphla/ranks/handle.py",  # an algorithm by its name
    "graphla/star/bits.py",  # an engine of the STAR-machine
}
TEST_FILES = {str(p.relative_to(ROOT / "tests")) for p in (ROOT / "tests").rglob("test_*.py")}
TESTED_WITH = {  # modules without a test file of their own: where their tests are, and why
    "cli/__main__.py": ("cli/app.py", "calls main"),
    "comparison/implementation.py": ("comparison/implementations.py", "a record"),
    "comparison/report/picture.py": ("comparison/report/chart.py", "its figure in a notebook"),
    "cuda/costs.py": ("cuda/fused/traversal.py", "constants"),
    "cuda/expressions/lazy.py": ("cuda/expressions/python_protocols.py", "expressions as values"),
    "cuda/operations/spgemm/dot.py": ("cuda/operations/spgemm/masked.py", "the same cases"),
    "cuda/operations/spmv/sliced_ell.py": ("cuda/storage/sliced_ell.py", "its only user"),
    "cuda/operators/codegen.py": ("cuda/operators/tables.py", "the text of each operator"),
    "cuda/operators/elementwise_formula.py": ("cuda/operations/ewise_csr.py", "its operators"),
    "graph500/device_draw.py": (
        "cuda/callers/test_graph500.py",
        "needs a device, or its simulator",
    ),
    "graph500/device_edges.py": (
        "cuda/callers/test_graph500.py",
        "needs a device, or its simulator",
    ),
    "interop/cupy.py": ("cuda/callers/test_cupy_sparse.py", "needs a device or simulator"),
    "interop/networkx/expected_failures.py": ("interop/networkx/test_own_tests.py", "a table"),
    "interop/networkx/paths/single_source.py": (
        "interop/networkx/paths/dijkstra.py",
        "what Dijkstra's functions share with those of Bellman and Ford",
    ),
    "interop/networkx/version.py": ("interop/networkx/test_own_tests.py", "a constant"),
    "native/cpu/brandes/path_counts.py": (
        "native/cpu/betweenness_centrality.py",
        "its first half",
    ),
    "native/cpu/brandes/single_source.py": (
        "native/cpu/betweenness_centrality.py",
        "one of its two forms",
    ),
    "native/cpu/closure/relation.py": (
        "native/cpu/closure/transitive_closure.py",
        "the form of its result",
    ),
    "native/cpu/closure/transitive_closure_warshall.py": (
        "native/cpu/closure/transitive_closure.py",
        "same cases",
    ),
    "native/cpu/subgraphs/packed_rows.py": (
        "native/cpu/subgraphs/triangle_count.py",
        "the lists that it intersects",
    ),
    "native/cuda/papers/boruvka_variants.py": ("native/cuda/papers/boruvka.py", "its variants"),
    "native/cuda/renumbered/by_rank.py": ("native/cuda/minimum_spanning_forest.py", "its weights"),
    "native/cuda/transitive_closure_warshall.py": (
        "native/cuda/transitive_closure.py",
        "the same cases",
    ),
    "native/vectors.py": ("native/cpu/bfs.py", "takes over the arrays of a result"),
    "ranks/blocks/cpu.py": ("ranks/test_every_update.py", "blocks of python-graphblas"),
    "ranks/blocks/engine.py": ("ranks/blocks/test_cuda.py", "an interface, and which there are"),
    "ranks/communicators/local_communicator.py": (
        "ranks/processes/test_launcher.py",
        "the ranks of its tests",
    ),
    "ranks/handle.py": ("ranks/processes/test_launcher.py", "what its processes return"),
    "ranks/processes/messages.py": ("ranks/processes/test_launcher.py", "records"),
    "ranks/processes/worker.py": ("ranks/processes/test_launcher.py", "its processes"),
    "ranks/collection.py": ("ranks/test_every_update.py", "operations on blocks"),
    "ranks/collectives/exchange.py": (
        "ranks/test_every_update.py",
        "products and extraction",
    ),
    "ranks/collectives/gather.py": ("ranks/test_every_update.py", "products and results"),
    "ranks/files/construction.py": ("ranks/files/__init__.py", "the graph that is read"),
    "ranks/files/edge_file.py": ("ranks/files/__init__.py", "an interface"),
    "ranks/files/parquet.py": ("ranks/files/__init__.py", "one format of folders"),
    "ranks/files/text.py": ("ranks/files/__init__.py", "one format of folders"),
    "ranks/layout.py": ("ranks/distribution.py", "which rank has what"),
    "ranks/matrix.py": ("ranks/test_every_update.py", "its operations"),
    "ranks/collectives/memory.py": ("ranks/distribution.py", "a number that the ranks agree on"),
    "ranks/blocks/operators.py": ("ranks/test_every_update.py", "operators with positions"),
    "ranks/products.py": ("ranks/test_every_update.py", "its operations"),
    "ranks/regions.py": ("ranks/test_every_update.py", "extraction and assignment"),
    "ranks/statements.py": ("ranks/test_every_update.py", "masks, accumulators and replace"),
    "ranks/vector.py": ("ranks/test_every_update.py", "its operations"),
    "star/cpu_loops.py": ("star/procedures.py", "loops of single procedures"),
    "transform/interleaved.py": ("transform/test_decoding.py", "one of all storage forms"),
    "transform/cuda.py": ("cuda/callers/test_transform.py", "needs a device or simulator"),
    "verify/assertions.py": ("verify/__init__.py", "assertions of single checks"),
}
MEASURED_INSIDE = {  # what a benchmark runs in other processes, while it guards the machine
    "benchmarks/rank_calls.py": "benchmarks/devices.py"
}
CROSS_MODULE = {  # test files without a module of their name: what they are about
    "benchmarks/test_mutations.py": "the faults of benchmarks/mutations.py",
    "comparison/test_cuda.py": "comparisons of both engines",
    "cuda/callers/test_algorithms.py": "every algorithm on engine cuda",
    "cuda/callers/test_comparison.py": "comparisons of native kernels and variants",
    "cuda/callers/test_connected_components.py": "the kernels of components, by each strategy",
    "cuda/callers/test_cupy_sparse.py": "graphs as sparse matrices of CuPy",
    "cuda/callers/test_edge_index.py": "graphs of PyTorch Geometric on a device",
    "cuda/callers/test_graph.py": "a Graph on engine cuda",
    "cuda/callers/test_graph500.py": "the benchmark on engine cuda",
    "cuda/callers/test_graphs.py": "graphs on engine cuda where host memory is needed",
    "cuda/callers/test_index_dtype.py": "the dtype of vertices in all results",
    "cuda/callers/test_networkx.py": "the NetworkX backend on engine cuda",
    "cuda/callers/test_notebook.py": "the notebook for a GPU",
    "cuda/callers/test_readme.py": "the README's example of both engines",
    "cuda/callers/test_transform.py": "transforms on engine cuda",
    "cuda/callers/test_verify.py": "verification on engine cuda",
    "cuda/engine/test_engine_mismatch.py": "objects of both engines in one expression",
    "cuda/engine/test_failed_allocations.py": "memory that ends at each allocation of a call",
    "cuda/engine/test_kernels_compile.py": "every kernel as CUDA, by NVRTC",
    "cuda/engine/test_large_matrices.py": "more than 2^31 entries",
    "cuda/engine/test_memory_of_searches.py": "device memory of deep searches",
    "cuda/engine/test_python_graphblas_suite.py": "python-graphblas's own tests of its objects",
    "cuda/engine/test_refused_arguments.py": "bad arguments of every method",
    "cuda/engine/test_threads.py": "several threads, streams and devices",
    "cuda/engine/test_transfers.py": "no implicit transfers to the host",
    "cuda/engine/test_unsigned_indices.py": "indices of more than 2^31 columns",
    "cuda/test_every_update.py": "every operation with every mask, accumulator and replace",
    "golden/test_golden.py": "the golden files",
    "interop/networkx/test_own_tests.py": "NetworkX's own tests with its calls sent to graphla",
    "interop/test_frames.py": "the same tests for pandas, Polars and Arrow",
    "io/test_fuzz.py": "broken files of every format",
    "io/test_round_trip.py": "writing and reading back every format",
    "native/cpu/test_several_threads.py": "the native CPU kernels in two threads",
    "verify/test_communities.py": "checks of colourings and communities",
    "verify/test_distributed.py": "checks of results on ranks",
    "ranks/blocks/test_transfers.py": "no implicit copy between device and host, on ranks",
    "ranks/blocks/test_unsigned_columns.py": "columns of more than 2^31 vertices, few on a rank",
    "ranks/processes/dask/test_mpi.py": "a cluster of Dask in a job of MPI",
    "ranks/test_every_algorithm.py": "every algorithm on distributed graphs",
    "ranks/test_every_update.py": "every operation on distributed objects",
    "ranks/test_refusals.py": "what distributed objects do not do",
    "ranks/test_tracing.py": "what the ranks send",
    "test_data_path.py": "the files that a search passes",
    "test_docs.py": "the pages of the documentation",
    "test_examples.py": "the examples and the README",
    "test_igraph.py": "algorithms against igraph",
    "test_index_dtype.py": "the dtype of vertices in all results",
    "test_layout.py": "the rules of the layout",
    "test_release.py": "the files of a release",
    "test_every_algorithm.py": "every algorithm on a tiny graph on every engine",
    "test_tiny.py": "one small graph through each layer",
}


def imports(path):
    """Yield (module, name) for every import of a file."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, None
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield node.module or "", alias.name


def defined(path):
    """Return the names that a file's own top level defines."""
    found = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
    return found


def relative(path):
    return str(path.relative_to(ROOT))


def test_these_rules_see_the_files():
    """A rule for files that no longer exist would pass silently."""
    assert len(ALGORITHMS) >= 52
    assert len(KERNEL_FILES) >= 140
    assert len(SOURCES) >= 250
    assert len(BENCHMARKS) >= 10


def test_kernel_files_have_names_of_their_own():
    """Kernels and headers are looked up by the last part of their path."""
    paths = {}
    for path in KERNEL_FILES:
        paths.setdefault(path.name, []).append(relative(path))
    assert {name: found for name, found in paths.items() if len(found) > 1} == {}


def test_headers_that_kernels_include_exist():
    names = {path.name for path in KERNEL_FILES}
    for path in KERNEL_FILES:
        assert set(re.findall(r'^#include "(.+)"', path.read_text(), re.MULTILINE)) <= names


def test_folders_are_small():
    """A folder has at most 15 entries beside __init__.py; the root and the algorithms 24."""
    for folder in (PACKAGE, *(p for p in PACKAGE.rglob("*") if p.is_dir() and p.name != CACHE)):
        entries = [p for p in folder.iterdir() if p.name not in ("__init__.py", CACHE)]
        assert len(entries) <= (24 if folder in (PACKAGE, PACKAGE / "algorithms") else 15), folder


def test_modules_imported_by_name_are_in_dispatch_tables():
    """Imports by a string hide from the contracts on layers, so each file with one is listed."""
    found = {relative(p) for p in SOURCES if re.search(r"\bimport_module\(", p.read_text())}
    assert found == IMPORTS_BY_NAME


@pytest.mark.parametrize("path", ALGORITHMS, ids=relative)
def test_algorithm_names_no_engine_and_no_array_library(path):
    for module, name in imports(path):
        assert module.split(".")[0] not in ENGINES_AND_ARRAYS, module
        assert not f"{module}.{name}".startswith(("graphla.cuda", "graphla.native")), module
        assert not (module == "graphblas" and name in CONSTRUCTORS), "make it through the graph"
    assert not re.search(r"\.ss\b(?!\.(any|min|max|first|second|plus|times))", path.read_text())


@pytest.mark.parametrize("path", BENCHMARKS, ids=relative)
def test_benchmarks_have_what_they_take_from_each_other(path):
    for module, name in imports(path):
        other = path.with_name(f"{module}.py")
        if name is not None and other.exists():
            assert name in defined(other), f"{module} has no {name}"


@pytest.mark.parametrize("path", BENCHMARKS, ids=relative)
def test_benchmarks_measure_on_a_quiet_machine(path):
    text = path.read_text()
    if caller := MEASURED_INSIDE.get(relative(path)):
        text = (ROOT / caller).read_text()
    if re.search(r"\b(quietly_timed|perf_counter|race|gl\.compare)\(", text):
        assert "max_wait" in text
        assert re.search(r"\b(guarded|race|gl\.compare)\(", text), "measure inside guarded()"


def named_for(module):
    """Return the test files of a module, both given below graphla/ and tests/.

    Those of a package's `__init__` are named by the package, or by a function that it defines.
    """
    path = Path(module)
    names = {path.stem}
    if path.stem == "__init__":
        names = {path.parent.name} | defined(PACKAGE / path)
    return {str(path.with_name(f"test_{name}.py")) for name in names} & TEST_FILES


def helper_of(test_file):
    """Return where a helper of tests, which has tests of its own, is: tests/a/b.py."""
    path = Path(test_file)
    return path.with_name(path.name.removeprefix("test_"))


def test_each_module_has_its_tests_beside_it():
    """The tests of graphla/a/b.py are tests/a/test_b.py, or a line of TESTED_WITH says where."""
    modules = {str(p.relative_to(PACKAGE)) for p in SOURCES}
    plain = {module for module in modules if Path(module).stem != "__init__"}
    missing = {module for module in plain if not named_for(module)}
    assert missing == TESTED_WITH.keys()
    for module, (other, reason) in TESTED_WITH.items():
        assert reason
        assert other in TEST_FILES or named_for(other), f"{module}: {other} has no tests"


def test_each_test_file_has_its_module():
    """A test file is that of a module or helper, or a line of CROSS_MODULE says of what."""
    of_modules = set().union(*(named_for(str(p.relative_to(PACKAGE))) for p in SOURCES))
    of_helpers = {name for name in TEST_FILES if (ROOT / "tests" / helper_of(name)).exists()}
    assert TEST_FILES - of_modules - of_helpers == CROSS_MODULE.keys()
    assert all(CROSS_MODULE.values())


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_no_cuda_text_in_python(path):
    assert "__global__" not in path.read_text()


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_native_and_algebraic_do_not_import_each_other(path):
    part = path.relative_to(PACKAGE).parts[0]
    banned = {"algorithms": "graphla.native", "native": "graphla.algorithms"}.get(part)
    if banned:
        assert not any(f"{module}.{name}".startswith(banned) for module, name in imports(path))


def test_every_export_exists_and_hides_no_submodule():
    for name in graphla._EXPORTS:
        assert getattr(graphla, name) is not None
        assert not (PACKAGE / f"{name}.py").exists()
        assert not (PACKAGE / name).is_dir()
    with pytest.raises(AttributeError):
        graphla.no_such_name
    assert set(graphla.__all__) <= set(dir(graphla))


def test_import_alone_loads_no_engine_or_array_library():
    code = (
        "import sys, graphla; "
        "libraries = 'numba', 'cupy', 'pandas', 'scipy', 'numpy', 'dask'; "
        "print([m for m in libraries if m in sys.modules])"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert out.stdout.strip() == "[]"


def test_a_first_search_loads_no_library_that_it_does_not_need():
    unneeded = (
        *("scipy.sparse", "numpy.ma", "networkx", "pandas", "matplotlib", "rich", "typer", "tqdm"),
        "distributed",
        *("graphla.numba_support", "graphla.comparison", "graphla.io", "graphla.cuda"),
    )
    code = (
        "import sys, graphla as gl; gl.bfs(gl.Graph.from_edges([0, 1], [1, 2]), 0); "
        f"print([m for m in {unneeded} if m in sys.modules])"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert out.stdout.strip() == "[]"


def test_the_script_for_a_device_names_what_is_there():
    """Its parts are functions, and the files, sections, graphs and options that it names exist."""
    from tests.cuda import sanitized

    text = (ROOT / "benchmarks" / "device.sh").read_text()
    subprocess.run(["bash", "-n", str(ROOT / "benchmarks" / "device.sh")], check=True)
    parts = re.search(r"device.sh OUT (.*)", text)[1].split()
    assert all(re.search(rf"^{part}\(\) {{", text, re.MULTILINE) for part in parts)
    assert all((ROOT / path).exists() for path in re.findall(r"(?:benchmarks|tests)/[\w/.]+", text))
    graphs = tomllib.loads((ROOT / "benchmarks" / "suite.toml").read_text())["graphs"]
    named = {name for found in re.findall(r"--graphs (\S+)", text) for name in found.split(",")}
    assert named <= set(graphs)
    sections = re.search(r"^sections=\((.*?)\)", text, re.DOTALL | re.MULTILINE)[1].split()
    assert {s.split(":")[0] for s in sections} == {f.__name__ for f in sanitized.SECTIONS}
