"""NetworkX's functions, by family."""
