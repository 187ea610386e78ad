// Claims of vertices for the searches of textbooks. level[v] is -1 while v is not reached.
//
// Defined before: Offset, unless the kernel takes lists of edges.
#include "warp.cuh"

typedef i32 Level;
// Give u the level `depth` if it has none; returns whether this thread did so. The plain read avoids most atomics.
__device__ __forceinline__ bool claim(Level* level, i64 u, Level depth) { return level[u] < 0 && atomicCAS(&level[u], -1, depth) == -1; }
