"""Draw the README's picture: python examples/pictures.py writes docs/pictures/les_miserables.svg.

The characters of Les Miserables who appear together: colours are Louvain's communities.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import graphla as gl

FILE = Path(gl.__file__).parent / "data" / "les_miserables.wel"
PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "les_miserables.svg"
NAMED = 8  # characters with their names, those of the highest PageRank


def main(path=PICTURE):
    """Draw the graph into a file, the same bytes for the same version of matplotlib."""
    G = gl.read(FILE, kind="undirected")
    with plt.rc_context({"svg.hashsalt": "graphla"}):
        figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
        names = FILE.read_text().splitlines()[2 : 2 + G.n]
        known = gl.pagerank(G).rank.to_dense().argsort()[-NAMED:]
        labels = [line.split()[-1] if v in known else "" for v, line in enumerate(names)]
        community = gl.louvain(G).community.to_dense()
        gl.plot.draw(G, np.unique(community, return_inverse=True)[1], labels=labels, axes=axes)
        axes.collections[-1].set_cmap("Set2")
        figure.axes[-1].remove()  # the scale of the colours, which are names here
        figure.savefig(path, metadata={"Date": None}, facecolor="white")
        plt.close(figure)


if __name__ == "__main__":
    main()
