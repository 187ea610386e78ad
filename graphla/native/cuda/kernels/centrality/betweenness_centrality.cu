// Betweenness centrality by Brandes's algorithm from up to WIDTH sources at once, level by level:
//     forward:   paths(v, s) = sum of paths(u, s) over edges u -> v with s in frontier(u), not in visited(v)
//     backward:  delta(u, s) = paths(u, s) * sum of (1 + delta(v, s)) / paths(v, s) over edges u -> v, s in the masks of u on this
//                level and of v on the next;    centrality(u) += sum of delta(u, s) over s
//
// Work split: see brandes.cuh. A level is pushed along the rows of the frontier, or pulled along the rows of vertices that some
// source has not visited.
// Conflicts: a push adds path counts and sets masks by atomics; a pull and the backward step do so for pieces of long rows only.
// The last bits of sums may differ from run to run.
// Memory: reads a mask per edge and, for common sources, WIDTH path counts; writes those of the reached vertices.
// Source: U. Brandes, J. Mathematical Sociology 25 (2001); M. Then et al., VLDB 2014.
#include "brandes.cuh"

// Forward step by push: add the path counts of the frontier's vertices to those of their unvisited successors.
extern "C" __global__ void push_paths(i64 n, i64 split_rows, const Offset* row_offsets, const u32* columns, i64 pieces, const u32* piece_rows,
                                      const Offset* piece_begins, const Mask* visited, const Mask* frontier, Mask* next_frontier, f64* paths) {
  Rows rows = {n, split_rows, row_offsets, columns, pieces, piece_rows, piece_begins};
  for_each_part(rows, [&](i64 u) { return frontier[u]; }, [&](const Part& part, Mask sources) {
    Counts vertex_counts = *(const Counts*)&paths[part.v * WIDTH + first_source()];
    for (i64 p = part.begin + lane(); p - lane() < part.end; p += WARP) {
      u32 v = p < part.end ? columns[p] : 0;
      Mask reached = p < part.end ? sources & ~visited[v] : 0;
      if (reached & ~next_frontier[v]) atomicOr(&next_frontier[v], reached);
      distribute_columns(v, reached, [&](const u32* v, const Mask* masks) {
#pragma unroll
        for (int b = 0; b < BATCH; b++)
#pragma unroll
          for (int o = 0; o < OWN; o++)
            if (contains(masks[b], first_source() + o)) atomicAdd(&paths[(i64)v[b] * WIDTH + first_source() + o], vertex_counts.of[o]);
      });
    }
  });
}

// Forward step by pull: each vertex that one of source_count sources has not visited sums the path counts of its in-neighbours in
// the frontier.
extern "C" __global__ void __launch_bounds__(256, 4)
    pull_paths(i64 n, i64 split_rows, const Offset* row_offsets, const u32* columns, i64 pieces, const u32* piece_rows, const Offset* piece_begins,
               i64 source_count, const Mask* visited, const Mask* frontier, Mask* next_frontier, f64* paths) {
  Rows rows = {n, split_rows, row_offsets, columns, pieces, piece_rows, piece_begins};
  for_each_part(rows, [&](i64 v) { return (Mask)(all_sources(source_count) & ~visited[v]); }, [&](const Part& part, Mask unvisited) {
    Counts sum;
    Mask reached = sum_frontier_columns(rows, part, unvisited, frontier, paths, sum);
    if (!reached || !in_first_team()) return;
    if (lane() == 0) part.is_piece ? (void)atomicOr(&next_frontier[part.v], reached) : (void)(next_frontier[part.v] = reached);
#pragma unroll
    for (int o = 0; o < OWN; o++) {
      f64* count = &paths[part.v * WIDTH + first_source() + o];
      if (!contains(reached, first_source() + o)) continue;
      if (part.is_piece) atomicAdd(count, sum.of[o]);
      else *count = sum.of[o];
    }
  });
}

// Make next_frontier the frontier, clear it, and list it as `vertices` with `masks`. counts[0]: the vertices, counts[1]: the edges
// that leave them; both are 0 before. Work split: one vertex per thread.
extern "C" __global__ void finish_level(i64 n, const Offset* row_offsets, Mask* visited, Mask* frontier, Mask* next_frontier, u32* vertices,
                                        Mask* masks, u64* counts) {
  u64 edges = 0;
  for (i64 v = thread(); v < n; v += threads()) {
    Mask mask = next_frontier[v];
    if (frontier[v] != mask) frontier[v] = mask;
    if (!mask) continue;
    next_frontier[v] = 0;
    visited[v] |= mask;
    edges += row_offsets[v + 1] - row_offsets[v];
    i64 place = append(counts);
    vertices[place] = v, masks[place] = mask;
  }
  edges = warp_sum(edges);
  if (lane() == 0 && edges) atomicAdd(counts + 1, edges);
}

