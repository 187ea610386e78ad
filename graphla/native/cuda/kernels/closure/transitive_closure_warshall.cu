// Transitive closure by Warshall's algorithm on a bit matrix R, bit j of row i: a path from i to j. For each block P of PIVOTS
// consecutive vertices:
//     1. D = closure of R[P, P]
//     2. R[P, :] |= D R[P, :]
//     3. R |= R[:, P] R[P, :]
//
// Work split: one cooperative launch, a grid barrier between the steps. The first block makes D for the next pivots during step
// 3; the others divide steps 2 and 3 into tasks of SLAB * 128 columns of many rows, which they hold in registers. They go
// through the pivots PART at a time, whose unions are tabulated (pivot_unions.cuh) while those of the last PART are used.
// Conflicts: rows change while others read them in step 3, but a word of a pivot's row that is read has a value between the one
// after step 2 and its closed value, and gives the same union: a pivot that a row gets through another pivot adds nothing to
// the latter's closed row. The first block writes `closed` after all blocks have read the last one.
// Memory: each step 3 reads and writes R once; tables, pivot rows and D are in shared memory.
// Source: S. Warshall, J. ACM 9, 1962; V. Arlazarov, E. Dinic, M. Kronrod, I. Faradzev, 1970.
#include "pivot_unions.cuh"

struct Relation {
  int n, row_quads;
  Bits128* rows;
  __device__ __forceinline__ Bits128* row(int i) const { return rows + (i64)i * row_quads; }
};

struct SharedMemory {
  Bits128 *tables, *pivots, *D;
};

// Unite rows first..first+count-1, in `slabs` slabs of columns from Bits128 number first_quad on, with the pivots from `pivot`
// on. The pivots of row first + i are given by the bits of the words from selections[i * selection_stride] on.
struct Unions {
  int pivot, first, count, first_quad, slabs;
  const u32* selections;
  i64 selection_stride;
};

// Which of the two parts of 32 pivots are selected at all: bits 0 and 1.
__device__ __forceinline__ u32 parts_in(u32 selected) { return (u32)((selected & 0xffff) != 0) | (u32)(selected >> PART != 0) << 1; }

// Load the selections among 32 pivots of the thread's row_count rows; the last one again for the rest of the ROWS, so that no
// address is out of range.
template <int ROWS> __device__ __forceinline__ void load_selections(const u32* selection, i64 stride, int row_count, u32 (&selected)[ROWS]) {
#pragma unroll
  for (int j = 0; j < ROWS; j++, selection += j < row_count ? stride : 0) selected[j] = *selection;
}

// Call store(row, quad, value) with the rows united with their pivots, by the thread blocks `worker` of `workers`. A task is a
// slab of as many rows as the block has with ROWS rows per thread, SLAB threads side by side. Parts of the pivots that no row
// of the task has are skipped; the next part is tabulated while one is used.
template <int ROWS, class Store>
__device__ __forceinline__ void unite(const Relation& R, const Unions& u, const SharedMemory& shared, int worker, int workers, Store store) {
  __shared__ u32 parts_needed;  // a bit for each part of the pivots
  const int row_step = max(1, (int)blockDim.x / SLAB), thread_row = threadIdx.x / SLAB;
  const int words = min((int)PIVOT_WORDS, 4 * R.row_quads - u.pivot / 32);
  const i64 selection_step = row_step * u.selection_stride, quad_step = (i64)row_step * R.row_quads;
  for (int task = worker; task < u.slabs * ((u.count + row_step * ROWS - 1) / (row_step * ROWS)); task += workers)
    for (int q = threadIdx.x % SLAB; q < SLAB; q += blockDim.x) {
      int slab = u.first_quad + task % u.slabs * SLAB, begin = task / u.slabs * row_step * ROWS + thread_row;
      int row_count = begin < u.count ? (u.count - begin + row_step - 1) / row_step : 0;  // of this thread, at most ROWS count
      bool is_inside = slab + q < R.row_quads;
      for (int e = threadIdx.x; e < PIVOTS * SLAB; e += blockDim.x) {
        int k = u.pivot + e / SLAB, quad = slab + e % SLAB;
        shared.pivots[e] = k < R.n && quad < R.row_quads ? R.row(k)[quad] : Bits128();
      }
      if (threadIdx.x == 0) parts_needed = 0;
      __syncthreads();
      Bits128 x[ROWS];
      const Bits128* row = R.row(u.first + begin) + slab + q;
      const u32* selections = u.selections + (row_count ? begin : 0) * u.selection_stride;
      u32 found = 0;
#pragma unroll
      for (int j = 0; j < ROWS; j++, row += quad_step) x[j] = j < row_count && is_inside ? *row : Bits128();
      for (int j = 0; j < min((int)ROWS, row_count); j++)
        for (int w = blockDim.x < SLAB ? 0 : q; w < words; w += blockDim.x < SLAB ? 1 : SLAB)
          found |= parts_in(selections[j * selection_step + w]) << 2 * w;
      if (found) atomicOr(&parts_needed, found);
      __syncthreads();
      Bits128 *table = shared.tables, *next_table = table + TABLES * ENTRIES * SLAB;
      u32 parts = parts_needed;
      if (parts) tabulate_unions(shared.pivots + PART * (__ffs(parts) - 1) * SLAB, table);
      __syncthreads();
      u32 selected[ROWS];
      for (int loaded_word = -1; parts;) {
        int part = __ffs(parts) - 1, shift = part % 2 * PART;
        if (part / 2 != loaded_word) load_selections(selections + (loaded_word = part / 2), selection_step, row_count, selected);
        parts &= parts - 1;
        if (parts) tabulate_unions(shared.pivots + PART * (__ffs(parts) - 1) * SLAB, next_table);
#pragma unroll
        for (int j = 0; j < ROWS; j++) x[j] = x[j] | union_of(table, selected[j] >> shift, q);
        Bits128* used_table = table;
        table = next_table, next_table = used_table;
        __syncthreads();
      }
#pragma unroll
      for (int j = 0; j < ROWS; j++)
        if (j < row_count && is_inside) store(begin + j * row_step, slab + q, x[j]);
    }
}

