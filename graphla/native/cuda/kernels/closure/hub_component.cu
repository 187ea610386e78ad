// Transitive closure through the strong component C of a hub:
//     closure(i, j) = (i reaches C and C reaches j) or inner(i, j)
// with `inner` the closure of the graph without C, a bit matrix under new numbers of the vertices.
//   hub_distances                breadth-first search from and to the hub, in one cooperative launch
//   relation_outside_component   the edges between vertices outside C, as bits
//   describe_columns, assemble_closure   the closure, word by word
//
// Conflicts: all writers of a distance, or of `last_level`, write the same value; bits are set by atomicOr.
// Memory: the searches read n distances per level, and the rows of the frontier; the closure is written once, 32 columns per
// thread, and reads two words of `inner` for each.
#include "grid.cuh"
#include "bits.cuh"
#include "rows.cuh"

// One level of a search: neighbours without a distance of vertices at distance d get d + 1. Work split: a warp finds frontier
// vertices among 32, and reads their rows one after the other.
__device__ __forceinline__ bool expand_level(i64 n, const Offset* row_offsets, const Index* columns, i32* distance, i32 d) {
  bool has_grown = false;
  for (i64 first = warp() * WARP; first < n; first += warps() * WARP) {
    i64 v = first + lane();
    for (u32 frontier_lanes = ballot(v < n && distance[v] == d); frontier_lanes; frontier_lanes &= frontier_lanes - 1) {
      i64 u = first + __ffs(frontier_lanes) - 1;
      for (i64 p = row_offsets[u] + lane(); p < row_offsets[u + 1]; p += WARP)
        if (distance[columns[p]] < 0) distance[columns[p]] = d + 1, has_grown = true;
    }
  }
  return has_grown;
}

// Distances from the vertices at distance 0 (`from_hub`), and to them (`to_hub`), up to max_levels; -1 elsewhere. *last_level
// becomes the largest distance: if that is max_levels, the searches may have been cut off.
extern "C" __global__ void hub_distances(i64 n, const Offset* out_offsets, const Index* out_columns, const Offset* in_offsets,
                                         const Index* in_columns, i32* from_hub, i32* to_hub, i64 max_levels, u32* arrived, i32* last_level) {
  __shared__ i32 shared_last;
  for (i32 d = 0; d < max_levels; d++) {
    bool has_grown = expand_level(n, out_offsets, out_columns, from_hub, d);
    has_grown |= expand_level(n, in_offsets, in_columns, to_hub, d);
    if (has_grown) *last_level = d + 1;
    grid_barrier(arrived);
    if (threadIdx.x == 0) shared_last = __ldcg(last_level);
    __syncthreads();
    if (shared_last <= d) return;
  }
}

// number[v] is the number of v among the vertices outside C, -1 in C. `words` are 0 before. Work split: one entry per thread.
extern "C" __global__ void relation_outside_component(i64 nvals, i64 n, const Offset* indptr, const Index* indices, const i32* number,
                                                      i64 row_quads, u32* words) {
  for_each_entry(indptr, n, nvals, [&](i64 i, i64 p) {
    i64 j = indices[p];
    if (number[i] >= 0 && number[j] >= 0) set(words + number[i] * row_quads * 4, number[j]);
  });
}

// Of 32 columns: bits of those that C reaches and of those outside C, and the first number among the latter.
struct Columns {
  u32 reached, outside, first_number, unused;
};

extern "C" __global__ void describe_columns(i64 row_words, i64 n, const i32* from_hub, const i32* number, Columns* columns) {
  for (i64 w = thread(); w < row_words; w += threads()) {
    Columns c = {};
    for (i64 j = min(32 * w + 32, n) - 1; j >= 32 * w; j--) {
      c.reached |= (u32)(from_hub[j] >= 0) << (j & 31);
      if (number[j] >= 0) c.outside |= 1u << (j & 31), c.first_number = number[j];
    }
    columns[w] = c;
  }
}

// One word of the closure per thread. The bits of `inner` for the outside columns are consecutive, from first_number on, and are
// spread to the positions of these columns.
extern "C" __global__ void assemble_closure(i64 n, i64 row_words, const Columns* columns, const i32* to_hub, const i32* number,
                                            i64 inner_row_words, const u32* inner, u32* words) {
  for (i64 p = thread(); p < n * row_words; p += threads()) {
    i64 i = p / row_words;
    Columns c = columns[p % row_words];
    u32 word = to_hub[i] >= 0 ? c.reached : 0;
    if (number[i] >= 0 && c.outside) {
      const u32* inner_row = inner + number[i] * inner_row_words;
      i64 w = c.first_number / 32;
      u64 inner_bits = inner_row[w] | (u64)(w + 1 < inner_row_words ? inner_row[w + 1] : 0) << 32;
      inner_bits >>= c.first_number % 32;
      if (inner_bits)
        for (u32 outside = c.outside; outside; outside &= outside - 1, inner_bits >>= 1) word |= (u32)(inner_bits & 1) << (__ffs(outside) - 1);
    }
    words[p] = word;
  }
}
