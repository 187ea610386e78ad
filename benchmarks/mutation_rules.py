"""Rules by which mutations.py puts one fault into a file: each yields the changes that it can make.

Places in Python files are found in the syntax tree, those in CUDA files by regular expressions in
the text without comments and strings. A change is meant to alter a result, so these are left out:
names in EXCLUDED and functions in EXCLUDED_FUNCTIONS, on whose value only speed or text depends;
error messages, annotations and documentation; in CUDA files what the simulator does not compile,
and quotients rounded up, which are mostly sizes of equal shares of work.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

# A line with one of these names is not changed; `file::name` is for one file.
EXCLUDED = {
    **dict.fromkeys(
        (
            *("SHORT", "SHORT_ROW", "MAX_THREAD_LENGTH", "THREAD_EDGES", "WARP_PRODUCTS", "UNIT"),
            *("min_block_dots", "max_thread_length", "connected_components.py::LONG"),
        ),
        "rows on either side are computed rightly, by a thread, a warp or a block",
    ),
    **dict.fromkeys(
        ("RATIO", "SEARCH", "search_cost", "SET_COST", "SEARCH_MASK", "A_IS_SHORT", "DOT_GAIN"),
        "chooses between searching a row and reading it",
    ),
    **dict.fromkeys(
        (
            "CROWD",
            "FEW_DOTS",
            "SPARSE",
            "SPARSE_ITEMS",
            "TINY",
            "BITMAP_EDGES",
            "UNCOUNTED",
            "UNSORTED_SPARSITY",
        ),
        "chooses between two methods or storage formats with the same result",
    ),
    **dict.fromkeys(
        ("is_cheaper", "has_skewed_degrees", "SKEWED", "DENSE", "CACHED", "ROUNDS", "LIGHT_EDGES"),
        "chooses between two methods or orders with the same result",
    ),
    **dict.fromkeys(
        (
            *("ALPHA", "BETA", "UNQUEUED_EDGES", "FINAL_EDGES", "FINAL_THREADS"),
            *("ONE_BLOCK_EDGES", "bfs_push.cuh::counts.edges"),
        ),
        "chooses between push and pull, or where a level is computed",
    ),
    **dict.fromkeys(
        ("MAX_LEVELS", "MAX_LOWERED", "MAX_EDGES_READ", "FIRST_CYCLE_CHECK", "GROWTH", "MAX_STEPS"),
        "when one method is given up for another, or how many steps a launch takes",
    ),
    **dict.fromkeys(
        ("DELTA_FACTOR", "BREADTH", "STEP_FACTOR", "LIGHT_SHARE", "MIN_LIGHT_EDGES", "is_later"),
        "the order in which edges are relaxed",
    ),
    **dict.fromkeys(
        ("SERIAL", "SMALL", "sssp.py::FEW", "threads", "team", "share", "teams", "words_per_warp"),
        "how many threads share the work",
    ),
    **dict.fromkeys(
        ("SAMPLE", "SAMPLE_STEP", "COUNT_STEP", "STRETCH", "FILTER_SHARE", "POSITIONS_PER_STEP"),
        "an estimate that only speed depends on",
    ),
    **dict.fromkeys(
        ("HUB_BYTES", "HUB_SHARE", "CACHED_EDGES", "MIN_SHARE", "MIN_SKEW", "RELABEL_GAIN"),
        "whether values are copied to faster memory",
    ),
    "sssp_push.cuh::count > PIECE": "a long row is expanded at once, or in pieces",
    "sssp_pull.cuh::counts.count": "the edges of changed vertices: when to push again",
    "bfs_final_levels.cuh::end_level": "counts edges, which choose the next direction",
    "spgemm_work.cu::max_read": "work that chooses between two methods with the same result",
    **dict.fromkeys(("BREAK_EVEN", "MIN_ENTRIES"), "when a faster storage format pays"),
    **dict.fromkeys(("AHEAD", "prefetch", "_prefetch_vertices"), "prefetching"),
    **dict.fromkeys(
        (
            *("COLLECTED_SIZE", "BUILD_BYTES", "PRODUCT_BYTES", "TABLE_SHARE", "needed", "free"),
            "most_words",
        ),
        "memory that is estimated, collected or limited",
    ),
    **dict.fromkeys(
        ("nbytes", "max_bytes", "is_small", "_unused_bytes", "UNUSED_BYTES"),
        "memory that is limited or kept for later",
    ),
    "READS_OLD_C": "the old output is read, or need not be",
    **dict.fromkeys(
        ("progress", "bar", "tracing", "trace", "DIRECTIONS"), "display and records of what ran"
    ),
    **dict.fromkeys(("static_assert", "constexpr", "__launch_bounds__"), "the compiler's"),
}
EXCLUDED_FUNCTIONS = {
    **dict.fromkeys(("__repr__", "_repr_html_", "__str__", "about"), "display"),
    **dict.fromkeys(("is_cheaper", "has_skewed_degrees", "share_of_first_columns"), "speed"),
    **dict.fromkeys(("key", "dependencies", "__hash__"), "when a cached plan is used again"),
}
# Names with which a row, or an item of it, is assigned to one of several classes: on the wrong
# side it is never computed, or does not fit into its class's memory. A row at the limit in two
# classes is computed twice, mostly with the same result, so no rule makes that of `<` and `>`.
ROW_LIMITS = (
    *("LONG", "WARP_ENTRIES", "BLOCK_ENTRIES", "MAX_HASHED", "MAX_ROW_LENGTH", "PREFIX", "PIECE"),
    *("CAPACITY", "SLOTS", "FEW", "LONG_ROW_PARTS", "PULL_PIECE", "MIN_QUEUED_ROW", "BUFFER_SIZE"),
)
ROW_CLASSES = ("is_short", "is_whole", "is_whole_row", "is_long", "short", "long_rows")

# At equality both sides of such a comparison are right, as a full queue may be given up or not, or
# no test is as large.
NOT_AT_LIMIT = r"\b(tol|residual|change|needs_pull|PEAK|LOW|2\*\*31|2\*\*63)\b|2\*\*31|1 << 31"

REVERSED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "!=", "!=": "=="}
TOO_FEW = {"<=": "<", ">=": ">"}
BY_ONE = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
EXCHANGED = {"min": "max", "max": "min", "plus": "min"}  # monoids
MONOIDS = {"minimum": "maximum", "maximum": "minimum", "Min": "Max", "Max": "Min", **EXCHANGED}


class Change(NamedTuple):
    """Characters `start` to `end` of a file become `after`."""

    start: int
    end: int
    after: str


class Source:
    """A file's text; `code` is as long, but comments, strings and excluded lines are blank."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.text = name, text
        self.is_python = name.endswith(".py")
        blank = blank_python if self.is_python else blank_cuda
        excluded = [n.removeprefix(f"{name}::") for n in EXCLUDED if n.split("::")[0] in (name, n)]
        pattern = re.compile(rf"^.*\b({'|'.join(excluded)})\b.*$", re.MULTILINE)
        self.code = pattern.sub(blanks, blank(text))

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """The nodes of a Python file that may change, in the order of the text."""
        found: list[ast.AST] = []
        collect(ast.parse(self.text), found)
        return [n for n in found if not hasattr(n, "lineno") or self.is_kept(n)]

    @cached_property
    def line_starts(self) -> list[int]:
        starts = [0]
        for line in self.text.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        return starts

    def span(self, node: ast.AST) -> tuple[int, int]:
        """The place of a node in the text."""
        return (
            self.offset(node.lineno, node.col_offset),
            self.offset(node.end_lineno, node.end_col_offset),
        )

    def offset(self, line: int, column: int) -> int:
        """The place of a column, which the syntax tree counts in bytes."""
        start = self.line_starts[line - 1]
        text = self.text[start : self.line_starts[line]]
        return start + len(text.encode()[:column].decode())

    def is_kept(self, node: ast.AST) -> bool:
        """Whether no line of the node is excluded; of a block, whether its first one is not."""
        start, end = self.span(node)
        code = self.code[start:end].split("\n")
        text = self.text[start:end].split("\n")
        lines = 1 if isinstance(node, ast.stmt) else len(text)
        return all(c.strip() or not t.strip() for c, t in zip(code[:lines], text, strict=False))

    def segment(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.text[start:end]

    def replaced(self, node: ast.AST, after: str) -> Change:
        return Change(*self.span(node), after)

    def matches(self, pattern: str) -> Iterator[re.Match[str]]:
        return re.finditer(pattern, self.code)


def blanks(match: re.Match[str]) -> str:
    """As many blanks as the match has characters, with its line ends."""
    return re.sub(r"[^\n]", " ", match[0])


def blank_cuda(text: str) -> str:
    """Blank comments, strings, directives and what is not compiled for the simulator."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", blanks, text, flags=re.DOTALL)
    for begin, part in ((r"^#ifdef SIMULATED$.*?", r"^#else$"), (r"", r"^#ifndef SIMULATED$")):
        pattern = rf"(?P<kept>{begin})(?P<hardware>{part}.*?)(?=^#e(?:ndif|lse)$)"
        for match in re.finditer(pattern, text, re.DOTALL | re.MULTILINE):
            hardware = re.sub(r"[^\n]", " ", match["hardware"])
            text = text[: match.start("hardware")] + hardware + text[match.end() :]
    return re.sub(r"^#[^\n]*", blanks, text, flags=re.MULTILINE)


def blank_python(text: str) -> str:
    """Blank comments; strings are in the syntax tree."""
    return re.sub(r"(?<=\s)#[^\n\"']*$|^#[^\n]*", blanks, text, flags=re.MULTILINE)


NOT_CHANGED = (ast.Raise, ast.Assert, ast.JoinedStr, ast.Import, ast.ImportFrom)


def collect(node: ast.AST, found: list[ast.AST]) -> None:
    """Append a node and what is below it, without annotations, decorators and defaults."""
    if isinstance(node, NOT_CHANGED):
        return
    if isinstance(node, ast.FunctionDef):
        children = [] if node.name in EXCLUDED_FUNCTIONS else node.body
    elif isinstance(node, ast.ClassDef):
        children = node.body
    elif isinstance(node, ast.AnnAssign):
        children = [node.value] if node.value else []
    elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
        children = []
    elif isinstance(node, ast.If) and all(isinstance(x, ast.Raise) for x in node.body):
        children = node.orelse  # a check of an argument
    else:
        found.append(node)
        children = list(ast.iter_child_nodes(node))
    for child in children:
        collect(child, found)


Rule = Callable[[Source], Iterator[Change]]
PYTHON: dict[str, Rule] = {}
CUDA: dict[str, Rule] = {}


def python(rule: Rule) -> Rule:
    """Add a rule for Python files, named by its function without the first word."""
    PYTHON[rule.__name__.removeprefix("python_")] = rule
    return rule


def cuda(rule: Rule) -> Rule:
    """Add a rule for CUDA files, named by its function without the first word."""
    CUDA[rule.__name__.removeprefix("cuda_")] = rule
    return rule


def changes(source: Source) -> Iterator[tuple[str, Change]]:
    """Yield the changes of all rules, each with the rule's name."""
    for name, rule in (PYTHON if source.is_python else CUDA).items():
        for change in dict.fromkeys(rule(source)):
            if source.text[change.start : change.end] != change.after:
                yield name, change


# ---- Python


def calls(source: Source) -> Iterator[tuple[ast.Call, str]]:
    """Yield every call with the last part of the function's name."""
    for node in source.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            function = node.func
            yield node, function.id if isinstance(function, ast.Name) else function.attr


def arguments(source: Source, names: tuple[str, ...]) -> Iterator[ast.Name]:
    """Yield arguments of calls, positional ones or by keyword, that are one of these variables."""
    for call, _ in calls(source):
        for x in (*call.args, *(k.value for k in call.keywords)):
            if isinstance(x, ast.Name) and x.id in names:
                yield x


def comparisons(source: Source) -> Iterator[tuple[ast.Compare, Change, str]]:
    """Yield comparisons of two numbers, with the place of the sign, and the sign."""
    for node in source.nodes:
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            start, end = source.span(node.left)[1], source.span(node.comparators[0])[0]
            sign = re.search(r"[<>=!]=?", source.text[start:end])
            if sign:
                at = start + sign.start()
                yield node, Change(at, start + sign.end(), ""), sign[0]


def is_number(node: ast.AST, value: int) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value == value


def is_row_limit(source: Source, node: ast.AST) -> bool:
    return source.segment(node).split(".")[-1] in ROW_LIMITS


def is_launcher(source: Source) -> bool:
    """Whether a Python file works on device arrays: its numbers are mostly sizes of launches."""
    return "import device" in source.text or "graphla.cuda.runtime" in source.text


def holds_true_alone(source: Source, name: str) -> bool:
    """Whether a variable is a Boolean object, whose entries are mostly all True."""
    return bool(re.search(rf"\b{name}\b.*=.*\b(BOOL|any_pair)\b", source.text))


def is_set_to_zero(source: Source, mask: ast.Attribute) -> bool:
    """Whether a mask is that of the object itself, whose entries become 0."""
    start, end = source.span(mask)
    before = source.text[:start].endswith(f"{source.segment(mask.value)}(")
    return before and bool(re.match(r"\) << 0\b(?!\.)", source.text[end:]))


@python
def python_mask_kind(source: Source) -> Iterator[Change]:
    """A mask of structure becomes one of values or the reverse, or loses its complement.

    Not in ``X(X.S) << 0``: the entries that a mask of values leaves out are 0 already.
    """
    for node in source.nodes:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
            if isinstance(node.operand, ast.Attribute) and node.operand.attr in ("S", "V"):
                yield source.replaced(node, source.segment(node.operand))
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            text = source.segment(node)
            if node.attr in ("S", "V") and not holds_true_alone(source, text[:-2]):
                if is_set_to_zero(source, node):
                    continue
                yield source.replaced(node, text[:-1] + ("V" if node.attr == "S" else "S"))
            elif node.attr in ("structure", "complement"):
                yield source.replaced(node, f"(not {text})")


@python
def python_accumulator(source: Source) -> Iterator[Change]:
    """The accumulator of an update is dropped, or `x += y` becomes `x = y`."""
    for node, _ in calls(source):
        if isinstance(node.func, ast.Name) and 0 < len(node.args) <= 2:  # vector(mask, accum)
            *before, last = (source.segment(x) for x in node.args)
            if last.startswith("binary.") or (before and last in ("plus", "minus", "minimum")):
                arguments_left = [*before, *(source.segment(k) for k in node.keywords)]
                yield source.replaced(node, f"{node.func.id}({', '.join(arguments_left)})")
    for name in arguments(source, ("accum",)):
        yield source.replaced(name, "None")
    for node in source.nodes:
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add | ast.BitOr):
            value = source.segment(node.value)
            if "typedef" in value or source.segment(node.target) == "text":
                continue  # CUDA text
            if not re.fullmatch(r"[\d.]+|np\.\w+\(\d+\)|[A-Z_]+", value):  # not a loop's counter
                yield source.replaced(node, f"{source.segment(node.target)} = {value}")


