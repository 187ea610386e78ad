"""Scores of possible links, and reciprocity."""
