"""Why the algebra and the hand-written form differ: one sentence on the method of each."""

REASONS = {
    "bfs": "A level is at least one product and two assignments in the algebra and one pass "
    "over the frontier by hand, so that the more levels a graph has, the more the fixed cost of "
    "a call weighs; both choose push or pull and stop a pull at the first hit.",
    "sssp": "By hand a vertex re-enters the current bucket as soon as a thread improves it; the "
    "algebra relaxes the bucket in bulk steps, each a product and updates of whole vectors.",
    "bellman_ford": "Both relax the edges of all vertices that changed in rounds, but the algebra "
    "sees an improvement in the next round at the earliest.",
    "minimum_spanning_forest": "By hand the lists of edges only shrink as components merge; the "
    "algebra reduces over the matrix, or contracts it, in every round.",
    "transitive_closure": "By hand a row of the closure is bits, 64 a machine word, joined by or; "
    "a Boolean matrix entry of the algebra takes at least a byte, and an index where it is sparse.",
    "connected_components": "By hand (Afforest) a sample guesses the giant component, most of "
    "whose edges are then never read; the algebra searches from a hub and propagates the smallest "
    "label through products.",
    "strongly_connected_components": "Forward and backward searches are masked products, each "
    "level of which costs calls; by hand one depth-first pass needs no levels.",
    "pagerank": "An iteration reads every edge once in both forms, so that memory traffic sets "
    "the time; by hand the vector operations are fused into that pass.",
    "triangle_count": "Both intersect the lists of neighbours in the degree-sorted triangle; by "
    "hand an intersection ends with the shorter list, the masked product chooses its method for "
    "the whole matrix.",
    "betweenness_centrality": "The algebra searches from all sources at once, so that a product "
    "reads an edge for the whole batch; by hand each source is a traversal of its own.",
}
for less, full in (
    ("bfs_levels", "bfs"),
    ("sssp_distances", "sssp"),
    ("bellman_ford_distances", "bellman_ford"),
    ("pagerank_gap", "pagerank"),
):
    REASONS[less] = REASONS[full]
