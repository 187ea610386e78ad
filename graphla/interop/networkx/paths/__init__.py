"""NetworkX's functions of shortest paths."""
