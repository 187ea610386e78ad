"""The rules of the mutation check make the faults that they name, and the draw is repeatable."""

from __future__ import annotations

import ast
import json
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.changed import ROOT, kernels_including

sys.path.append(str(ROOT / "benchmarks"))

import mutation_rules
import mutations


def faults(rule, text, name="x.py"):
    """Return the changed texts that a rule makes of a text."""
    rules = mutation_rules.PYTHON if name.endswith(".py") else mutation_rules.CUDA
    made = dict.fromkeys(rules[rule](mutation_rules.Source(name, text)))
    return [text[: change.start] + change.after + text[change.end :] for change in made]


PYTHON = [
    ("mask_kind", "q(~seen.S) << p", ["q(seen.S) << p", "q(~seen.V) << p"]),
    ("mask_kind", "L(L.S) << 0", []),
    ("mask_kind", "L(M.S) << 0", ["L(M.V) << 0"]),
    ("mask_kind", "L(L.S) << 0.5", ["L(L.V) << 0.5"]),
    ("mask_kind", "kind = 1 if mask.structure else 2", ["kind = 1 if (not mask.structure) else 2"]),
    ("accumulator", "d(m.V, binary.min[T]) << r", ["d(m.V) << r"]),
    ("accumulator", "d(binary.plus) << r", ["d() << r"]),
    ("accumulator", "run(C, mask, accum)", ["run(C, mask, None)"]),
    ("accumulator", "total += x[i]\ni += 1", ["total = x[i]\ni += 1"]),
    ("replace", "q(m.V, replace=True) << r", ["q(m.V, replace=False) << r"]),
    ("replace", "plan(C, accum, replace)", ["plan(C, accum, False)"]),
    ("identity", "least = np.full(n, big, T)", ["least = np.full(n, 0, T)"]),
    ("identity", "total = np.zeros(n)", ["total = np.ones(n)"]),
    ("index_bound", "for i in range(a, b): f(i)", ["for i in range(a, b - 1): f(i)"]),
    ("index_bound", "end = indptr[v + 1]", ["end = indptr[v]"]),
    ("index_bound", "if i < n: pass", ["if i <= n: pass"]),
    ("index_bound", "if i >= n: f()\nend = min(i + CHUNK, n)", []),
    ("index_bound", "if i >= m: f()\nend = min(i + 1, n)", ["if i > m: f()\nend = min(i + 1, n)"]),
    ("row_class", "long = size > LONG", ["long = size > (8 * LONG)"]),
    ("row_class", "rows = find(fits & ~short)", ["rows = find(fits & short)"]),
    ("comparison", "if a == b: pass", ["if a != b: pass"]),
    ("dtype", "plus = binary.plus[INT64]", ['plus = binary.plus["INT16"]']),
    ("dtype", "x = np.zeros(n, np.float64)", ["x = np.zeros(n, np.float32)"]),
    ("semiring", "s = semiring.min_plus[T]", ["s = semiring.max_plus[T]"]),
    ("semiring", "s = semiring.plus_pair[T]", ["s = semiring.min_pair[T]"]),
    ("transpose", "C << L.mxm(L.T, s)", ["C << L.mxm(L, s)"]),
    ("transpose", "y << G.AT.mxv(x, s)", ["y << G.A.mxv(x, s)"]),
    ("operand", "s = semiring.ss.any_secondi[T]", ["s = semiring.ss.any_firsti[T]"]),
    ("operand", "run(A, flip)", ["run(A, not flip)"]),
    ("constant", "x = n - 1", ["x = n + 1"]),
]
CUDA = [
    ("mask_kind", "if (MASK <= 2) f();", ["if (MASK > 2) f();"]),
    ("mask_kind", "if (mask_allows(m, b, i)) f();", ["if (!mask_allows(m, b, i)) f();"]),
    ("accumulator", "if (ACCUM && has) f();", ["if (false && has) f();"]),
    ("accumulator", "x = Writer::ACCUM && has;", ["x = false && has;"]),
    ("accumulator", "sum = Add::of(sum, f(x, y));", ["sum = (f(x, y));"]),
    ("accumulator", "for (; p < n; p += 32) sum += x[p];", ["for (; p < n; p += 32) sum = x[p];"]),
    ("replace", "return !REPLACE;", ["return true;"]),
    ("identity", "Z sum = Add::identity();", ["Z sum = (Z)1;"]),
    ("index_bound", "for (i = 0; i < n; i++) f();", ["for (i = 0; i + 1 < n; i++) f();"]),
    ("index_bound", "end = row_offsets[v + 1];", ["end = row_offsets[v];"]),
    ("index_bound", "if (i < n) f();", ["if (i <= n) f();"]),
    ("row_class", "x = n <= LONG;", ["x = n < LONG;", "x = n <= 8 * LONG;"]),
    ("row_class", "while (p - begin < FEW) f();", []),
    ("index_bound", "x = n <= LONG;", []),
    ("index_bound", "x.needs_pull = count > capacity;", []),
    ("row_class", "if (is_short) f();", ["if (!is_short) f();"]),
    ("comparison", "if (a[i] < b) f<c>(d);", ["if (a[i] > b) f<c>(d);"]),
    ("dtype", "i64 sum = 0; sum += x;", ["i16 sum = 0; sum += x;"]),
    ("barrier", "__syncthreads(); f();", ["; f();"]),
    ("warp_combination", "x = warp_sum(f(x, y));", ["x = (f(x, y));"]),
    ("semiring", "atomicMin(&a, b);", ["atomicMax(&a, b);"]),
    ("transpose", "i = TRANSPOSED ? a : b;", ["i = !TRANSPOSED ? a : b;"]),
    ("operand", "p = search.in.begin(v);", ["p = search.out.begin(v);"]),
    ("operand", "p[low] = high;", ["p[high] = high;"]),
    ("operand", "while (low < high) f(); x = p[low] == j;", []),
    ("constant", "w = v >> 5;", ["w = v >> 4;"]),
    ("constant", "last = n - 1;", ["last = n + 1;"]),
]