// Write the masks of a level's vertices to an array over all vertices, or zeros.
extern "C" __global__ void write_level_masks(i64 size, const u32* vertices, const Mask* masks, i64 clear, Mask* target) {
  for (i64 k = thread(); k < size; k += threads()) target[vertices[k]] = clear ? 0 : masks[k];
}

// Finish vertex v: delta from the sum over its successors. (1 + delta) / paths replaces paths(v, s), as the next backward step sums
// these. `scale` corrects for the scaling of the successors' path counts.
__device__ __forceinline__ void finish_dependency(i64 v, Mask sources, const Counts& sum, const f64* scale, f64* paths, f64* centrality) {
  f64 total = 0;
  Counts* counts = (Counts*)&paths[v * WIDTH + first_source()];
  if (in_first_team()) {
    Counts x = *counts;
#pragma unroll
    for (int o = 0; o < OWN; o++)
      if (contains(sources, first_source() + o)) {
        f64 delta = x.of[o] * sum.of[o] * scale[first_source() + o];
        x.of[o] = (1 + delta) / x.of[o];
        total += delta;
      }
    *counts = x;
  }
  for (int distance = 1; distance < TEAM; distance *= 2) total += from_lane(total, lane() ^ distance);
  if (lane() == 0 && total != 0) centrality[v] += total;
}

// Backward step: sum over the successors of the vertices of a level (masks `level`) on the next one (masks `successors`). Whole rows
// are finished at once; pieces of long rows add to `piece_sums`, which finish_hubs reads.
extern "C" __global__ void __launch_bounds__(256, 4)
    accumulate_dependencies(i64 n, i64 split_rows, const Offset* row_offsets, const u32* columns, i64 pieces, const u32* piece_rows,
                            const Offset* piece_begins, const Mask* level, const Mask* successors, const f64* scale, f64* paths, f64* piece_sums,
                            f64* centrality) {
  Rows rows = {n, split_rows, row_offsets, columns, pieces, piece_rows, piece_begins};
  for_each_part(rows, [&](i64 u) { return level[u]; }, [&](const Part& part, Mask sources) {
    Counts sum;
    Mask reached = sum_frontier_columns(rows, part, sources, successors, paths, sum);
    if (!part.is_piece) return finish_dependency(part.v, sources, sum, scale, paths, centrality);
    if (!in_first_team()) return;
#pragma unroll
    for (int o = 0; o < OWN; o++)
      if (contains(reached, first_source() + o)) atomicAdd(&piece_sums[part.v * WIDTH + first_source() + o], sum.of[o]);
  });
}

// Finish the long rows of a level, and clear their sums. Work split: one warp per row.
extern "C" __global__ void finish_hubs(i64 split_rows, const Mask* level, const f64* scale, f64* paths, f64* piece_sums, f64* centrality) {
  for (i64 v = warp(); v < split_rows; v += warps()) {
    if (!level[v]) continue;
    Counts* sum = (Counts*)&piece_sums[v * WIDTH + first_source()];
    finish_dependency(v, level[v], *sum, scale, paths, centrality);
    if (in_first_team()) *sum = Counts();
  }
}

// The largest and the smallest path count of each source on a level. Positive floats have the order of their bits as integers.
extern "C" __global__ void path_count_extremes(i64 size, const u32* vertices, const Mask* masks, const u64* paths, u64* largest, u64* smallest) {
  for (i64 t = thread(); t < size * WIDTH; t += threads()) {
    int s = t % WIDTH;
    if (!contains(masks[t / WIDTH], s)) continue;
    u64 count = paths[(i64)vertices[t / WIDTH] * WIDTH + s];
    atomicMax(&largest[s], count);
    atomicMin(&smallest[s], count);
  }
}

// Multiply the path counts of a level by scale[s].
extern "C" __global__ void rescale_paths(i64 size, const u32* vertices, const Mask* masks, const f64* scale, f64* paths) {
  for (i64 t = thread(); t < size * WIDTH; t += threads()) {
    int s = t % WIDTH;
    if (contains(masks[t / WIDTH], s)) paths[(i64)vertices[t / WIDTH] * WIDTH + s] *= scale[s];
  }
}
