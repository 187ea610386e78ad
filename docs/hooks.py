"""MkDocs hooks: pages of the site that are generated when it is built, and not stored in docs/.

The README, CONTRIBUTING, CHANGELOG and the notes and README of the benchmarks become pages; the
tables of measurements are generated from the raw rows. The reference has a page for each module of
algorithms, grouped by family: its docstring with formula, cost and source, its functions, and
related functions; and a page for each other part of the public API. Pages of docs/ that the
navigation in mkdocs.yml does not name go under "Studies". A link to a file that is not a page
becomes the file's path; a link to a missing file is a warning, which fails the build.
"""

import importlib.util
import inspect
import io
import logging
import re
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path
from posixpath import relpath

from mkdocs.structure.files import File

import graphla
from graphla.comparison.algorithms import ALGORITHMS

ROOT = Path(__file__).parents[1]
log = logging.getLogger("mkdocs.hooks.graphla")

SOURCES = {  # page -> the file that it is generated from
    "index.md": "README.md",
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
    "protocol.md": "benchmarks/README.md",
    "results.md": "benchmarks/RESULTS.md",
    "notes.md": "benchmarks/notes/h200.md",
}
FAMILIES = {  # folder of graphla/algorithms -> its title in the reference
    "traversal": "Searches",
    "paths": "Shortest paths",
    "components": "Components",
    "spanning": "Spanning trees",
    "closure": "Transitive closure",
    "ranking": "Ranking",
    "centrality": "Centrality",
    "triangles": "Triangles and clustering",
    "cores": "Cores and trusses",
    "communities": "Communities and colourings",
    "links": "Link prediction",
}
PARTS = {  # page of the reference -> modules whose public names it documents
    "Input, output": ("graphla.io", "graphla.io.datasets"),
    "Generators": ("graphla.generate",),
    "Native kernels": ("graphla.native",),
    "STAR-machine": ("graphla.star", "graphla.star.algorithms"),
    "Transformations": ("graphla.transform",),
    "Verification": ("graphla.verify",),
    "Pictures": ("graphla.plot",),
    "Other libraries": tuple(f"graphla.interop.{name}" for name in graphla.interop.MODULES),
    "Implementations": ("graphla.comparison.implementations",),
    "Graph500": ("graphla.graph500",),
    "CUDA engine": ("graphla.cuda",),
    "Errors": ("graphla.errors",),
}
LOADED_SCRIPT = re.compile(r'src="https://unpkg.com/iframe-worker[^"]*"')
WORKER = "assets/worker_from_disk.js"  # has its effect before the theme's own script runs
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
ROLE = re.compile(r":(?:func|class|meth|data|mod|attr):<code>~?([^<]+)</code>")


def on_config(config):
    """Add the reference, and the pages that the navigation does not name, to the navigation."""
    named = set(re.findall(r"[\w/-]+\.md", str(config.nav)))
    others = sorted(p.name for p in (ROOT / "docs").glob("*.md") if p.name not in named)
    families = [{"Overview": "reference/algorithms.md"}]
    for family, title in FAMILIES.items():
        modules = [module for module in algorithm_modules() if f".{family}." in module]
        families.append({title: [{page_title(m): page_of(m)} for m in modules]})
    parts = [{title: f"reference/{slug(title)}.md"} for title in reference_pages()]
    place = next(i for i, entry in enumerate(config.nav) if "Reference" in entry)
    config.nav[place] = {"Reference": [{"Algorithms": families}, *parts]}
    if others:
        config.nav.insert(-1, {"Studies": others})
    return config


def on_files(files, config):
    """Add the generated pages."""
    for page, source in SOURCES.items():
        text = measurements() if page == "results.md" else (ROOT / source).read_text()
        files.append(File.generated(config, page, content=rewrite_links(text, source, page)))
    for title, targets in reference_pages().items():
        text = f"# {title}\n\n" + "\n\n".join(f"::: {target}" for target in targets)
        files.append(File.generated(config, f"reference/{slug(title)}.md", content=text + "\n"))
    for module in algorithm_modules():
        files.append(File.generated(config, page_of(module), content=algorithm_page(module)))
    files.append(File.generated(config, "reference/algorithms.md", content=overview()))
    return files


