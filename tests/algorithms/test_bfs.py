"""Breadth-first search against SciPy, NetworkX and its own invariants."""
