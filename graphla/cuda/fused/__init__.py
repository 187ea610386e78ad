"""Several operations in one kernel: traversals and chains along a list."""