@python
def python_replace(source: Source) -> Iterator[Change]:
    """An update keeps the entries outside its mask instead of deleting them."""
    for node, _ in calls(source):
        for keyword in node.keywords:
            if keyword.arg == "replace" and source.segment(keyword.value) == "True":
                yield source.replaced(keyword.value, "False")
    for name in arguments(source, ("replace",)):
        yield source.replaced(name, "False")


@python
def python_identity(source: Source) -> Iterator[Change]:
    """A sum or a minimum begins with a value that is not the identity."""
    for node, name in calls(source):
        if name in ("zeros", "zeros_like"):
            yield source.replaced(node.func, source.segment(node.func).replace("zeros", "ones"))
        elif name in ("full", "full_like") and len(node.args) > 1:
            yield source.replaced(node.args[1], "0")
    for node in source.nodes:
        if isinstance(node, ast.Attribute) and source.segment(node) == "np.inf":
            yield source.replaced(node, "0.0")


@python
def python_index_bound(source: Source) -> Iterator[Change]:
    """A loop ends one early, a row ends where it begins, or `<` and `<=` are exchanged.

    Not where a loop over chunks, each cut off at the limit, ends: one more chunk would be empty.
    """
    for node, name in calls(source):
        if name == "range" and len(node.args) > 1 and not is_number(node.args[-1], -1):
            yield source.replaced(node.args[1], f"{source.segment(node.args[1])} - 1")
    for node in source.nodes:
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.BinOp):
            is_offset = re.search(r"ptr$|offsets$|starts$|first$", source.segment(node.value))
            if is_offset and is_number(node.slice.right, 1):
                yield source.replaced(node.slice, source.segment(node.slice.left))
    for node, place, sign in comparisons(source):
        matters = not re.search(NOT_AT_LIMIT, source.segment(node))
        matters = matters and not is_row_limit(source, node.comparators[0])
        begin, limit = source.segment(node.left), source.segment(node.comparators[0])
        is_chunk = sign == ">=" and re.search(rf"\bmin\({begin} \+ \w+, {limit}\)", source.text)
        matters = matters and not is_chunk
        if sign in BY_ONE and matters and not is_number(node.comparators[0], 0):
            yield place._replace(after=BY_ONE[sign])


