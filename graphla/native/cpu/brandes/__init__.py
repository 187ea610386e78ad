"""The two forms of native betweenness: batches of sources, and single sources."""