@pytest.mark.parametrize(("rule", "text", "expected"), PYTHON)
def test_rule_in_python(rule, text, expected):
    assert faults(rule, text) == expected


@pytest.mark.parametrize(("rule", "text", "expected"), CUDA)
def test_rule_in_cuda(rule, text, expected):
    assert faults(rule, text, "x.cu") == expected


def test_every_rule_is_tested():
    assert {rule for rule, *_ in PYTHON} == set(mutation_rules.PYTHON)
    assert {rule for rule, *_ in CUDA} == {*mutation_rules.CUDA}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.cu", "// if (i < n) f();\n/* a == b\n c < d */"),
        ("x.cu", '#define X "a < b"\nprint("a < b");'),
        ("x.cu", "#ifdef SIMULATED\n#else\nif (i < n) __syncthreads();\n#endif\n"),
        ("x.cu", "#ifndef SIMULATED\nif (i < n) __syncthreads();\n#endif\n"),
        ("x.cu", "bool is_short = n <= SHORT;"),
        ("x.py", '"""a < b"""\n# a < b\nx = "a < b"'),
        ("x.py", "if a < b:\n    raise E(f'{a} < {b - 1}')"),
        ("x.py", "serial = edges < SERIAL"),
        ("x.py", "def __repr__(self):\n    return a < b"),
        ("x.py", "def f(x: a < b) -> c < d: pass"),
    ],
)
def test_comments_strings_checks_and_choices_of_speed_are_left_alone(name, text):
    assert list(mutation_rules.changes(mutation_rules.Source(name, text))) == []


def test_what_the_simulator_compiles_may_change():
    text = "#ifdef SIMULATED\nif (i < n) f();\n#else\nif (i < n) g();\n#endif\nif (i < n) h();\n"
    assert [change.split("\n") for change in faults("comparison", text, "x.cu")] == [
        text.replace("if (i < n) f", "if (i > n) f").split("\n"),
        text.replace("if (i < n) h", "if (i > n) h").split("\n"),
    ]


def test_a_changed_place_after_characters_of_several_bytes():
    assert faults("constant", "x = 'é', n - 1") == ["x = 'é', n + 1"]


@pytest.fixture(scope="module")
def drawn():
    return mutations.draw(100, 1)


@pytest.mark.thorough
def test_the_draw_is_of_many_rules_and_all_areas_and_repeatable(drawn):
    assert len({mutant.id for mutant in drawn}) == len(drawn) == 100
    rules, areas = Counter(m.rule for m in drawn), Counter(m.area for m in drawn)
    assert len(rules) >= 8
    assert set(areas) == set(mutations.AREAS)
    assert max(areas.values()) - min(areas.values()) <= 2
    assert mutations.draw(100, 1) == drawn
    assert mutations.draw(100, 2) != drawn