@python
def python_row_class(source: Source) -> Iterator[Change]:
    """A row at the limit has no class, or rows up to eight times as long have the wrong one."""
    for node, place, sign in comparisons(source):
        limit = node.comparators[0]
        if is_row_limit(source, limit) and sign in BY_ONE:
            if sign in TOO_FEW:
                yield place._replace(after=TOO_FEW[sign])
            yield source.replaced(limit, f"(8 * {source.segment(limit)})")
    for node in source.nodes:
        if isinstance(node, ast.UnaryOp) and source.segment(node.operand) in ROW_CLASSES:
            yield source.replaced(node, source.segment(node.operand))


@python
def python_comparison(source: Source) -> Iterator[Change]:
    """A comparison is reversed."""
    for _, place, sign in comparisons(source):
        if sign in REVERSED:
            yield place._replace(after=REVERSED[sign])


@python
def python_dtype(source: Source) -> Iterator[Change]:
    """Values are stored, or added, in a narrower type: integers in 16 bits, floats in 32."""
    narrower = {"INT64": '"INT16"', "FP64": '"FP32"'}
    if not is_launcher(source):  # a kernel would write beyond the end of narrower arrays
        narrower |= {"np.int64": "np.int16", "np.float64": "np.float32"}
    for node in source.nodes:
        if isinstance(node, ast.Subscript):
            types = [node.slice]
        elif isinstance(node, ast.Call):
            types = [*node.args, *(k.value for k in node.keywords if k.arg == "dtype")]
        else:
            continue
        for x in types:
            if (text := source.segment(x)) in narrower:
                yield source.replaced(x, narrower[text])


