"""A figure that a notebook shows by itself, without pyplot. Loads matplotlib."""

from __future__ import annotations

import io

from matplotlib.figure import Figure


class Picture(Figure):
    """A matplotlib Figure that knows its own PNG."""

    def _repr_png_(self) -> bytes:
        data = io.BytesIO()
        self.savefig(data, format="png", dpi=100)
        return data.getvalue()
