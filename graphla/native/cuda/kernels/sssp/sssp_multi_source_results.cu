// Transpose a table of distances with a row per vertex of the search to one with a row per source, in the caller's numbering, with
// presence bits.
//
// Work split: a block takes TILE vertices, reads their rows into shared memory and writes the columns; one more word per row of the
// tile avoids bank conflicts. Conflicts: none; a warp writes whole words of bits.
// Memory: each distance is read and written once, both in consecutive words.
#include "bits.cuh"
#include "distances.cuh"

enum { TILE = 32 };

// rank[v] < 0: v is isolated.
extern "C" __global__ void sssp_multi_source_results(i64 n, i64 num_sources, const i64* sources, const i32* rank, const Code* distances,
                                                     i64 infinity, Out* values, u32* bits) {
  __shared__ Code tile[TILE][COLUMNS + 1];
  for (i64 base = (i64)blockIdx.x * TILE; base < n; base += (i64)gridDim.x * TILE) {
    __syncthreads();
    for (int i = threadIdx.x; i < TILE * COLUMNS; i += blockDim.x) {
      int k = i / COLUMNS, c = i % COLUMNS;
      i64 v = base + k;
      i32 number = v < n ? rank[v] : -1;
      tile[k][c] = number >= 0 ? distances[(i64)number * COLUMNS + c] : v == sources[c] ? (Code)0 : (Code)infinity;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < TILE * num_sources; i += blockDim.x) {
      i64 c = i / TILE, v = base + i % TILE;
      Code distance = tile[i % TILE][c];
      bool is_reached = distance != (Code)infinity;
      if (v < n) values[c * n + v] = is_reached ? (Out)to_distance(distance) : (Out)0;
      store_bit(bits + c * ((n + 31) / 32), v, is_reached);
    }
  }
}