@python
def python_semiring(source: Source) -> Iterator[Change]:
    """The monoid is exchanged: min for max, plus for min."""
    for node in source.nodes:
        if isinstance(node, ast.Attribute):
            base, name = source.segment(node.value), node.attr
            monoid, _, multiply = name.partition("_")
            if base.split(".")[0] in ("semiring", "monoid", "binary") and monoid in EXCHANGED:
                after = f"{EXCHANGED[monoid]}_{multiply}" if multiply else EXCHANGED[monoid]
                yield source.replaced(node, f"{base}.{after}")
    for node, name in calls(source):
        if name in MONOIDS and not (is_launcher(source) and isinstance(node.func, ast.Name)):
            function = source.segment(node.func)
            yield source.replaced(node.func, function.removesuffix(name) + MONOIDS[name])


@python
def python_transpose(source: Source) -> Iterator[Change]:
    """A matrix is taken for its transpose."""
    symmetric = "require_symmetric" in source.text
    for node in source.nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            base = source.segment(node.value)
            if node.attr == "T" and base != "self":
                yield source.replaced(node, base)
            elif node.attr in ("AT", "csr_transposed") and not symmetric:
                after = "A" if node.attr == "AT" else "csr"
                yield source.replaced(node, f"{base}.{after}")
    for node, name in calls(source):
        if name in ("vxm", "mxm", "mxv") and not symmetric:
            for x in (
                *node.args,
                node.func.value if isinstance(node.func, ast.Attribute) else None,
            ):
                if x is not None and source.segment(x) == "G.A":
                    yield source.replaced(x, "G.AT")
    for x in arguments(source, ("transposed",)):
        yield source.replaced(x, "not transposed")


