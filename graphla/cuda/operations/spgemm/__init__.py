"""Sparse matrix-matrix products."""
