// Distances and parents as bitmap vectors in the caller's numbering, from those of a search.
//
// Work split: one vertex per thread. Conflicts: none; a warp writes whole words of presence bits.
// Memory: each vertex's rank, distance and parent are read once, the latter two at random.
#include "bits.cuh"

// order[k] is vertex number k of the search, rank[v] the number of v, -1 if it is isolated. Without parent_values no parents are
// written.
extern "C" __global__ void sssp_results(i64 n, i64 source, const i32* rank, const i32* order, const Distance* distances, i64 infinity_code,
                                        const u32* parents, Out* distance_values, u32* distance_bits, Parent* parent_values, u32* parent_bits) {
  union { Code code; Distance value; } infinity;
  infinity.code = infinity_code;
  for (i64 v = thread(); v < (n + 31) / 32 * 32; v += threads()) {
    i32 number = v < n ? rank[v] : -1;
    Distance distance = number >= 0 ? distances[number] : v == source ? (Distance)0 : infinity.value;
    bool is_reached = distance != infinity.value;
    if (v < n) distance_values[v] = is_reached ? (Out)distance : (Out)0;
    store_bit(distance_bits, v, is_reached);
    if (!parent_values) continue;
    if (v < n) parent_values[v] = v == source ? (Parent)v : is_reached ? (Parent)order[parents[number]] : 0;
    store_bit(parent_bits, v, is_reached);
  }
}