def on_page_markdown(markdown, page, **_):
    """Rewrite the links of a page of docs/; generated pages are rewritten already."""
    path = page.file.src_uri
    return markdown if page.file.generated_by else rewrite_links(markdown, f"docs/{path}", path)


def on_page_content(html, **_):
    """Replace Sphinx roles in docstrings, such as :func:`bfs`, by the name in code font."""
    return ROLE.sub(r"<code>\1</code>", html)


def on_post_page(output, page, **_):
    """Replace the script that the theme loads from another host by the one of docs/assets."""
    return LOADED_SCRIPT.sub(
        f'src="{relpath(WORKER, str(Path(page.file.dest_uri).parent))}"', output
    )


def on_post_template(output_content, template_name, **_):
    """Replace that script in the page for missing pages, too."""
    return LOADED_SCRIPT.sub(f'src="{WORKER}"', output_content)


def slug(title):
    """Return the file name of a page with this title."""
    return re.sub(r"\W+", "-", title.lower())


def rewrite_links(text, source, page):
    """Return the text of the file `source` with the links that it has as the page `page`."""
    pages = {(ROOT / path).resolve(): name for name, path in SOURCES.items()}

    def link(match):
        image_mark, label, target, anchor = match.groups()
        if re.match(r"\w+:", target):
            return match[0]
        path = (ROOT / source).parent.joinpath(target).resolve()
        if source.startswith("docs/") and path.is_relative_to(ROOT / "docs"):
            return match[0]  # MkDocs checks it
        if not path.exists():
            log.warning("%s links to %s, which does not exist", source, target)
        if path.is_relative_to(ROOT / "docs" / "pictures"):
            name = path.relative_to(ROOT / "docs").as_posix()
            return f"{image_mark}[{label}]({relpath(name, str(Path(page).parent))})"
        if path.parent == ROOT / "graphla" / "algorithms" and path.name in FAMILIES:
            anchor = f"#{slug(FAMILIES[path.name])}"
            return (
                f"[{label}]({relpath('reference/algorithms.md', str(Path(page).parent))}{anchor})"
            )
        if path in pages or (path.suffix == ".md" and path.is_relative_to(ROOT / "docs")):
            name = pages.get(path) or path.relative_to(ROOT / "docs").as_posix()
            return f"{image_mark}[{label}]({relpath(name, str(Path(page).parent))}{anchor or ''})"
        shown = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else target
        return label if shown in label else f"{label} (`{shown}`)"

    return LINK.sub(link, text)


def measurements():
    """Return the tables that benchmarks/report.py prints for the raw rows."""
    spec = importlib.util.spec_from_file_location("report", ROOT / "benchmarks" / "report.py")
    report = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(report)
    text = io.StringIO()
    with redirect_stdout(text):
        report.main()
    return text.getvalue()


def algorithm_modules():
    """Return {dotted name of a module of algorithms: its public functions}, by family."""
    found = {}
    for name, module in graphla._EXPORTS.items():
        if module.startswith("graphla.algorithms."):
            found.setdefault(module, []).append(name)
    order = list(FAMILIES)
    return dict(sorted(found.items(), key=lambda item: (order.index(item[0].split(".")[2]), item)))


def page_title(module):
    """Return the title of the page of a module of algorithms: the name that it begins with."""
    return module.rpartition(".")[2]


def page_of(module):
    """Return the path of the page of a module of algorithms."""
    return f"reference/{page_title(module)}.md"


