// Several levels by push in one launch of one block, whose frontier is in shared memory: until the frontier is empty or larger than
// ROOM. Saves a launch per level for small frontiers.
//
// Work split: one frontier vertex per thread; a block barrier between levels.
// Conflicts: a neighbour is claimed by compare-and-swap and appended with a shared atomic.
// Memory: the rows of the frontier and one level per edge. `frontier` is read first; it gets the last frontier, and during the level
// that outgrows ROOM the vertices beyond. state: the depth reached and the size of that frontier.
// Source: W. Hwu, D. Kirk, I. El Hajj, Programming massively parallel processors, 4th edition, ch. 15.
#include "levels.cuh"

extern "C" __global__ void levels_block(i64 size, i32* frontier, const Offset* offsets, const i32* columns, Level* level, i64 depth,
                                        i64 last_depth, u32* state) {
  __shared__ i32 queues[2][ROOM];
  __shared__ u32 next_size;
  if (blockIdx.x) return;
  for (i64 i = threadIdx.x; i < size; i += blockDim.x) queues[0][i] = frontier[i];
  int current = 0;
  while (size && size <= ROOM && depth < last_depth) {
    depth++;
    if (threadIdx.x == 0) next_size = 0;
    __syncthreads();
    for (i64 i = threadIdx.x; i < size; i += blockDim.x) {
      i32 v = queues[current][i];
      for (i64 p = offsets[v]; p < offsets[v + 1]; p++) {
        if (!claim(level, columns[p], depth)) continue;
        u32 k = atomicAdd(&next_size, 1u);
        if (k < ROOM) queues[1 - current][k] = columns[p];
        else frontier[k] = columns[p];
      }
    }
    __syncthreads();
    size = next_size, current = 1 - current;
    __syncthreads();
  }
  for (i64 i = threadIdx.x; i < min(size, (i64)ROOM); i += blockDim.x) frontier[i] = queues[current][i];
  if (threadIdx.x == 0) state[0] = depth, state[1] = size;
}
