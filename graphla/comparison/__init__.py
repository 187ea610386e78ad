"""Implementations side by side: what can be run on a graph, how it is checked and told."""
