"""Shortest paths, their trees, and negative cycles."""