def algorithm_page(module):
    """Return the page of a module: its docstring, its functions, and what is related."""
    first, _, rest = inspect.cleandoc(import_module(module).__doc__).partition("\n")
    paragraphs = re.split(r"\n\n+", plain(rest).strip("\n"))
    text = "\n\n".join(
        re.sub(r"^(Cost|Source)\b", r"**\1**", p) if not p.startswith(" ") else p
        for p in paragraphs
    )
    functions = "\n\n".join(f"::: {module}.{name}" for name in algorithm_modules()[module])
    return f"# {page_title(module)}\n\n{plain(first)}\n\n{text}\n\n{functions}\n\n{related(module)}"


def plain(text):
    """Return the text of a docstring without Sphinx roles and reST's double backticks."""
    return re.sub(r":\w+:`~?([^`]+)`", r"`\1`", text).replace("``", "`")


def related(module):
    """Return the section of related functions: of the family, by hand, checks, and comparisons."""
    names, family = algorithm_modules()[module], module.split(".")[2]
    lines = []
    siblings = [m for m in algorithm_modules() if f".{family}." in m and m != module]
    if siblings:
        links = (f"[`{page_title(m)}`]({Path(page_of(m)).name})" for m in siblings)
        lines.append(f"{FAMILIES[family]}: {', '.join(links)}.")
    native = [name for name in names if hasattr(graphla.native, name)]
    if native:
        calls = ", ".join(f"`gl.native.{name}`" for name in native)
        lines.append(
            f"By hand, with the same result: {calls} ([native kernels](native-kernels.md))."
        )
    checks = [name for name in names if hasattr(graphla.verify, name)]
    if checks:
        calls = ", ".join(f"`gl.verify.{name}`" for name in checks)
        lines.append(f"Checks of a result: {calls} ([verification](verification.md)).")
    compared = [name for name in names if name in ALGORITHMS]
    if compared:
        listed = ", ".join(f'"{name}"' for name in compared)
        lines.append(f"`gl.compare([{listed}], G)` measures it beside other libraries.")
    lines.append(
        "A table of the result with labels, also of a single Vector: "
        "`gl.interop.pandas.to_frame(result, labels)` ([data in and out](../data.md#results))."
    )
    return "\n".join(["## See also\n", *(f"- {line}" for line in lines)]) + "\n"


def overview():
    """Return the page that lists all algorithms by family."""
    text = "# Algorithms\n\nEvery function takes a `Graph` first, and runs on its engine.\n"
    for family, title in FAMILIES.items():
        text += f"\n## {title}\n\n| function | |\n|---|---|\n"
        for module, names in algorithm_modules().items():
            if f".{family}." in module:
                for name in names:
                    about = inspect.getdoc(getattr(graphla, name)).split("\n\n")[0]
                    about = plain(" ".join(about.split()))
                    text += f"| [`{name}`]({Path(page_of(module)).name}) | {about} |\n"
    return text


def reference_pages():
    """Return {title: dotted names of functions and classes} of what is no algorithm."""
    pages = {"Graph": [], "Comparisons": [], "Operators, tracing, threads": []}
    for name, module in graphla._EXPORTS.items():
        part = module.split(".")[1]
        title = "Comparisons" if part == "comparison" else "Operators, tracing, threads"
        title = "Graph" if name == "Graph" else title
        if part not in ("io", "algorithms"):
            pages[title].append(f"{module}.{name}")
    for title, modules in PARTS.items():
        pages[title] = [name for module in modules for name in public_names(import_module(module))]
    return pages


def public_names(module):
    """Return the dotted names of the public functions and classes with a docstring of a module."""
    names = getattr(module, "__all__", None) or [n for n in vars(module) if not n.startswith("_")]
    has_all = hasattr(module, "__all__")
    values = [getattr(module, name) for name in names]
    return [
        dotted_name(value)
        for value in values
        if (inspect.isfunction(value) or inspect.isclass(value))
        and value.__doc__
        and (has_all or value.__module__ == module.__name__)
    ]


def dotted_name(value):
    """Return the dotted name under which a function or class is defined."""
    return f"{value.__module__}.{value.__qualname__}"