@python
def python_operand(source: Source) -> Iterator[Change]:
    """A product takes the other operand: that of a push in a pull, first instead of second."""
    other = {"first": "second", "second": "first", "firsti": "secondi", "secondi": "firsti"}
    for node in source.nodes:
        if isinstance(node, ast.Attribute) and source.segment(node).startswith("semiring."):
            monoid, _, multiply = node.attr.rpartition("_")
            if monoid and multiply in other:
                yield source.replaced(
                    node, f"{source.segment(node.value)}.{monoid}_{other[multiply]}"
                )
    for x in arguments(source, ("flip",)):
        yield source.replaced(x, "not flip")


@python
def python_constant(source: Source) -> Iterator[Change]:
    """The sign before a 1 is exchanged."""
    rounded_up = {id(n.left) for n in source.nodes if isinstance(n, ast.BinOp)}
    for node in source.nodes:
        if isinstance(node, ast.BinOp) and is_number(node.right, 1) and id(node) not in rounded_up:
            if "**" in source.segment(node.left):
                continue
            sign = {ast.Add: "-", ast.Sub: "+"}.get(type(node.op))
            if sign:
                yield source.replaced(node, f"{source.segment(node.left)} {sign} 1")


# ---- CUDA

# Two numbers are compared; `<` of a template has no blank before it, or none after.
COMPARED = r"(?<=[\w)\]]) (?P<sign><=|>=|==|!=|<|>) (?=[\w(~*&-])"
LOOP = r"for \([^;{}]*;(?P<condition>[^;{}]*);"


