// Several levels in one launch, by one block whose frontier is in shared memory, until none is left or one
// has outgrown it. state: depth reached, size of the frontier.
#include "levels.cuh"

extern "C" __global__ void levels_block(i64 size, i32* frontier, const Offset* ends, const i32* rows, Level* level,
                                        i64 depth, i64 last, u32* state) {
  __shared__ i32 queues[2][ROOM];
  __shared__ u32 count;
  if (blockIdx.x) return;
  for (i64 i = threadIdx.x; i < size; i += blockDim.x) queues[0][i] = frontier[i];
  int now = 0;
  while (size && size <= ROOM && depth < last) {
    depth++;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    for (i64 i = threadIdx.x; i < size; i += blockDim.x) {
      i32 v = queues[now][i];
      for (i64 p = ends[v]; p < ends[v + 1]; p++) {
        if (!claim(level, rows[p], depth)) continue;
        u32 k = atomicAdd(&count, 1u);
        if (k < ROOM) queues[1 - now][k] = rows[p];
        else frontier[k] = rows[p];
      }
    }
    __syncthreads();
    size = count, now = 1 - now;
    __syncthreads();
  }
  for (i64 i = threadIdx.x; i < min(size, (i64)ROOM); i += blockDim.x) frontier[i] = queues[now][i];
  if (threadIdx.x == 0) state[0] = depth, state[1] = size;
}
