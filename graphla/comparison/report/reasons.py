"""Why the algebra and the hand-written form differ: one sentence on the method of each."""

REASONS = {
    "bfs": "A level is at least one product and two assignments in the algebra and one pass "
    "over the frontier by hand, so that the more levels a graph has, the more the fixed cost of "
    "a call weighs; both choose push or pull and stop a pull at the first hit.",
    "sssp": "By hand a vertex re-enters the current bucket as soon as a thread improves it; the "
    "algebra relaxes the bucket in bulk steps, each a product and updates of whole vectors.",
    "all_pairs_shortest_paths": "By hand each thread searches from a source of its own, and waits "
    "for no other; a batch of the algebra is one product a round for all of its sources, and looks "
    "at all of their distances in each.",
    "minimum_spanning_forest": "By hand each vertex walks its row, sorted by weight, from a mark "
    "that only moves on, and nothing else moves; the algebra takes a minimum for each tree over a "
    "list of edges, and relabels and shortens that list in every round.",
    "transitive_closure": "By hand a row of the closure is bits, 64 a machine word, joined by or; "
    "a Boolean matrix entry of the algebra takes at least a byte, and an index where it is sparse.",
    "connected_components": "By hand (Afforest) a sample guesses the giant component, most of "
    "whose edges are then never read; the algebra searches from a hub and propagates the smallest "
    "label through products.",
    "pagerank": "An iteration reads every edge once in both forms, so that memory traffic sets "
    "the time; by hand the vector operations are fused into that pass.",
    "triangle_count": "Both intersect lists of neighbours on one side of an order of the vertices; "
    "by hand, unless all degrees are small, the lists are words of 64 bits, and one population "
    "count meets up to 64 neighbours, while the masked product meets them one by one.",
    "betweenness_centrality": "Both search from a batch of sources at once, so that an edge is "
    "read once for all; by hand the batch is a mask of bits that skips the sources an edge does "
    "not serve, and one source at a time where degrees are low.",
}
for less, full in (
    ("bfs_levels", "bfs"),
    ("sssp_distances", "sssp"),
    ("pagerank_gap", "pagerank"),
):
    REASONS[less] = REASONS[full]