// Close D in shared memory and publish it to all blocks.
__device__ __forceinline__ void close_and_publish(const SharedMemory& shared, Bits128* closed) {
  __syncthreads();
  close_pivots(shared.D, shared.tables);
  for (int e = threadIdx.x; e < PIVOTS * PIVOT_QUADS; e += blockDim.x) closed[e] = shared.D[e];
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    transitive_closure_warshall(i64 n, i64 row_quads, Bits128* rows, Bits128* closed, u32* arrived) {
  SHARED_ARRAY(Bits128, shared_bits);
  Relation R = {(int)n, (int)row_quads, rows};
  SharedMemory shared = {shared_bits, shared_bits + 2 * TABLES * ENTRIES * SLAB, shared_bits + (2 * TABLES * ENTRIES + PIVOTS) * SLAB};
  const int slabs = (R.row_quads + SLAB - 1) / SLAB;
  if (blockIdx.x == 0) {
    for (int e = threadIdx.x; e < PIVOTS * PIVOT_QUADS; e += blockDim.x)
      shared.D[e] = e / PIVOT_QUADS < R.n && e % PIVOT_QUADS < R.row_quads ? R.row(e / PIVOT_QUADS)[e % PIVOT_QUADS] : Bits128();
    close_and_publish(shared, closed);
  }
  for (int pivot = 0; pivot < R.n; pivot += PIVOTS) {
    int count = min((int)PIVOTS, R.n - pivot), next = pivot + PIVOTS;
    grid_barrier(arrived);
    for (int e = threadIdx.x; e < PIVOTS * PIVOT_QUADS; e += blockDim.x) shared.D[e] = closed[e];
    __syncthreads();
    unite<FIRST>(R, {pivot, pivot, count, 0, slabs, (u32*)shared.D, PIVOT_WORDS}, shared, blockIdx.x, gridDim.x,
                 [&](int i, int q, Bits128 x) { R.row(pivot + i)[q] = x; });
    grid_barrier(arrived);
    const u32* selections = (const u32*)R.rows + pivot / 32;
    int reserved_blocks = next < R.n && gridDim.x > 1;  // the first block has no part in step 3 if there are others
    if (next < R.n && blockIdx.x == 0) {
      for (int e = threadIdx.x; e < PIVOTS * PIVOT_QUADS; e += blockDim.x) shared.D[e] = Bits128();
      const u32* next_selections = selections + (i64)next * R.row_quads * 4;
      unite<AHEAD>(R, {pivot, next, min((int)PIVOTS, R.n - next), next / 128, 1, next_selections, 4 * R.row_quads}, shared, 0, 1,
                   [&](int i, int q, Bits128 x) { if (q - next / 128 < PIVOT_QUADS) shared.D[i * PIVOT_QUADS + q - next / 128] = x; });
      close_and_publish(shared, closed);
    }
    if (blockIdx.x >= reserved_blocks)
      unite<MANY>(R, {pivot, 0, R.n, 0, slabs, selections, 4 * R.row_quads}, shared, blockIdx.x - reserved_blocks, gridDim.x - reserved_blocks,
                  [&](int i, int q, Bits128 x) { R.row(i)[q] = x; });
  }
}
