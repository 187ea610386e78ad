"""A mutation check of the tests: which of 100 faults in the package does no test notice?

    python benchmarks/mutations.py --list
    python benchmarks/mutations.py --workers 4 --phases relevant  # tests of the changed file
    python benchmarks/mutations.py --workers 4 --phases relevant,near  # and of its folder
    python benchmarks/mutations.py --workers 4                    # then all tests
    python benchmarks/mutations.py --only 3f2a91c4 --command "python -m pytest -x -q"
    python benchmarks/mutations.py --equivalent 3f2a91c4 "why no result can change"

The faults are drawn by `--seed` from all changes that the rules of mutation_rules.py can make,
evenly by area, within an area evenly by rule, then by file. Faults of this seed that have a row in
`--out` are drawn first, if the code still has their lines: so a survivor runs again after a test
was added, whatever else has changed. `--new` draws without regard to the rows.

Each fault is made in a copy of the tree, one copy a worker. First the tests run that are most
closely related to the file, then those in the folders of its tests and of its callers', then all,
until one fails: the fault is "killed", by that test, which must pass without the fault. Otherwise
it has "survived". Other outcomes: "timeout" (a phase took too long, but no single test did),
"does not compile", "no tests". A test that crashes, or takes too long, counts as failed. The tests
of golden files are left out: they notice any change of a kernel's machine code. A barrier or a
combination of lanes matters only on a GPU and in tests with 32 lanes (the fixture `warps`).

A row of `--out` is one fault. A second run skips the faults with a row of this seed and commit, and
those that survived go on with the phases that they have not run. Needs no git if `--commit` is
given. A fault that can change no result, which no rule can recognise, gets a row "equivalent" with
the reason, and is not drawn again.

Why not an existing tool: cosmic-ray and mutmut change Python's syntax tree alone; they know neither
CUDA files nor what a mask, an accumulator or a semiring is.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from queue import Queue
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from mutation_rules import Source, changes  # noqa: E402

from tests.changed import files_naming, imported_names, kernels_including  # noqa: E402

COMMAND = 'python -m pytest -x -q -m "not thorough"'  # the tests of `make test`
IGNORED = ("tests/golden", "tests/test_layout.py")  # they notice changes, not faults
PHASES = ("relevant", "near", "all")
DEVICE_FOLDERS = ("operations", "fused", "storage", "objects", "expressions")
AREAS = {
    "CUDA kernels": ["graphla/cuda/kernels/**/*.cu*"],
    "native CUDA kernels": ["graphla/native/cuda/kernels/**/*.cu*"],
    "launchers": [f"graphla/cuda/{folder}/**/*.py" for folder in DEVICE_FOLDERS],
    "native CPU kernels": ["graphla/native/cpu/**/*.py"],
    "STAR-machine": ["graphla/star/**/*.py", "graphla/star/**/*.cu*"],
    "algorithms": ["graphla/algorithms/**/*.py"],
}
# Where the tests of a file are, by the longest part of its path.
TESTS = {
    "graphla/cuda": "tests/cuda",
    "graphla/native/cuda": "tests/native/cuda",
    "graphla/native/cpu": "tests/native",
    "graphla/star": "tests/star",
    "graphla/algorithms": "tests/algorithms",
}
NOT_COPIED = (".git", ".venv", ".cache", ".*_cache", ".hypothesis", "__pycache__", "site", "demo")
PACKAGES = ("numpy", "numba", "python-graphblas", "suitesparse-graphblas", "pytest", "hypothesis")


class Mutant(NamedTuple):
    """One fault: characters `start` to `end` of a file become `replacement`."""

    id: str
    area: str
    rule: str
    path: Path
    line: int
    before: str
    after: str
    start: int
    end: int
    replacement: str

    @property
    def key(self):
        """What is the same after changes elsewhere in the file."""
        return str(self.path), self.rule, self.before, self.after

    def changed(self, text):
        """Return the text of the file with the fault."""
        return text[: self.start] + self.replacement + text[self.end :]

    def __str__(self):
        return (
            f"{self.id}  {self.rule:16}  {self.path}:{self.line}\n"
            f"    - {self.before}\n    + {self.after}"
        )


# ---- the draw


def candidates(area, path, text):
    """Yield all faults that the rules can put into a file."""
    for rule, change in changes(Source(path.name, text)):
        changed = text[: change.start] + change.after + text[change.end :]
        begin = text.rfind("\n", 0, change.start) + 1
        end = text.find("\n", max(change.end, change.start))
        before, after = text[begin:end], changed[begin : end + len(changed) - len(text)]
        line = text.count("\n", 0, change.start) + 1
        column = change.start - begin
        key = f"{path} {rule} {before} {after} {line} {column}"
        number = hashlib.sha256(key.encode()).hexdigest()[:8]
        words = (" ".join(x.split()) for x in (before, after))
        yield Mutant(number, area, rule, path, line, *words, change.start, change.end, change.after)


def draw(count, seed, first=(), left_out=()):
    """Return `count` faults: areas in turn, of an area its rarest rule, of a rule its rarest file.

    Ties are broken at random; no line has two faults. The faults of the rows `first` are taken
    before, if the code still has their lines; those of the rows `left_out` are not drawn.
    """
    generator = random.Random(seed)
    alike = defaultdict(list)
    for area, patterns in AREAS.items():
        for path in sorted(p for pattern in patterns for p in ROOT.glob(pattern)):
            relative = path.relative_to(ROOT)
            for mutant in candidates(area, relative, path.read_text()):
                alike[mutant.key].append(mutant)

    def described_by(row):
        same = alike[row["file"], row["rule"], row["before"], row["after"]]
        return min(same, key=lambda mutant: abs(mutant.line - row["line"]), default=None)

    excluded = {described_by(row) for row in left_out}
    first = [m for m in map(described_by, first) if m and m not in excluded]
    pool = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for mutant in (m for same in alike.values() for m in same if m not in excluded):
        pool[mutant.area][mutant.rule][mutant.path].append(mutant)
    drawn, lines, files, rules = [], set(), Counter(), defaultdict(Counter)

    def take(mutant):
        if (mutant.path, mutant.line) not in lines:
            lines.add((mutant.path, mutant.line))
            files[mutant.path] += 1
            rules[mutant.area][mutant.rule] += 1
            drawn.append(mutant)

    for mutant in first[:count]:
        take(mutant)

    def rarest(choices, counts):
        least = min(counts[x] for x in choices)
        return generator.choice([x for x in choices if counts[x] == least])

    while len(drawn) < count and any(pool.values()):
        for area in [a for a in pool if pool[a]][: count - len(drawn)]:
            rule = rarest(list(pool[area]), rules[area])
            path = rarest(list(pool[area][rule]), files)
            left = pool[area][rule][path]
            mutant = left.pop(generator.randrange(len(left)))
            if not left:
                del pool[area][rule][path]
            if not pool[area][rule]:
                del pool[area][rule]
            take(mutant)
    return drawn


def recorded(path, seed):
    """Return a row of each fault of a seed, and those of equivalent faults."""
    rows = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    equivalent = [row for row in rows if row["outcome"] == "equivalent"]
    drawn = {row["id"]: row for row in rows if row["seed"] == seed}
    return list(drawn.values()), equivalent


# ---- which tests


def launchers(path):
    """Return the kernels that a file is, or is a part of, and what launches them, or itself."""
    kernels = {path.stem} if path.suffix == ".cu" else set()
    if path.suffix == ".cuh":
        kernels = kernels_including({path.name})
    sources = (p for p in (ROOT / "graphla").rglob("*.py") if "kernel(" in p.read_text())
    modules = files_naming(kernels, sources)
    if path.suffix == ".py":
        modules.add(path)
    return kernels, modules


def importers(modules):
    """Return the modules that import one of these."""
    dotted = {dotted_name(p) for p in modules}
    return {
        p.relative_to(ROOT) for p in (ROOT / "graphla").rglob("*.py") if imported_names(p) & dotted
    }


def dotted_name(path):
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def mirror(path):
    """Return the folder of tests that mirrors a file's."""
    return TESTS[max((p for p in TESTS if str(path).startswith(p)), key=len)]


