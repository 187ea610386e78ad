"""Centrality of vertices and edges, and efficiency."""
