"""Several operations in one kernel: traversals, and chains of statements along a list."""
