// One sweep of Ford and Bellman's relaxations over all edges; nothing has to be done in order. A smaller distance
// that another thread's write has lost is written again in the next sweep.
#include "warp.cuh"

#if READ_ONLY
#define READ(p) __ldg(p)  // a cache that writes do not reach: what is there may be old, and never too small
#else
#define READ(p) __ldcg(p)
#endif

// `dist` and `read` are the same distances. With BOTH an edge is stored once and relaxed both ways.
extern "C" __global__ void ford_bellman(i64 edges, const i32* starts, const i32* ends, const Distance* weights, const Distance* read,
                                        Distance* dist, i64 sweep, u32* changed) {
  for (i64 e = thread(); e < edges; e += threads()) {
    i32 u = starts[e], v = ends[e];
    Distance from = READ(&read[u]), to = READ(&read[v]), weight = weights[e];
    bool forth = from + weight < to, back = BOTH && to + weight < from;
    if (forth) dist[v] = from + weight;
    if (back) dist[u] = to + weight;
    if (forth || back) *changed = sweep;
  }
}
