"""Imports of Python modules, of a small tree and of the standard library."""

from __future__ import annotations

import pytest

from tests.generate.generators import arcs, generate


def test_imports_of_a_small_tree(tmp_path):
    sources = {
        "a.py": "import b, c.d\nimport nowhere\n",
        "b.py": "from c import d, e, thing\nfrom c import *\n",
        "c/__init__.py": "from . import d\nfrom .. import beyond\nimport c\n",
        "c/d.py": "def later():\n  from ..a import x\n  from .e import y\n  from . import z\n",
        "c/e.py": "import a.attribute\nprint('\\d')\n",
        "c/f.py": """
class A:
    import a
    async def m(self):
        with a as x:
            try:
                import c.d
            except E:
                import c.e
            else:
                import c.g
            finally:
                import c.h
        match x:
            case 1:
                for y in x:
                    import broken
                else:
                    while y:
                        import b
""",
        "c/g.py": "x = lambda: __import__('a')",
        "c/h.py": "",
        "broken.py": "import a\ndef (:\n",
        "null.py": "import a\n\0",
        "latin.py": b"# -*- coding: nonsense -*-\nimport a\n",
        "not-a-name.py": "import a\n",
        "test/test_a.py": "import a\n",
        "c/tests/test_d.py": "import a\n",
        "site-packages/other.py": "import a\n",
        "a.txt": "import b\n",
    }
    for name, text in sources.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    result = generate.python_imports(tmp_path)
    assert result.names == (
        *("a", "b", "broken", "c", "c.d", "c.e", "c.f", "c.g", "c.h", "latin", "null"),
    )
    named = {(result.names[i], result.names[j]) for i, j in arcs(result.graph)}
    assert named == {
        *{("a", "b"), ("a", "c.d")},
        *{("b", "c.d"), ("b", "c.e"), ("b", "c")},
        ("c", "c.d"),
        *{("c.d", "c.e"), ("c.d", "c")},  # `..a` lies outside the top package
        ("c.e", "a"),
        *(("c.f", other) for other in ("a", "b", "broken", "c.d", "c.e", "c.g", "c.h")),
    }
    assert result.graph.kind == "directed"
    assert not result.graph.weighted


def test_imports_of_nothing(tmp_path):
    graph, names = generate.python_imports(tmp_path)
    assert (graph.n, graph.nedges, names) == (0, 0, ())


@pytest.mark.thorough
def test_imports_of_the_standard_library():
    graph, names = generate.python_imports()
    assert names == tuple(sorted(names))
    assert graph.n == len(names) > 200
    edge = {(names[i], names[j]) for i, j in arcs(graph)}
    assert {
        ("json", "json.decoder"),
        ("json.decoder", "json.scanner"),
        ("dataclasses", "re"),
    } <= edge
    assert not any(name.startswith("test.") for name in names)
