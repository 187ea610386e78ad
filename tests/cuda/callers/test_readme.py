"""The README's example of both engines runs."""

import re
from pathlib import Path

import graphla as gl
import graphla.cuda

README = Path(__file__).parents[3] / "README.md"


def test_the_same_algorithm_on_both_engines():
    section = README.read_text().partition("## The same code on a GPU")[2]
    code = re.search(r"```py\n(.*?)```", section, re.DOTALL)[1]
    names = {}
    exec(compile(code, "README.md", "exec"), names)
    assert names["H"].engine == "cuda"
    assert int(names["d"][0]) == 0
    for name in re.findall(r"gl\.cuda\.(\w+)", README.read_text()):
        assert name in gl.cuda.__all__
