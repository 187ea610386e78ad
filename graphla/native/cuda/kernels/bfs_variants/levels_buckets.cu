// One level by push from a frontier in three buckets by degree:  for v in bucket, u in out(v), u not reached:  level(u) = depth,
// append u to its bucket of the next frontier.
//
// Work split: a team of threads per vertex: one thread for degrees below MEDIUM, a warp below LARGE, else a block; one launch per
// bucket.
// Conflicts: a neighbour is claimed by compare-and-swap and appended with a global atomic on its bucket's counter.
// Memory: the rows of the bucket, one level per edge, and the degree of each new vertex.
// Source: D. Merrill, M. Garland, PPoPP 2012.
#include "levels.cuh"

// Append u to its bucket of the next frontier, which has three lists of n places and three sizes.
__device__ __forceinline__ void append(i64 n, const Offset* offsets, i32 u, i32* next_frontier, u32* next_sizes) {
  i64 degree = offsets[u + 1] - offsets[u];
  int bucket = degree < MEDIUM ? 0 : degree < LARGE ? 1 : 2;
  next_frontier[bucket * n + atomicAdd(&next_sizes[bucket], 1u)] = u;
}

// team_size: threads of a team, at most a block.
extern "C" __global__ void levels_buckets(i64 size, i64 n, const i32* frontier, i64 team_size, const Offset* offsets, const i32* columns,
                                          Level* level, i64 depth, i32* next_frontier, u32* next_sizes) {
  if (team_size > blockDim.x) team_size = blockDim.x;
  i64 rank_in_team = thread() % team_size, teams = threads() / team_size;
  for (i64 i = thread() / team_size; i < size; i += teams) {
    i32 v = frontier[i];
    for (i64 p = offsets[v] + rank_in_team; p < offsets[v + 1]; p += team_size)
      if (claim(level, columns[p], depth)) append(n, offsets, columns[p], next_frontier, next_sizes);
  }
}
