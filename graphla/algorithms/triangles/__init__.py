"""Triangles, clustering and squares."""
