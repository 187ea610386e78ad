"""Helpers that several families of algorithms share."""
