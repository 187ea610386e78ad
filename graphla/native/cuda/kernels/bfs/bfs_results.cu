// Levels and parents as bitmap vectors in the caller's numbering, from the tree nodes of a search.
//
// Work split: bfs_results: a lane takes BATCH vertices, WARP apart, so that their dependent loads are in flight together.
// bfs_results_in_order, if the numberings agree: a lane takes two adjacent vertices.
// Conflicts: none; a warp writes whole words of presence bits.
// Memory: each vertex's rank, node and order[parent] are read; the values are written past the cache, which the tree needs.
#include "bits.cuh"

enum { BATCH = 4 };

// A node is the level above level_shift bits of the parent, both in the numbering of the search: order[k] is vertex number k,
// rank[v] the number of v, -1 if it is isolated. All level bits set: the level is in deep_levels. All bits set: not reached.
extern "C" __global__ void bfs_results(i64 n, i64 source, const i32* rank, const i32* order, const u32* tree, const u32* deep_levels,
                                       Level* levels, u32* level_bits, Parent* parents, u32* parent_bits, i64 level_shift) {
  const u32 NONE = ~0u, DEEP = (1ull << (32 - level_shift)) - 1, PARENT = (1ull << level_shift) - 1;
  i64 padded_n = (n + 31) / 32 * 32;
  for (i64 base = warp() * BATCH * WARP; base < padded_n; base += warps() * BATCH * WARP) {
    i32 number[BATCH];
    u32 node[BATCH];
    Parent parent[BATCH];
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      i64 v = base + k * WARP + lane();
      number[k] = v < n ? rank[v] : -1;
    }
#pragma unroll
    for (int k = 0; k < BATCH; k++) node[k] = number[k] >= 0 ? tree[number[k]] : NONE;
#pragma unroll
    for (int k = 0; k < BATCH; k++) parent[k] = node[k] != NONE ? order[node[k] & PARENT] : 0;
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      i64 v = base + k * WARP + lane();
      if (base + k * WARP >= padded_n) break;
      bool is_reached = node[k] != NONE || v == source;
      u32 level = node[k] == NONE ? 0 : node[k] >> level_shift;
      if (node[k] != NONE && level == DEEP) level = deep_levels[number[k]];
      if (v < n) {
        __stcs(&levels[v], (Level)level);
        __stcs(&parents[v], v == source ? (Parent)v : parent[k]);
      }
      store_bit(level_bits, v, is_reached);
      store_bit(parent_bits, v, is_reached);
    }
  }
}

struct alignas(8) NodePair { u32 of[2]; };
template <class T> struct alignas(2 * sizeof(T)) ValuePair { T of[2]; };

// Write the pair, or only its first value; in one store if the address allows it, which rows of a table may not.
template <class T> __device__ __forceinline__ void write(T* values, const ValuePair<T>& pair, bool has_both) {
  if (has_both && (u64)values % sizeof(pair) == 0) *(ValuePair<T>*)values = pair;
  else {
    values[0] = pair.of[0];
    if (has_both) values[1] = pair.of[1];
  }
}

// The search went through the vertices below num_searched; the others have no edges.
extern "C" __global__ void bfs_results_in_order(i64 n, i64 source, i64 num_searched, const u32* tree, const u32* deep_levels, Level* levels,
                                                u32* level_bits, Parent* parents, u32* parent_bits, i64 level_shift) {
  const u32 NONE = ~0u, DEEP = (1ull << (32 - level_shift)) - 1, PARENT = (1ull << level_shift) - 1;
  auto node_of = [&](i64 v) { return v < num_searched ? tree[v] : NONE; };
  i64 padded_n = (n + 31) / 32 * 32;
  for (i64 base = warp() * 2 * WARP; base < padded_n; base += warps() * 2 * WARP) {
    i64 first = base + 2 * lane();
    if (first < num_searched || source / 2 == first / 2) {
      NodePair nodes = first + 1 < num_searched ? *(const NodePair*)&tree[first] : NodePair{{node_of(first), node_of(first + 1)}};
      ValuePair<Level> level_pair;
      ValuePair<Parent> parent_pair;
#pragma unroll
      for (int k = 0; k < 2; k++) {
        u32 node = nodes.of[k];
        level_pair.of[k] = node == NONE ? 0 : node >> level_shift, parent_pair.of[k] = node == NONE ? 0 : node & PARENT;
        if (node != NONE && node >> level_shift == DEEP) level_pair.of[k] = deep_levels[first + k];
        if (first + k == source) parent_pair.of[k] = source;
      }
      write(&levels[first], level_pair, first + 1 < n);
      write(&parents[first], parent_pair, first + 1 < n);
    }
#pragma unroll
    for (int k = 0; k < 2; k++) {
      i64 v = base + k * WARP + lane();
      if (base + k * WARP >= padded_n) break;
      bool is_reached = node_of(v) != NONE || v == source;
      store_bit(level_bits, v, is_reached);
      store_bit(parent_bits, v, is_reached);
    }
  }
}