def closing(code: str, opening: int) -> int:
    """Return the place of the parenthesis that closes the one at `opening`."""
    depth = 0
    for at in range(opening, len(code)):
        depth += {"(": 1, ")": -1}.get(code[at], 0)
        if not depth:
            return at
    raise ValueError(f"no parenthesis closes that at {opening}")


def cuda_calls(source: Source, pattern: str) -> Iterator[tuple[re.Match[str], int, list[str]]]:
    """Yield calls of the functions that match: the match, the end of the call, the arguments."""
    for match in source.matches(rf"(?<![\w.:>])(?:{pattern})\("):
        opening = match.end() - 1
        end = closing(source.code, opening)
        parts, depth = [""], 0
        for character in source.text[opening + 1 : end]:
            depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(character, 0)
            if character == "," and not depth:
                parts.append("")
            else:
                parts[-1] += character
        line = source.code[source.code.rfind("\n", 0, match.start()) + 1 : match.start()]
        if not re.search(r"__device__|template", line):  # not its definition
            yield match, end + 1, [part.strip() for part in parts]


def in_loops(source: Source) -> set[int]:
    """Return the places in the heads of loops, where a change mostly means that none ends."""
    return {
        at
        for match in source.matches(r"\b(?:for|while) \(")
        for at in range(match.start(), closing(source.code, match.end() - 1))
    }


def line_at(source: Source, at: int) -> str:
    """Return the code of a line."""
    return source.code[source.code.rfind("\n", 0, at) + 1 :].partition("\n")[0]


def names_at(source: Source, at: int) -> str:
    """Return what stands right of a comparison."""
    found = re.match(r"[^\w]*([\w.:]*\w)", source.code[at:])
    return found[1].split(":")[-1] if found else ""


