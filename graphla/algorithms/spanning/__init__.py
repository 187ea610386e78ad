"""Spanning forests and the recognition of trees."""
