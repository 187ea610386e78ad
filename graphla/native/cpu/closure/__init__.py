"""Transitive closure on the CPU: by components, or by Warshall's algorithm."""
