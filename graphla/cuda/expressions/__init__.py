"""Lazy expressions, masks and scalars, and the execution of an update."""