@pytest.mark.thorough
def test_faults_with_rows_are_drawn_again_and_equivalent_ones_left_out(drawn):
    rows = [mutations.described(mutant) for mutant in mutations.draw(9, 2)]
    moved = [row | {"line": row["line"] + 3} for row in rows]
    gone = rows[0] | {"before": "a line that the code has no more"}
    again = mutations.draw(100, 1, [gone, *moved])
    assert [mutations.described(mutant) for mutant in again[:9]] == rows
    assert len(again) == 100
    left_out = [mutations.described(mutant) for mutant in drawn[:5]]
    assert not set(drawn[:5]) & set(mutations.draw(100, 1, left_out, left_out))


def test_rows_of_another_seed_are_not_drawn_again(tmp_path):
    file, row = tmp_path / "rows.jsonl", {"outcome": "killed", "seed": 1, "id": "a"}
    rows = [row, row | {"seed": 2, "id": "b"}, row | {"outcome": "equivalent", "seed": 2}, row]
    assert mutations.recorded(file, 1) == ([], [])
    file.write_text("".join(f"{json.dumps(x)}\n" for x in rows))
    assert mutations.recorded(file, 1) == (rows[:1], rows[2:3])


def test_near_tests_are_those_of_the_folders_of_a_file_and_its_launchers():
    near = mutations.near_tests
    assert {"tests/cuda", "tests/transform"} <= set(near(kernel_file("bit_packed_columns.cu")))
    assert near(kernel_file("table_procedures.cu")) == [
        "tests/star",
        "tests/test_every_algorithm.py",
    ]
    assert "tests/native" in near(Path("graphla/native/cpu/bfs.py"))


def kernel_file(name):
    [path] = ROOT.glob(f"graphla/**/{name}")
    return path.relative_to(ROOT)


@pytest.mark.thorough
def test_drawn_faults_change_one_place_and_python_files_still_compile(drawn):
    for mutant in drawn:
        original = (ROOT / mutant.path).read_text()
        text = mutant.changed(original)
        assert text != original
        assert text.startswith(original[: mutant.start])
        assert text.endswith(original[mutant.end :])
        if mutant.path.suffix == ".py":
            ast.parse(text)


@pytest.mark.thorough
def test_related_tests_begin_with_those_of_the_same_name():
    found = mutations.related_tests(Path("graphla/algorithms/traversal/bfs.py"))
    assert found[:2] == [
        "tests/algorithms/traversal/test_bfs.py",
        "graphla/algorithms/traversal/bfs.py",
    ]
    found = mutations.related_tests(kernel_file("spgemm_hash.cu"))
    assert found[0].startswith("tests/cuda/")
    assert "tests/cuda/operations/spgemm/test_hash.py" in found


def test_a_header_has_the_tests_of_the_kernels_that_paste_it():
    found = kernels_including({"row_set.cuh"})
    assert " ".join(sorted(found)) == "spgemm_dot spgemm_masked"
    assert kernels_including({"hash_table.cuh"}) > found
    assert kernels_including({"bits.cuh"}) > kernels_including({"mask.cuh"})  # which pastes bits


def test_what_is_left_to_run_of_a_fault_with_a_row():
    left, phases = mutations.phases_left, mutations.PHASES
    assert left(None, phases) == phases
    assert left({"outcome": "killed", "phase": "relevant"}, phases) == ()
    assert left({"outcome": "survived", "phase": "relevant"}, phases) == ("near", "all")
    assert left({"outcome": "survived", "phase": "all"}, phases) == ()
    assert left({"outcome": "survived", "phase": "relevant"}, ("relevant",)) == ()


def test_the_table_counts_outcomes_and_lists_survivors():
    row = {"rule": "dtype", "area": "algorithms", "file": "f.py", "line": 3, "id": "0a"}
    row |= {"before": "x", "after": "y", "phase": "all"}
    lines = mutations.table([row | {"outcome": o} for o in ("killed", "killed", "survived")])
    assert "dtype                     2         1      0" in lines
    assert lines.endswith("survived (all): 0a dtype f.py:3\n    - x\n    + y")
