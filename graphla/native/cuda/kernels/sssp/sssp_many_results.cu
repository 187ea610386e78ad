// A table of distances, a row a vertex, as a row a source under the caller's numbers, with presence bits.
#include "bits.cuh"
#include "distances.cuh"

enum { SIDE = 32 };

extern "C" __global__ void sssp_many_results(i64 n, i64 count, const i64* sources, const i32* rank, const Code* dist, i64 infinity,
                                             Out* distances, u32* bits) {
  __shared__ Code tile[SIDE][COLUMNS + 1];
  for (i64 base = (i64)blockIdx.x * SIDE; base < n; base += (i64)gridDim.x * SIDE) {
    __syncthreads();
    for (int i = threadIdx.x; i < SIDE * COLUMNS; i += blockDim.x) {
      int k = i / COLUMNS, c = i % COLUMNS;
      i64 v = base + k;
      i32 r = v < n ? rank[v] : -1;
      tile[k][c] = r >= 0 ? dist[(i64)r * COLUMNS + c] : v == sources[c] ? (Code)0 : (Code)infinity;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < SIDE * count; i += blockDim.x) {
      i64 c = i / SIDE, v = base + i % SIDE;
      Code d = tile[i % SIDE][c];
      bool reached = d != (Code)infinity;
      if (v < n) distances[c * n + v] = reached ? (Out)value(d) : (Out)0;
      store_bit(bits + c * ((n + 31) / 32), v, reached);
    }
  }
}
