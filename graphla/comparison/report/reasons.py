"""Why the hand-written implementation is faster, given only where the figures agree."""

from __future__ import annotations

from graphla.comparison.report.costs import Cost

TINY = 10_000  # entries of a graph that an operation reads in less time than its call takes
FIXED_COST = (
    "On so small a graph the time of the algebra is the fixed cost of its operations, each a call "
    "of python-graphblas; the hand-written kernel is one call."
)
REASONS = {
    "bfs": "A level of the algebraic search is at least one product and two assignments, of the "
    "hand-written one a single pass over the frontier, so the fixed cost of a call matters more "
    "the more levels a graph has; both choose push or pull and stop a pull at the first hit.",
    "sssp": "In the hand-written search a vertex re-enters the current bucket as soon as a thread "
    "improves it; the algebraic one relaxes the bucket in bulk steps, each a product and updates "
    "of whole vectors.",
    "all_pairs_shortest_paths": "In the hand-written search each thread works on one source "
    "and waits for no other thread; an algebraic batch is one product a round for all of its "
    "sources, which reads all of their distances.",
    "minimum_spanning_forest": "The hand-written algorithm scans each vertex's row, sorted by "
    "weight, from a position that only advances, and moves no edges; the algebraic one takes a "
    "minimum for each tree over a list of edges, and relabels and shortens the list every round.",
    "transitive_closure": "The hand-written closure stores a row as bits, 64 a machine word, and "
    "combines rows by bitwise or; a Boolean matrix entry takes at least a byte, and an index if "
    "the matrix is sparse.",
    "connected_components": "The hand-written algorithm (Afforest) finds the giant component by "
    "sampling and skips most of its edges; the algebraic one searches from a hub and propagates "
    "the smallest label through products.",
    "pagerank": "An iteration of both reads every edge once, so memory traffic dominates; the "
    "hand-written one fuses the vector operations into that pass.",
    "triangle_count": "Both intersect lists of neighbours after ordering the vertices; the "
    "hand-written one, unless all degrees are small, stores the lists as bits, so that one "
    "population count intersects up to 64 neighbours, and the masked product handles them singly.",
    "betweenness_centrality": "Both search from a batch of sources at once and read an edge once "
    "for all of them; the hand-written one represents the batch as a bit mask that skips the "
    "sources without use for an edge, and searches from single sources if degrees are low.",
    "closeness_centrality": "The hand-written search visits the vertices of its frontier alone, "
    "from one source at a time if degrees are low; the algebraic one advances 64 searches by a "
    "product and updates of whole vectors for each level.",
    "clustering_coefficient": "The hand-written kernel finds each triangle once and adds it to its "
    "three vertices, in an undirected graph by population counts of neighbours stored as bits; the "
    "masked product makes a matrix of the counts of edges, and then sums its rows.",
    "core_number": "The hand-written kernel removes a vertex as soon as its degree has fallen far "
    "enough; an algebraic round removes all such vertices in a product and updates of whole "
    "vectors.",
    "k_truss": "The hand-written kernel stores neighbours as bits, and where few edges go it "
    "lowers the counts of their triangles in place; an algebraic round takes six masked products "
    "and makes a matrix of the edges that are left.",
    "greedy_color": "The hand-written kernel colours one vertex after the other, in several "
    "threads; the algebraic one colours all vertices of a topological level by some operations on "
    "whole vectors.",
    "label_propagation": "The hand-written kernel updates only vertices with a neighbour whose "
    "label has changed, and counts labels in an array; an algebraic sweep takes a product for each "
    "colour, which counts the labels of the neighbours of all of its vertices.",
    "louvain": "The hand-written kernel sums the weights to the communities of a vertex in an "
    "array, and moves it at once; an algebraic sweep takes some products for each colour.",
}
REASONS |= {
    variant: REASONS[algorithm]
    for variant, algorithm in (
        ("bfs_levels", "bfs"),
        ("sssp_distances", "sssp"),
        ("pagerank_gap", "pagerank"),
        ("triangles", "clustering_coefficient"),
    )
}


def reason(cost: Cost) -> str:
    """Return the reason for a difference, empty where the figures do not show that difference.

    A noisy ratio, implementations without a clear difference, and a faster algebra have none. A
    difference on a graph of up to TINY entries has another reason than one on a large graph.
    """
    faster = cost.ratio.outcome == "faster" and not cost.ratio.noisy
    if not faster or cost.rival["family"] != "native":
        return ""
    if (cost.algebra.get("nvals") or 0) <= TINY:
        return FIXED_COST
    return REASONS.get(cost.rival["algorithm"], "")
