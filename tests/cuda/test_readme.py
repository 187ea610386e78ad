"""The README's example of both engines runs."""

import re
from pathlib import Path

import graphla as gl
import graphla.cuda

README = Path(__file__).parents[2] / "README.md"


def test_the_same_algorithm_on_both_engines():
    (code,) = re.findall(r"```py\n(.*?)```", README.read_text(), re.DOTALL)
    names = {}
    exec(compile(code, "README.md", "exec"), names)
    assert names["H"].engine == "cuda"
    assert int(names["d"][0]) == 0
    for name in re.findall(r"gl\.cuda\.(\w+)", README.read_text()):
        assert name in gl.cuda.__all__
