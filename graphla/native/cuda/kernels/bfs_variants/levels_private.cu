// The frontier again, but a block appends to a queue of its own in shared memory, which it copies out at the
// end, side by side. What finds that full goes straight to the next frontier.
#include "levels.cuh"

enum { ROOM = 4096 };

extern "C" __global__ void levels_private(i64 size, const i32* frontier, const Offset* ends, const i32* rows,
                                          Level* level, i64 depth, i32* next, u32* count) {
  __shared__ i32 queue[ROOM];
  __shared__ u32 queued, first;
  if (threadIdx.x == 0) queued = 0;
  __syncthreads();
  for (i64 i = thread(); i < size; i += threads()) {
    i32 v = frontier[i];
    for (i64 p = ends[v]; p < ends[v + 1]; p++) {
      if (!claim(level, rows[p], depth)) continue;
      u32 k = atomicAdd(&queued, 1u);
      if (k < ROOM) queue[k] = rows[p];
      else next[atomicAdd(count, 1u)] = rows[p];
    }
  }
  __syncthreads();
  u32 kept = min(queued, (u32)ROOM);
  if (threadIdx.x == 0) first = atomicAdd(count, kept);
  __syncthreads();
  for (u32 k = threadIdx.x; k < kept; k += blockDim.x) next[first + k] = queue[k];
}
