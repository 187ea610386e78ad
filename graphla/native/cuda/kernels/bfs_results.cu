// Levels and parents under the caller's numbers, from the tree of a search.
#include "bits.cuh"

enum { BATCH = 4 };  // vertices that a lane has in flight

// `order` and `rank` are null where the caller's numbers are those of the search, of whose vertices there are `searched`.
// The caches are for `order`, in which hubs are asked for again and again: what is read or written once goes past them.
extern "C" __global__ void bfs_results(i64 n, i64 source, i64 searched, const i32* rank, const i32* order, const u32* tree,
                                       const u32* deep, i64* level, u32* has_level, i64* parent, u32* has_parent, i64 shift) {
  const u32 NONE = ~0u, DEEP = (1ull << (32 - shift)) - 1, VERTEX = (1ull << shift) - 1;
  i64 last = (n + 31) / 32 * 32;
  for (i64 base = warp() * BATCH * WARP; base < last; base += warps() * BATCH * WARP) {
    i32 r[BATCH];
    u32 node[BATCH];
    i64 above[BATCH];
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      i64 v = base + k * WARP + lane();
      r[k] = !rank ? (v < searched ? v : -1) : v < n ? __ldcs(&rank[v]) : -1;
    }
#pragma unroll
    for (int k = 0; k < BATCH; k++) node[k] = r[k] >= 0 ? __ldcg(&tree[r[k]]) : NONE;
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      u32 p = node[k] & VERTEX;
      above[k] = node[k] != NONE && order ? order[p] : p;
    }
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      i64 v = base + k * WARP + lane();
      if (base + k * WARP >= last) break;
      bool reached = node[k] != NONE || v == source;
      u32 depth = node[k] == NONE ? 0 : node[k] >> shift;
      if (node[k] != NONE && depth == DEEP) depth = deep[r[k]];
      u32 entries = ballot(reached);
      if (v < n && entries >> (lane() & ~3) & 15) {  // a sector of four values, written where one is an entry
        __stcs(&level[v], (i64)depth);
        __stcs(&parent[v], v == source ? v : above[k]);
      }
      put(has_level, v, reached);
      put(has_parent, v, reached);
    }
  }
}
