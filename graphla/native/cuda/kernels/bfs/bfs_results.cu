// Levels and parents under the caller's numbers, from the tree of a search.
#include "bits.cuh"

enum { BATCH = 4 };  // vertices that a lane has in flight

extern "C" __global__ void bfs_results(i64 n, i64 source, const i32* rank, const i32* order, const u32* tree, const u32* deep,
                                       Level* level, u32* has_level, Parent* parent, u32* has_parent, i64 shift) {
  const u32 NONE = ~0u, DEEP = (1ull << (32 - shift)) - 1, VERTEX = (1ull << shift) - 1;
  i64 last = (n + 31) / 32 * 32;
  for (i64 base = warp() * BATCH * WARP; base < last; base += warps() * BATCH * WARP) {
    i32 r[BATCH];
    u32 node[BATCH];
    Parent above[BATCH];
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      i64 v = base + k * WARP + lane();
      r[k] = v < n ? rank[v] : -1;
    }
#pragma unroll
    for (int k = 0; k < BATCH; k++) node[k] = r[k] >= 0 ? tree[r[k]] : NONE;
#pragma unroll
    for (int k = 0; k < BATCH; k++) above[k] = node[k] != NONE ? order[node[k] & VERTEX] : 0;
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      i64 v = base + k * WARP + lane();
      if (base + k * WARP >= last) break;
      bool reached = node[k] != NONE || v == source;
      u32 depth = node[k] == NONE ? 0 : node[k] >> shift;
      if (node[k] != NONE && depth == DEEP) depth = deep[r[k]];
      if (v < n) {
        __stcs(&level[v], (Level)depth);  // past the cache, which the tree needs
        __stcs(&parent[v], v == source ? (Parent)v : above[k]);
      }
      store_bit(has_level, v, reached);
      store_bit(has_parent, v, reached);
    }
  }
}

struct alignas(8) Nodes { u32 of[2]; };
template <class T> struct alignas(2 * sizeof(T)) Values { T of[2]; };

// A row of a table may begin between two places for both.
template <class T> __device__ __forceinline__ void write(T* to, const Values<T>& x, bool both) {
  if (both && (u64)to % sizeof(x) == 0) *(Values<T>*)to = x;
  else {
    to[0] = x.of[0];
    if (both) to[1] = x.of[1];
  }
}

// Likewise where the caller's numbers are those of the search, which has gone through `searched` vertices; the others
// have no edges. A lane writes the values of two vertices, and then the bits of others.
extern "C" __global__ void bfs_copy(i64 n, i64 source, i64 searched, const u32* tree, const u32* deep, Level* level, u32* has_level,
                                    Parent* parent, u32* has_parent, i64 shift) {
  const u32 NONE = ~0u, DEEP = (1ull << (32 - shift)) - 1, VERTEX = (1ull << shift) - 1;
  auto node = [&](i64 v) { return v < searched ? tree[v] : NONE; };
  i64 last = (n + 31) / 32 * 32;
  for (i64 base = warp() * 2 * WARP; base < last; base += warps() * 2 * WARP) {
    i64 first = base + 2 * lane();
    if (first < searched || source / 2 == first / 2) {
      Nodes pair = first + 1 < searched ? *(const Nodes*)&tree[first] : Nodes{{node(first), node(first + 1)}};
      Values<Level> depths;
      Values<Parent> parents;
#pragma unroll
      for (int k = 0; k < 2; k++) {
        u32 x = pair.of[k];
        depths.of[k] = x == NONE ? 0 : x >> shift, parents.of[k] = x == NONE ? 0 : x & VERTEX;
        if (x != NONE && x >> shift == DEEP) depths.of[k] = deep[first + k];
        if (first + k == source) parents.of[k] = source;
      }
      write(&level[first], depths, first + 1 < n);
      write(&parent[first], parents, first + 1 < n);
    }
#pragma unroll
    for (int k = 0; k < 2; k++) {
      i64 v = base + k * WARP + lane();
      if (base + k * WARP >= last) break;
      bool reached = node(v) != NONE || v == source;
      store_bit(has_level, v, reached);
      store_bit(has_parent, v, reached);
    }
  }
}
