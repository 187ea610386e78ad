"""MkDocs hooks: pages of the site that are generated when it is built, and not stored in docs/.

The README, CONTRIBUTING, CHANGELOG and the README of the benchmarks become pages; the tables of
measurements are generated from the raw rows; the reference has a page for each part of the public
API. Pages of docs/ that the navigation in mkdocs.yml does not name go under "Studies". A link to a
file that is not a page becomes the file's path; a link to a missing file is a warning, which fails
the build.
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

SOURCES = {  # page -> the file that it is generated from
    "index.md": "README.md",
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
    "protocol.md": "benchmarks/README.md",
    "results.md": "benchmarks/RESULTS.md",
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
    "Graph500": ("graphla.graph500",),
    "CUDA engine": ("graphla.cuda",),
    "Errors": ("graphla.errors",),
}
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
ROLE = re.compile(r":(?:func|class|meth|data|mod|attr):<code>~?([^<]+)</code>")


def on_config(config):
    """Add the reference, and the pages that the navigation does not name, to the navigation."""
    named = set(re.findall(r"[\w/-]+\.md", str(config.nav)))
    others = sorted(p.name for p in (ROOT / "docs").glob("*.md") if p.name not in named)
    reference = [{title: f"reference/{slug(title)}.md"} for title in reference_pages()]
    config.nav[4:4] = [{"Reference": reference}]
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
    return files


def on_page_markdown(markdown, page, **_):
    """Rewrite the links of a page of docs/; generated pages are rewritten already."""
    path = page.file.src_uri
    return markdown if page.file.generated_by else rewrite_links(markdown, f"docs/{path}", path)


def on_page_content(html, **_):
    """Replace Sphinx roles in docstrings, such as :func:`bfs`, by the name in code font."""
    return ROLE.sub(r"<code>\1</code>", html)


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


def reference_pages():
    """Return {title: dotted names of functions and classes}."""
    exports = [(graphla._EXPORTS[name], getattr(graphla, name)) for name in graphla._EXPORTS]
    pages = {"Graph": [], "Algorithms": [], "Comparisons": [], "Operators, tracing, threads": []}
    titles = {"algorithms": "Algorithms", "comparison": "Comparisons"}
    for module, value in exports:
        part = module.split(".")[1]
        title = titles.get(part, "Operators, tracing, threads")
        title = "Graph" if value is graphla.Graph else title
        if part != "io":
            pages[title].append(dotted_name(value))
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
