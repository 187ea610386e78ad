"""NetworkX's functions other than shortest paths, one module per family."""
