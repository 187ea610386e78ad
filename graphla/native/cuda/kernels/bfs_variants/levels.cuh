// What the textbook's searches share: levels, -1 where a vertex is not reached.
#include "warp.cuh"

typedef i32 Level;
__device__ __forceinline__ bool claim(Level* level, i64 u, Level depth) { return level[u] < 0 && atomicCAS(&level[u], -1, depth) == -1; }
