"""Breadth-first searches and sweeps by level."""
