"""How central vertices and edges are: betweenness, closeness, degree."""
