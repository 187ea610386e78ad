"""PageRank and other fixed points."""
