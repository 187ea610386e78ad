"""Algebraic algorithms, one file each; they run on every engine."""
