// As levels_frontier.cu, with a private queue per block: a block appends to a queue in shared memory and copies it to the next
// frontier at the end.
//
// Work split: one frontier vertex per thread.
// Conflicts: one shared atomic per new vertex, and one global atomic per block; vertices that find the queue full are appended with
// a global atomic each.
// Memory: as levels_frontier.cu; the copy writes consecutive words.
// Source: W. Hwu, D. Kirk, I. El Hajj, Programming massively parallel processors, 4th edition, ch. 15.
#include "levels.cuh"

enum { QUEUE_CAPACITY = 4096 };

extern "C" __global__ void levels_private(i64 size, const i32* frontier, const Offset* offsets, const i32* columns, Level* level, i64 depth,
                                          i32* next_frontier, u32* next_size) {
  __shared__ i32 queue[QUEUE_CAPACITY];
  __shared__ u32 queue_size, first;
  if (threadIdx.x == 0) queue_size = 0;
  __syncthreads();
  for (i64 i = thread(); i < size; i += threads()) {
    i32 v = frontier[i];
    for (i64 p = offsets[v]; p < offsets[v + 1]; p++) {
      if (!claim(level, columns[p], depth)) continue;
      u32 k = atomicAdd(&queue_size, 1u);
      if (k < QUEUE_CAPACITY) queue[k] = columns[p];
      else next_frontier[atomicAdd(next_size, 1u)] = columns[p];
    }
  }
  __syncthreads();
  u32 queued = min(queue_size, (u32)QUEUE_CAPACITY);
  if (threadIdx.x == 0) first = atomicAdd(next_size, queued);
  __syncthreads();
  for (u32 k = threadIdx.x; k < queued; k += blockDim.x) next_frontier[first + k] = queue[k];
}
