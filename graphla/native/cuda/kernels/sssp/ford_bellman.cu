// One sweep of Ford and Bellman's algorithm over all edges:  d(v) = min(d(v), d(u) + w(u, v)).
//
// Work split: one edge per thread. With BOTH an edge is stored once and relaxed in both directions.
// Conflicts: plain writes. A smaller distance that another thread's write replaces is written again in the next sweep, as the
// writer has set *changed to the number of this one.
// Memory: both ends, the weight and two distances of each edge, in the order in which the edges are stored.
// Source: A. Kolganov, 2014.
#include "warp.cuh"

#if READ_ONLY
#define READ(p) __ldg(p)  // a cache that writes do not update: distances may be old, that is, too large
#else
#define READ(p) __ldcg(p)
#endif

// read_distances and distances are the same array.
extern "C" __global__ void ford_bellman(i64 num_edges, const i32* sources, const i32* targets, const Distance* weights,
                                        const Distance* read_distances, Distance* distances, i64 sweep, u32* changed) {
  for (i64 e = thread(); e < num_edges; e += threads()) {
    i32 u = sources[e], v = targets[e];
    Distance u_distance = READ(&read_distances[u]), v_distance = READ(&read_distances[v]), weight = weights[e];
    bool lowers_v = u_distance + weight < v_distance, lowers_u = BOTH && v_distance + weight < u_distance;
    if (lowers_v) distances[v] = u_distance + weight;
    if (lowers_u) distances[u] = v_distance + weight;
    if (lowers_v || lowers_u) *changed = sweep;
  }
}
