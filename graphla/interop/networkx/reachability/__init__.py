"""NetworkX's functions of traversal, components, closures and the recognition of graphs."""