@cuda
def cuda_mask_kind(source: Source) -> Iterator[Change]:
    """A mask of structure is read as one of values or the reverse, or is complemented."""
    for match in source.matches(r"\bMASK (?P<sign><=|==|%) (?P<number>\d)"):
        if match["sign"] == "%":
            yield Change(*match.span(), "!(MASK % 2)")
        elif match["sign"] == "<=":
            yield Change(*match.span("sign"), ">")
        elif match["number"] != "0":
            yield Change(*match.span("sign"), "!=")
    for match, _, _ in cuda_calls(source, r"mask_allows(?:<\w+>)?"):
        yield Change(match.start(), match.start(), "!")


@cuda
def cuda_accumulator(source: Source) -> Iterator[Change]:
    """An accumulator is not applied, or `x += y` becomes `x = y`."""
    for match in source.matches(r"(?<![\w:])(?:\w+::)*ACCUM (?=&&|\?)"):
        yield Change(match.start(), match.end() - 1, "false")
    for match, end, given in cuda_calls(source, r"(?:Accum|Add)::of"):
        if len(given) == 2:
            yield Change(match.start(), end, f"({given[1]})")
    loops = in_loops(source)
    for match in source.matches(r"(?P<sign>[+|]=)(?=\s*(?P<value>[^;]+);)"):
        counts = re.fullmatch(r"\d+|[A-Z_]+( \* [A-Z_]+)?", match["value"])
        if match.start() not in loops and not counts:
            yield Change(*match.span("sign"), "=")


@cuda
def cuda_replace(source: Source) -> Iterator[Change]:
    """An update keeps the entries outside its mask instead of deleting them."""
    for match in source.matches(r"!?\bREPLACE\b"):
        yield Change(*match.span(), "true" if match[0][0] == "!" else "false")


@cuda
def cuda_identity(source: Source) -> Iterator[Change]:
    """A sum or a minimum begins with a value that is not the identity."""
    for match in source.matches(r"\bAdd::identity\(\)"):
        yield Change(*match.span(), "(Z)1")
    for match in source.matches(r"(?<=[=?:] )~0(?:u|ull|ULL)\b|\bINFINITY\b"):
        yield Change(*match.span(), "0")
    for match in source.matches(
        r"\b(?:sum|total|count|counts|size|carry|found) = (?P<zero>0)(?=[,;])"
    ):
        yield Change(*match.span("zero"), "1")


@cuda
def cuda_index_bound(source: Source) -> Iterator[Change]:
    """A loop ends one early, a row ends where it begins, or `<` and `<=` are exchanged."""
    for match in source.matches(LOOP):
        sign = re.search(r"(?<=[\w)\]]) <=? ", match["condition"])
        if sign:
            at = match.start("condition") + sign.start()
            yield Change(at, at, " + 1")
    for match in source.matches(
        r"\b\w*(?:offsets|indptr|begins|starts)\[[^\[\]]+(?P<next> \+ 1)\]"
    ):
        yield Change(*match.span("next"), "")
    loops = in_loops(source)
    for match in source.matches(COMPARED):
        at_zero = re.match(r"-?0\b", source.code[match.end() :])
        exact = at_zero or names_at(source, match.end()) in ROW_LIMITS
        exact = exact or re.search(NOT_AT_LIMIT, line_at(source, match.start()))
        if match["sign"] in BY_ONE and match.start() not in loops and not exact:
            yield Change(*match.span("sign"), BY_ONE[match["sign"]])


@cuda
def cuda_row_class(source: Source) -> Iterator[Change]:
    """A row at the limit has no class, or rows up to eight times as long have the wrong one.

    Not in the head of a loop, where a limit ends a search and gives no row its class.
    """
    loops = in_loops(source)
    for match in source.matches(COMPARED):
        limit = names_at(source, match.end())
        if limit in ROW_LIMITS and match["sign"] in BY_ONE and match.start() not in loops:
            if match["sign"] in TOO_FEW:
                yield Change(*match.span("sign"), TOO_FEW[match["sign"]])
            yield Change(match.end(), match.end(), "8 * ")
    for match in source.matches(rf"!?\b(?:{'|'.join(ROW_CLASSES)})\b(?= ?[)&|?])"):
        after = match[0][1:] if match[0][0] == "!" else f"!{match[0]}"
        yield Change(*match.span(), after)