def related_tests(path):
    """Return the tests of a file for pytest, the most closely related first.

    In the folder of tests that mirrors the file's: tests of its name, or that of what launches the
    kernel; tests that name the kernel, or begin with five letters of such a name or with the
    name of a file's folder; its doctests; tests of these names elsewhere; tests that import it;
    in that folder tests of the names of modules that import it, or all if there is no other test.
    """
    kernels, modules = launchers(path)
    stems = {p.stem for p in modules} | kernels | {path.stem}
    words = {stem.split("_")[0][:5] for stem in (path.stem, *(p.stem for p in modules))}
    words |= {p.parent.name for p in (path, *modules)}
    words = tuple(words - {"include", "kernels", "operations", "cuda", "cpu", "star", "graphla"})
    folder = mirror(path)
    dotted = {dotted_name(p) for p in modules}
    tests = sorted((ROOT / "tests").rglob("test_*.py"))
    naming = files_naming(kernels, tests)
    users = {p.parent.name if p.stem == "__init__" else p.stem for p in importers(modules)}
    groups = defaultdict(list)
    for test in (p.relative_to(ROOT) for p in tests):
        name, mirrored = test.stem.removeprefix("test_"), test.is_relative_to(folder)
        if name in stems:
            groups[0 if mirrored else 3].append(test)
        elif mirrored and (test in naming or name.startswith(words)):
            groups[1].append(test)
        elif test in naming or imported_names(ROOT / test) & dotted:
            groups[4].append(test)
        elif mirrored and name in users:
            groups[5].append(test)
    groups = groups or {5: [Path(folder)]}
    groups[2] = sorted(modules)
    return [str(t) for group in sorted(groups) for t in groups[group] if not is_ignored(t)]


