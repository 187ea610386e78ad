"""Comparisons without pauses: these tests do not measure times."""

from tests.comparison.conftest import no_pauses

__all__ = ["no_pauses"]
