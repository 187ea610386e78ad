"""The installed NetworkX version: 3.4 returns some results as other types than later versions."""

from __future__ import annotations

import networkx as nx

BEFORE_3_5 = tuple(map(int, nx.__version__.split(".")[:2])) < (3, 5)
