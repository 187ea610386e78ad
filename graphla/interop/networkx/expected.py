"""Tests of NetworkX that fail here, by the end of their names, and why."""

EXPECTED: dict[str, str] = {}
