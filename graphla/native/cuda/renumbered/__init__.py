"""Graphs whose vertices are renumbered, or whose weights are ranks, for native kernels."""
