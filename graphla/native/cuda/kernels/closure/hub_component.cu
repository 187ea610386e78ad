// The strong component of a hub, and the closure of a graph from that of the graph without it.
#include "grid.cuh"
#include "bits.cuh"
#include "rows.cuh"

// The vertices at distance d lead to those at distance d + 1; a warp takes a row.
__device__ __forceinline__ bool reach_further(i64 n, const Offset* ends, const Index* columns, i32* level, i32 d) {
  bool grown = false;
  for (i64 first = warp() * WARP; first < n; first += warps() * WARP) {
    i64 v = first + lane();
    for (u32 left = ballot(v < n && level[v] == d); left; left &= left - 1) {
      i64 u = first + __ffs(left) - 1;
      for (i64 p = ends[u] + lane(); p < ends[u + 1]; p += WARP)
        if (level[columns[p]] < 0) level[columns[p]] = d + 1, grown = true;
    }
  }
  return grown;
}

// Distances from, and to, the vertices at distance 0, up to `deepest`; *last is one more than the largest, at least.
extern "C" __global__ void hub_distances(i64 n, const Offset* out_ends, const Index* out, const Offset* in_ends, const Index* in, i32* from,
                                 i32* to, i64 deepest, u32* arrived, i32* last) {
  __shared__ i32 seen;
  for (i32 d = 0; d < deepest; d++) {
    bool grown = reach_further(n, out_ends, out, from, d);
    grown |= reach_further(n, in_ends, in, to, d);
    if (grown) *last = d + 1;  // all that is written in a round is the same
    grid_barrier(arrived);
    if (threadIdx.x == 0) seen = __ldcg(last);
    __syncthreads();
    if (seen <= d) return;
  }
}

// The relation of the vertices outside of the component, where number[v] >= 0, under these numbers.
extern "C" __global__ void relation_outside_component(i64 nvals, i64 n, const Offset* indptr, const Index* indices, const i32* number, i64 across,
                                       u32* words) {
  for_each_entry(indptr, n, nvals, [&](i64 i, i64 p) {
    i64 j = indices[p];
    if (number[i] >= 0 && number[j] >= 0) set(words + number[i] * across * 4, number[j]);
  });
}

// Of 32 columns: those that the component reaches, those outside of it, and the first number among these.
struct Columns {
  u32 reached, others, first, unused;
};

extern "C" __global__ void describe_columns(i64 size, i64 n, const i32* from, const i32* number, Columns* columns) {
  for (i64 w = thread(); w < size; w += threads()) {
    Columns c = {};
    for (i64 j = min(32 * w + 32, n) - 1; j >= 32 * w; j--) {
      c.reached |= (u32)(from[j] >= 0) << (j & 31);
      if (number[j] >= 0) c.others |= 1u << (j & 31), c.first = number[j];
    }
    columns[w] = c;
  }
}

// Row i of the closure: what the component reaches, if i reaches it, and, if i is outside of it, its row in `inner`.
extern "C" __global__ void assemble_closure(i64 n, i64 size, const Columns* columns, const i32* to, const i32* number, i64 inner_size,
                                    const u32* inner, u32* words) {
  for (i64 p = thread(); p < n * size; p += threads()) {
    i64 i = p / size;
    Columns c = columns[p % size];
    u32 x = to[i] >= 0 ? c.reached : 0;
    if (number[i] >= 0 && c.others) {
      const u32* row = inner + number[i] * inner_size;
      i64 w = c.first / 32;
      u64 bits = row[w] | (u64)(w + 1 < inner_size ? row[w + 1] : 0) << 32;
      bits >>= c.first % 32;
      if (bits)
        for (u32 left = c.others; left; left &= left - 1, bits >>= 1) x |= (u32)(bits & 1) << (__ffs(left) - 1);
    }
    words[p] = x;
  }
}