def near_tests(path):
    """Return the folders of the tests of a file, of what launches it, and of what imports those."""
    _, modules = launchers(path)
    mirrored = (
        Path("tests", *p.parent.parts[1:])
        for p in (*modules, *importers(modules))
        if len(p.parts) > 2
    )
    folders = {Path(mirror(path)), *(f for f in mirrored if (ROOT / f).is_dir())}
    if path.is_relative_to("graphla/cuda"):  # whose launchers may be elsewhere
        folders.add(Path("tests/cuda"))
    outermost = [f for f in folders if not any(f != g and f.is_relative_to(g) for g in folders)]
    return [*map(str, sorted(outermost)), "tests/test_every_algorithm.py"]


def is_ignored(test):
    return any(test.is_relative_to(part) for part in IGNORED)


# ---- runs


class Failure(NamedTuple):
    """Why a run of pytest did not pass: `outcome` is that of the fault."""

    outcome: str
    test: str
    error: str


class Copy:
    """A copy of the tree, in which one process at a time runs tests with one fault."""

    def __init__(self, folder, cores, options):
        self.folder, self.cores, self.options = folder / "tree", cores, options
        self.numba = folder / "numba"
        copied = shutil.ignore_patterns(*NOT_COPIED)
        shutil.copytree(ROOT, self.folder, ignore=copied, dirs_exist_ok=True)
        code = "import graphla; print(graphla.__file__)"
        with tempfile.TemporaryDirectory() as state:
            found = subprocess.run(
                [sys.executable, "-c", code],
                cwd=self.folder, env=self.environment(Path(state), False),
                capture_output=True, text=True, check=True,
            ).stdout  # fmt: skip
        if not Path(found.strip()).is_relative_to(self.folder):
            raise SystemExit(f"tests in {self.folder} would import {found.strip()}")

    def environment(self, state, fresh):
        """Return the variables of a run, whose files are in `state`.

        Numba's cache does not notice that what a function calls has changed: `fresh`: it is empty.
        """
        return {
            **os.environ,
            "PYTHONPATH": str(self.folder),
            "PYTHONDONTWRITEBYTECODE": "1",
            "NUMBA_CACHE_DIR": str(state / "numba" if fresh else self.numba),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(state / "hypothesis"),
            "MUTATION_LOG": str(state / "log.jsonl"),
            "MUTATION_TEST_SECONDS": str(self.options.test_timeout),
        }

    def pytest(self, arguments, state, fresh=False):
        """Run tests; return the first failure, or None."""
        log = state / "log.jsonl"
        log.write_text("")
        command = shlex.split(self.options.command)
        if command[0] == "python":
            command[0] = sys.executable
        command += ["-p", "benchmarks.mutation_plugin", "-p", "no:cacheprovider", *arguments]
        with (state / "output").open("w") as output:
            process = subprocess.Popen(
                command,
                cwd=self.folder, env=self.environment(state, fresh),
                stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
            os.sched_setaffinity(process.pid, self.cores)
            try:
                status = process.wait(self.options.timeout)
            except subprocess.TimeoutExpired:
                status = None
            finally:
                stop_group(process)
        rows = [json.loads(line) for line in log.read_text().splitlines()]
        if status in (0, 5):
            return None
        running = next((row["running"] for row in reversed(rows) if "running" in row), "")
        for row in rows:
            if "failed" in row:
                outcome = "killed" if row["compiles"] else "does not compile"
                return Failure(outcome, row["failed"], row["error"])
        if status is None:
            return Failure("timeout", running, f"more than {self.options.timeout} s")
        if status == 4 or not running:  # pytest could not start
            return Failure("killed", "", (state / "output").read_text()[-2000:])
        hung = (state / "log.stacks").stat().st_size
        error = f"more than {self.options.test_timeout} s" if hung else f"exit status {status}"
        return Failure("killed", running, error)


def stop_group(process):
    """End a process and what it has started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


class Checked:
    """Tests that failed with a fault: whether they pass without one."""

    def __init__(self):
        self.passes, self.lock = {}, threading.Lock()

    def passes_without_fault(self, test, copy):
        """Whether a test passes, or, if it is "", pytest can start and collect tests."""
        with self.lock:
            if test not in self.passes:
                arguments = [test] if test else ["--collect-only"]
                with tempfile.TemporaryDirectory() as state:
                    failure = copy.pytest(arguments, Path(state))
                if failure and not test:
                    raise SystemExit(f"pytest fails without a fault:\n{failure.error}")
                self.passes[test] = failure is None
            return self.passes[test]

    def deselected(self):
        return [f"--deselect={test}" for test, passes in self.passes.items() if not passes]


TARGETS = {"relevant": related_tests, "near": near_tests, "all": lambda path: []}


def run(mutant, phases, copy, checked):
    """Run the phases with a fault; return the row's fields."""
    started = time.monotonic()
    target = copy.folder / mutant.path
    text = target.read_text()
    text, fresh = mutant.changed(text), "njit" in text
    fields = {"outcome": "no tests", "phase": phases[-1], "test": "", "error": ""}
    for phase in phases:
        targets = TARGETS[phase](mutant.path)
        targets += [f"--ignore={part}" for part in IGNORED]
        if phase == "relevant" and len(targets) == len(IGNORED):
            continue
        failure = run_phase(target, text, targets, fresh, copy, checked)
        fields |= {"outcome": "survived", "phase": phase}
        if failure:
            fields |= failure._asdict()
            break
    return {**fields, "seconds": round(time.monotonic() - started, 1)}


def run_phase(target, text, targets, fresh, copy, checked):
    """Return the first failure of a test that passes without the fault, or None."""
    original, times = target.read_bytes(), target.stat()
    with tempfile.TemporaryDirectory() as state:
        while True:
            target.write_text(text)
            try:
                arguments = [*targets, *checked.deselected()]
                failure = copy.pytest(arguments, Path(state), fresh)
            finally:
                target.write_bytes(original)
                os.utime(target, ns=(times.st_atime_ns, times.st_mtime_ns))  # for Numba's cache
            if not failure or failure.outcome == "timeout":
                return failure
            if checked.passes_without_fault(failure.test, copy):
                return failure
            print(f"fails also without a fault: {failure.test}")


# ---- rows


def read_rows(path, seed, commit):
    """Return the last row of each fault of this seed and commit, by its id."""
    if not path.exists():
        return {}
    rows = map(json.loads, path.read_text().splitlines())
    return {
        row["id"]: row
        for row in rows
        if (row["seed"], row["commit"]) == (seed, commit) and row["outcome"] != "equivalent"
    }


def phases_left(row, phases):
    """Return the phases that are still to run for a fault with this row, or none."""
    if row is None:
        return phases
    if row["outcome"] not in ("survived", "no tests"):
        return ()
    return phases[phases.index(row["phase"]) + 1 :] if row["phase"] in phases else ()


def table(rows):
    """Return the outcomes by rule and by area, and the faults that survived, as text."""
    lines = []
    for name in ("rule", "area"):
        counts = defaultdict(Counter)
        for row in rows:
            outcome = row["outcome"]
            counts[row[name]][outcome if outcome in ("killed", "survived") else "other"] += 1
        counts = {**dict(sorted(counts.items())), "all": sum(counts.values(), Counter())}
        lines.append(f"{name:20} killed  survived  other")
        for key, count in counts.items():
            lines.append(f"{key:20} {count['killed']:6} {count['survived']:9} {count['other']:6}")
        lines.append("")
    for row in rows:
        if row["outcome"] != "killed":
            place = f"{row['file']}:{row['line']}"
            lines.append(f"{row['outcome']} ({row['phase']}): {row['id']} {row['rule']} {place}")
            lines += [f"    - {row['before']}", f"    + {row['after']}"]
    return "\n".join(lines)


def current_commit():
    process = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return process.stdout.strip()


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--new", action="store_true", help="draw without regard to the rows")
    parser.add_argument("--equivalent", nargs=2, metavar=("ID", "REASON"), help="add such a row")
    parser.add_argument("--list", action="store_true", help="print the faults and run nothing")
    parser.add_argument("--only", nargs="+", metavar="ID", help="these faults, with a row or not")
    parser.add_argument("--phases", default=",".join(PHASES), help="some of %(default)s")
    parser.add_argument("--command", default=COMMAND, help="how pytest runs; %(default)s")
    parser.add_argument("--workers", type=int, default=1, help="they share the cores equally")
    parser.add_argument("--timeout", type=float, default=3600, help="seconds of a phase")
    parser.add_argument("--test-timeout", type=float, default=300, help="seconds of a test")
    parser.add_argument("--commit", default="", help="by default that of git")
    parser.add_argument("--scratch", type=Path, help="folder of the copies, kept for later runs")
    out = ROOT / "benchmarks" / "results" / "mutations.jsonl"
    parser.add_argument("--out", type=Path, default=out)
    options = parser.parse_args()
    options.phases = tuple(p for p in PHASES if p in re.split(r"[, ]+", options.phases))
    if not options.phases:
        parser.error(f"--phases takes {' and '.join(PHASES)}")
    return options


def main():
    """Draw the faults, run those that have no row yet, and print the table."""
    options = parse()
    first, left_out = recorded(options.out, options.seed)
    drawn = draw(options.count, options.seed, () if options.new else first, left_out)
    if options.only:
        drawn = [mutant for mutant in drawn if mutant.id in options.only]
    if options.list:
        print(*drawn, sep="\n")
        return
    commit = options.commit or current_commit()
    if not commit:
        raise SystemExit("no git here: give --commit")
    if options.equivalent:
        record_equivalent(drawn, *options.equivalent, commit, options)
        return
    rows = {} if options.only else read_rows(options.out, options.seed, commit)
    todo = [(mutant, phases_left(rows.get(mutant.id), options.phases)) for mutant in drawn]
    todo = [(mutant, phases) for mutant, phases in todo if phases]
    about = {
        "seed": options.seed,
        "commit": commit,
        "date": time.strftime("%Y-%m-%dT%H:%M:%S"),
        "command": options.command,
        "versions": {"python": platform.python_version(), **{p: version(p) for p in PACKAGES}},
    }
    with tempfile.TemporaryDirectory(prefix="mutations-") as temporary:
        options.scratch = (options.scratch or Path(temporary)).resolve()
        run_all(todo, about, options)
    rows = read_rows(options.out, options.seed, commit)
    print(table([rows[mutant.id] for mutant in drawn if mutant.id in rows]))


def record_equivalent(drawn, number, reason, commit, options):
    """Append a row for a drawn fault that can change no result."""
    mutant = next((m for m in drawn if m.id == number), None)
    if mutant is None:
        raise SystemExit(f"{number} is not drawn")
    about = {"outcome": "equivalent", "reason": reason, "seed": options.seed, "commit": commit}
    with options.out.open("a") as file:
        file.write(json.dumps(described(mutant) | about) + "\n")


def described(mutant):
    """Return the fields of a row that say which fault it is."""
    place = {"area": mutant.area, "file": str(mutant.path), "line": mutant.line}
    change = {"before": mutant.before, "after": mutant.after}
    return {"id": mutant.id, "rule": mutant.rule, **place, **change}


def compile_kernels(options):
    """Compile the simulated kernels of the tests, which all copies share."""
    cache = os.environ.setdefault("GRAPHLA_SIMULATOR_CACHE", str(options.scratch / "simulator"))
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "GRAPHLA_SIMULATOR_CACHE": cache}
    command = [sys.executable, "-m", "tests.cuda.kernel_units"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def run_all(todo, about, options):
    """Run each fault in the next free copy, and append its row."""
    if not todo:
        return
    compile_kernels(options)
    copies, checked, writing = Queue(), Checked(), threading.Lock()
    cores = sorted(os.sched_getaffinity(0))
    workers = min(options.workers, len(todo))
    for k in range(workers):
        own = cores[k * len(cores) // workers : (k + 1) * len(cores) // workers]
        folder = options.scratch / f"copy{k}"
        copies.put(Copy(folder, own or [cores[k % len(cores)]], options))

    def one(mutant, phases):
        copy = copies.get()
        try:
            fields = run(mutant, phases, copy, checked)
        finally:
            copies.put(copy)
        row = {**described(mutant), **fields, **about}
        with writing, options.out.open("a") as file:
            file.write(json.dumps(row) + "\n")
            by = f" by {row['test']}" if row["test"] else ""
            print(f"{row['outcome']} in {row['seconds']} s{by}: {mutant}", flush=True)

    with ThreadPoolExecutor(workers) as executor:
        try:
            for future in [executor.submit(one, *item) for item in todo]:
                future.result()
        except BaseException:
            executor.shutdown(cancel_futures=True)  # after those that run
            raise


if __name__ == "__main__":
    main()
