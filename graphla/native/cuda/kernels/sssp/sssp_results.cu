// Distances and parents under the caller's numbers; `dist` and `parent` have those of the search.
#include "bits.cuh"

extern "C" __global__ void sssp_results(i64 n, i64 source, const i32* rank, const i32* order, const Distance* dist, i64 infinity,
                                        const u32* parent, Out* distance, u32* has_distance, Parent* parents, u32* has_parent) {
  union { Code code; Distance value; } none;
  none.code = infinity;
  for (i64 v = thread(); v < (n + 31) / 32 * 32; v += threads()) {
    i32 r = v < n ? rank[v] : -1;
    Distance d = r >= 0 ? dist[r] : v == source ? (Distance)0 : none.value;
    bool reached = d != none.value;
    if (v < n) distance[v] = reached ? (Out)d : (Out)0;
    store_bit(has_distance, v, reached);
    if (!parents) continue;  // `parent` has no vertex where no edge is
    if (v < n) parents[v] = v == source ? (Parent)v : reached ? (Parent)order[parent[r]] : 0;
    store_bit(has_parent, v, reached);
  }
}