@cuda
def cuda_comparison(source: Source) -> Iterator[Change]:
    """A comparison is reversed."""
    loops = in_loops(source)
    for match in source.matches(COMPARED):
        if match.start() not in loops and not source.code[: match.start()].endswith("MASK"):
            yield Change(*match.span("sign"), REVERSED[match["sign"]])


@cuda
def cuda_dtype(source: Source) -> Iterator[Change]:
    """A sum is stored in a narrower type: an integer in 16 bits, a float in 32."""
    narrower = {"i64": "i16", "u64": "u16", "u32": "u16", "int": "i16", "f64": "f32"}
    loops = in_loops(source)
    for match in source.matches(r"\b(?P<type>i64|u64|u32|int|f64) (?P<name>\w+) = [^,;]+;"):
        body = source.code[match.end() :]
        is_lane = match["name"] in ("owner", "step", "distance")
        is_sum = re.search(rf"\b{match['name']} [+|]= ", body)
        if match.start() not in loops and is_sum and not is_lane:
            yield Change(*match.span("type"), narrower[match["type"]])


@cuda
def cuda_barrier(source: Source) -> Iterator[Change]:
    """A barrier of a warp, a block, a cluster or a grid is missing."""
    names = r"__syncthreads|__syncwarp|grid_barrier|team_barrier|cluster_barrier|wait_for_\w+"
    for match, end, _ in cuda_calls(source, names):
        yield Change(match.start(), end, "")
    for match in source.matches(r"\bTeam::sync\(\)"):
        yield Change(*match.span(), "")


@cuda
def cuda_warp_combination(source: Source) -> Iterator[Change]:
    """A lane keeps its own value instead of that of the warp."""
    for match, end, given in cuda_calls(source, r"warp_sum|inclusive_scan|warp_scan|group_sum"):
        yield Change(match.start(), end, f"({given[0]})")
    for match in source.matches(r"\b\w+ = \w+\.of_warp\(\);"):
        yield Change(*match.span(), "")


@cuda
def cuda_semiring(source: Source) -> Iterator[Change]:
    """The monoid is exchanged: min for max."""
    for match in source.matches(r"\b(?:atomic)?(?P<name>Min|Max|min|max)\("):
        yield Change(*match.span("name"), MONOIDS[match["name"]])


@cuda
def cuda_transpose(source: Source) -> Iterator[Change]:
    """A matrix is taken for its transpose."""
    for match in source.matches(r"\bTRANSPOSED\b(?! =)"):
        yield Change(*match.span(), "!TRANSPOSED")


@cuda
def cuda_operand(source: Source) -> Iterator[Change]:
    """A product takes the other operand, or a push the edges of a pull.

    Not after a binary search, which ends when `low` and `high` are equal.
    """
    for match in source.matches(r"\bFLIP\b(?! =)"):
        yield Change(*match.span(), "!FLIP")
    for match in source.matches(r"\bsearch\.(?P<side>in|out)\b(?! ?=)"):
        yield Change(*match.span("side"), "out" if match["side"] == "in" else "in")
    for match in source.matches(r"(?<=[^\w.])(?P<names>low|high)\] ="):
        if "while (low < high)" not in source.code[: match.start()]:
            yield Change(*match.span("names"), "high" if match["names"] == "low" else "low")


@cuda
def cuda_constant(source: Source) -> Iterator[Change]:
    """The sign before a 1 is exchanged, or a bit's place in its word is off by one."""
    for match in source.matches(r"(?<=[\w)\]]) (?P<sign>[+-]) 1(?![\w.])(?!\) ?[/*])"):
        yield Change(*match.span("sign"), "-" if match["sign"] == "+" else "+")
    for match in source.matches(r" >> (?P<shift>5|6)\b"):
        yield Change(*match.span("shift"), str(int(match["shift"]) - 1))
    for match in source.matches(r" & (?P<bits>31|63)\b"):
        yield Change(*match.span("bits"), str(int(match["bits"]) // 2))
