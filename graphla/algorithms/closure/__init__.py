"""Transitive closures and their sizes."""
