"""Cores and trusses."""
