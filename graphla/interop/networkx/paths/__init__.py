"""NetworkX's shortest-path functions."""
