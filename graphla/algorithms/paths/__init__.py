"""Shortest paths and what follows from them."""
