// The frontier in three buckets by degree: small rows are a thread's, medium ones a warp's, large ones a block's.
#include "levels.cuh"

// Append a vertex to the bucket of its degree in the next frontier: three lists of n, three counts.
__device__ __forceinline__ void append(i64 n, const Offset* ends, i32 u, i32* next, u32* counts) {
  i64 degree = ends[u + 1] - ends[u];
  int bucket = degree < MEDIUM ? 0 : degree < LARGE ? 1 : 2;
  next[bucket * n + atomicAdd(&counts[bucket], 1u)] = u;
}

// Expand one bucket, `team` threads to a vertex: 1, those of a warp, or those of a block.
extern "C" __global__ void levels_buckets(i64 size, i64 n, const i32* frontier, i64 team, const Offset* ends,
                                          const i32* rows, Level* level, i64 depth, i32* next, u32* counts) {
  if (team > blockDim.x) team = blockDim.x;
  i64 mine = thread() % team, teams = threads() / team;
  for (i64 i = thread() / team; i < size; i += teams) {
    i32 v = frontier[i];
    for (i64 p = ends[v] + mine; p < ends[v + 1]; p += team)
      if (claim(level, rows[p], depth)) append(n, ends, rows[p], next, counts);
  }
}
