// Brandes's algorithm: numbers of shortest paths down the levels, shares of them up again.
#include "brandes.cuh"

// Carry the paths of this level's vertices, those with a mask in `now`, along their edges.
extern "C" __global__ void push_paths(i64 n, i64 heavy, const Offset* ends, const u32* columns, i64 pieces, const u32* owners,
                                const Offset* begins, const Mask* seen, const Mask* now, Mask* fresh, f64* paths) {
  Rows rows = {n, heavy, ends, columns, pieces, owners, begins};
  each_part(rows, [&](i64 u) { return now[u]; }, [&](const Part& part, Mask here) {
    Counts own = *(const Counts*)&paths[part.v * WIDTH + first_source()];
    for (i64 p = part.begin + lane(); p - lane() < part.end; p += WARP) {
      u32 v = p < part.end ? columns[p] : 0;
      Mask reached = p < part.end ? here & ~seen[v] : 0;
      if (reached & ~fresh[v]) atomicOr(&fresh[v], reached);
      deal(v, reached, [&](const u32* v, const Mask* masks) {
#pragma unroll
        for (int b = 0; b < BATCH; b++)
#pragma unroll
          for (int o = 0; o < OWN; o++)
            if (in(masks[b], first_source() + o)) atomicAdd(&paths[(i64)v[b] * WIDTH + first_source() + o], own.of[o]);
      });
    }
  });
}

// Let each vertex that one of `count` sources has not seen look for it among its in-neighbours.
extern "C" __global__ void __launch_bounds__(256, 4)
    pull_paths(i64 n, i64 heavy, const Offset* ends, const u32* columns, i64 pieces, const u32* owners, const Offset* begins, i64 count,
         const Mask* seen, const Mask* now, Mask* fresh, f64* paths) {
  Rows rows = {n, heavy, ends, columns, pieces, owners, begins};
  each_part(rows, [&](i64 v) { return (Mask)(everyone(count) & ~seen[v]); }, [&](const Part& part, Mask want) {
    Counts sum;
    Mask found = gather(rows, part, want, now, paths, sum);
    if (!found || !in_first_team()) return;
    if (lane() == 0) part.split ? (void)atomicOr(&fresh[part.v], found) : (void)(fresh[part.v] = found);
#pragma unroll
    for (int o = 0; o < OWN; o++) {
      f64* at = &paths[part.v * WIDTH + first_source() + o];
      if (!in(found, first_source() + o)) continue;
      if (part.split) atomicAdd(at, sum.of[o]);
      else *at = sum.of[o];
    }
  });
}

// The fresh masks are the next level: list them; count[0] vertices, and count[1] edges that leave them.
extern "C" __global__ void finish_level(i64 n, const Offset* ends, Mask* seen, Mask* now, Mask* fresh, u32* vertices, Mask* masks, u64* count) {
  u64 edges = 0;
  for (i64 v = thread(); v < n; v += threads()) {
    Mask m = fresh[v];
    if (now[v] != m) now[v] = m;
    if (!m) continue;
    fresh[v] = 0;
    seen[v] |= m;
    edges += ends[v + 1] - ends[v];
    i64 at = append(count);
    vertices[at] = v, masks[at] = m;
  }
  edges = warp_sum(edges);
  if (lane() == 0 && edges) atomicAdd(count + 1, edges);
}

// Write the masks of a level, or zeros.
extern "C" __global__ void write_level_masks(i64 size, const u32* vertices, const Mask* masks, i64 clear, Mask* target) {
  for (i64 k = thread(); k < size; k += threads()) target[vertices[k]] = clear ? 0 : masks[k];
}

// What vertex v carries for the sources in `here`, given the sum over its successors: the factor (1 + delta) / paths
// takes the place of its paths.
__device__ __forceinline__ void settle(i64 v, Mask here, const Counts& sum, const f64* scale, f64* paths, f64* centrality) {
  f64 total = 0;
  Counts* at = (Counts*)&paths[v * WIDTH + first_source()];
  if (in_first_team()) {
    Counts x = *at;
#pragma unroll
    for (int o = 0; o < OWN; o++)
      if (in(here, first_source() + o)) {
        f64 delta = x.of[o] * sum.of[o] * scale[first_source() + o];
        x.of[o] = (1 + delta) / x.of[o];
        total += delta;
      }
    *at = x;
  }
  for (int d = 1; d < TEAM; d *= 2) total += from_lane(total, lane() ^ d);
  if (lane() == 0 && total != 0) centrality[v] += total;
}

// Add up what the vertices of a level, marked in `here`, carry to those marked in `now`; hubs do so in pieces.
extern "C" __global__ void __launch_bounds__(256, 4)
    accumulate_dependencies(i64 n, i64 heavy, const Offset* ends, const u32* columns, i64 pieces, const u32* owners, const Offset* begins,
          const Mask* here, const Mask* now, const f64* scale, f64* paths, f64* sums, f64* centrality) {
  Rows rows = {n, heavy, ends, columns, pieces, owners, begins};
  each_part(rows, [&](i64 u) { return here[u]; }, [&](const Part& part, Mask mask) {
    Counts sum;
    Mask found = gather(rows, part, mask, now, paths, sum);
    if (!part.split) return settle(part.v, mask, sum, scale, paths, centrality);
    if (!in_first_team()) return;
#pragma unroll
    for (int o = 0; o < OWN; o++)
      if (in(found, first_source() + o)) atomicAdd(&sums[part.v * WIDTH + first_source() + o], sum.of[o]);
  });
}

extern "C" __global__ void finish_hubs(i64 heavy, const Mask* here, const f64* scale, f64* paths, f64* sums, f64* centrality) {
  for (i64 v = warp(); v < heavy; v += warps()) {
    if (!here[v]) continue;
    Counts* sum = (Counts*)&sums[v * WIDTH + first_source()];
    settle(v, here[v], *sum, scale, paths, centrality);
    if (in_first_team()) *sum = Counts();
  }
}

// The largest and the smallest count of each source on a level; positive floats are in the order of their bits.
extern "C" __global__ void path_count_extremes(i64 size, const u32* vertices, const Mask* masks, const u64* paths, u64* high, u64* low) {
  for (i64 t = thread(); t < size * WIDTH; t += threads()) {
    int s = t % WIDTH;
    if (!in(masks[t / WIDTH], s)) continue;
    u64 x = paths[(i64)vertices[t / WIDTH] * WIDTH + s];
    atomicMax(&high[s], x);
    atomicMin(&low[s], x);
  }
}

extern "C" __global__ void rescale_paths(i64 size, const u32* vertices, const Mask* masks, const f64* scale, f64* paths) {
  for (i64 t = thread(); t < size * WIDTH; t += threads()) {
    int s = t % WIDTH;
    if (in(masks[t / WIDTH], s)) paths[(i64)vertices[t / WIDTH] * WIDTH + s] *= scale[s];
  }
}
