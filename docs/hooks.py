"""What the documentation site has beside docs/: generated when it is built, never stored.

The README, CONTRIBUTING, CHANGELOG and the benchmarks' page become pages; the tables of
measurements are made from the raw rows; the reference has a page for each part of the public API.
Pages of docs/ that mkdocs.yml does not name go under "Studies". A link to a file that is no
page becomes its path, and one to a file that does not exist is a warning, which fails the build.
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

ROOT = Path(__file__).parents[1]
log = logging.getLogger("mkdocs.hooks.graphla")

SOURCES = {  # page -> the file that it is made of
    "index.md": "README.md",
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
    "protocol.md": "benchmarks/README.md",
    "results.md": "benchmarks/RESULTS.md",
}
PARTS = {  # page of the reference -> modules whose public names it has, beside those of graphla
    "Input, output": ("graphla.io", "graphla.io.datasets"),
    "Generators": ("graphla.generate",),
    "Native kernels": ("graphla.native",),
    "STAR-machine": ("graphla.star", "graphla.star.algorithms"),
    "Transformations": ("graphla.transform",),
    "Verification": ("graphla.verify",),
    "Pictures": ("graphla.plot",),
    "Other libraries": tuple(f"graphla.interop.{name}" for name in graphla.interop.MODULES),
    "Graph500": ("graphla.graph500",),
    "CUDA engine": ("graphla.cuda",),
    "Errors": ("graphla.errors",),
}
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
ROLE = re.compile(r":(?:func|class|meth|data|mod|attr):<code>~?([^<]+)</code>")


def on_config(config):
    """Add the reference, and the pages of docs/ that have no place yet, to the navigation."""
    named = set(re.findall(r"[\w/-]+\.md", str(config.nav)))
    others = sorted(p.name for p in (ROOT / "docs").glob("*.md") if p.name not in named)
    reference = [{title: f"reference/{slug(title)}.md"} for title in reference_pages()]
    config.nav[4:4] = [{"Reference": reference}]
    if others:
        config.nav.insert(-1, {"Studies": others})
    return config


def on_files(files, config):
    """Add the pages that are made of other files."""
    for page, source in SOURCES.items():
        text = measurements() if page == "results.md" else (ROOT / source).read_text()
        files.append(File.generated(config, page, content=inward(text, source, page)))
    for title, targets in reference_pages().items():
        text = f"# {title}\n\n" + "\n\n".join(f"::: {target}" for target in targets)
        files.append(File.generated(config, f"reference/{slug(title)}.md", content=text + "\n"))
    return files


def on_page_markdown(markdown, page, **_):
    """Turn links out of docs/ into paths."""
    path = page.file.src_uri
    return markdown if page.file.generated_by else inward(markdown, f"docs/{path}", path)


def on_page_content(html, **_):
    """Show the roles of docstrings as names."""
    return ROLE.sub(r"<code>\1</code>", html)


def slug(title):
    """Return the name of a page's file."""
    return re.sub(r"\W+", "-", title.lower())


def inward(text, source, page):
    """Rewrite the links of a file that becomes a page."""
    pages = {(ROOT / path).resolve(): name for name, path in SOURCES.items()}

    def link(found):
        mark, shown, target, part = found.groups()
        if re.match(r"\w+:", target):
            return found[0]
        path = (ROOT / source).parent.joinpath(target).resolve()
        if source.startswith("docs/") and path.is_relative_to(ROOT / "docs"):
            return found[0]  # MkDocs checks it
        if not path.exists():
            log.warning("%s links to %s, which does not exist", source, target)
        if path in pages or (path.suffix == ".md" and path.is_relative_to(ROOT / "docs")):
            name = pages.get(path) or path.relative_to(ROOT / "docs").as_posix()
            return f"{mark}[{shown}]({relpath(name, str(Path(page).parent))}{part or ''})"
        where = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else target
        return shown if where in shown or f"`{where}`" == shown else f"{shown} (`{where}`)"

    return LINK.sub(link, text)


def measurements():
    """Return the tables that benchmarks/report.py makes of the raw rows."""
    spec = importlib.util.spec_from_file_location("report", ROOT / "benchmarks" / "report.py")
    report = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(report)
    text = io.StringIO()
    with redirect_stdout(text):
        report.main()
    return text.getvalue()


def reference_pages():
    """Return {title: dotted names of functions and classes}."""
    own = [(graphla._EXPORTS[name], getattr(graphla, name)) for name in graphla._EXPORTS]
    pages = {"Graph": [], "Algorithms": [], "Comparisons": [], "Operators, tracing, threads": []}
    titles = {"algorithms": "Algorithms", "comparison": "Comparisons"}
    for module, value in own:
        part = module.split(".")[1]
        title = titles.get(part, "Operators, tracing, threads")
        title = "Graph" if value is graphla.Graph else title
        if part != "io":
            pages[title].append(where(value))
    for title, modules in PARTS.items():
        pages[title] = [name for module in modules for name in public(import_module(module))]
    return pages


def public(module):
    """Return the functions and classes of a module that have a docstring and no underscore."""
    names = getattr(module, "__all__", None) or [n for n in vars(module) if not n.startswith("_")]
    here = hasattr(module, "__all__")
    found = [getattr(module, name) for name in names]
    return [
        where(value)
        for value in found
        if (inspect.isfunction(value) or inspect.isclass(value))
        and value.__doc__
        and (here or value.__module__ == module.__name__)
    ]


def where(value):
    """Return the dotted name under which something is defined."""
    return f"{value.__module__}.{value.__qualname__}"
