// C<M> = A B by dot products: C(i,j) = row i of A times row j of B', for each entry (i,j) of the mask. B is given by the
// rows of B' (b_offsets, b_columns, b_values).
//
// Work split: by the kind of row i of A, a piece of at most PIECE entries of the mask's row at a time:
//   dot_thread  short rows: a thread per entry of the mask; the shorter of the two rows is searched in the longer one
//   dot_warp    rows that fit no RowSet, or have few entries of the mask: the same, but a warp shares long pairs of rows
//   dot_block   row i is a RowSet in shared memory, in which a block looks up the entries of the rows j
// Conflicts: none; each entry has its own sum.
// Memory: reads at most the entries of both rows for each entry of the mask; is_present and values have the mask's structure.
// Defined before: what spgemm_multiply.cuh needs; POSITION (1 if values of A are read) and MAX_HASHED (row_set.cuh); PIECE;
// GROUP and BLOCK: threads that share a piece in dot_thread and in dot_block; RATIO: a row that is RATIO times longer than
// the other is searched, not read.
#include "warp.cuh"
#include "spgemm_multiply.cuh"
#include "hash_table.cuh"
#include "row_set.cuh"
#include "partial_sum.cuh"
enum {
  THREADS = WARP < GROUP ? WARP : GROUP,
  SHORT = 8,                    // a row j of at most this many entries is read by one thread in dot_block
  UNROLL = 4                    // loads that a lane issues before it uses the first
};

// kernels[i]: 0 the row has no entry or no mask, 1 dot_thread, 2 dot_warp, 3 dot_block. dot_thread is for rows of up to
// `max_thread_length` entries; building a RowSet pays from `min_block_dots` entries of the mask.
extern "C" __global__ void dot_classify(
    i64 nrows, i64 max_thread_length, i64 min_block_dots, const AOffset* a_offsets, const AIndex* a_columns, const MOffset* mask_offsets,
    u8* kernels) {
  for (i64 i = thread(); i < nrows; i += threads()) {
    i64 begin = a_offsets[i], end = a_offsets[i + 1], length = end - begin, dots = mask_offsets[i + 1] - mask_offsets[i];
    bool fits = length <= MAX_ROW_LENGTH && (length <= MAX_HASHED || end - lower_bound(a_columns, begin, end, PREFIX) <= MAX_HASHED);
    kernels[i] = !length || !dots ? 0 : length <= max_thread_length ? 1 : dots < min_block_dots || !fits ? 2 : 3;
  }
}

// Add the products of every `step`-th entry of the row [s, s_end) of one operand with the entry of the longer row
// [t, t_end) of the other operand that has the same column, if there is one. A_IS_SHORT: the shorter row is A's.
template <bool A_IS_SHORT>
__device__ __forceinline__ void add_dot(const Operands& operands, i64 s, i64 s_end, i64 t, i64 t_end, int step, i64 i, i64 j, PartialSum& sum) {
  for (; s < s_end && t < t_end && !sum.done(); s += step) {
    i64 k = A_IS_SHORT ? (i64)operands.a_columns[s] : (i64)operands.b_columns[s];
    t = A_IS_SHORT ? lower_bound(operands.b_columns, t, t_end, k) : lower_bound(operands.a_columns, t, t_end, k);
    if (t < t_end && (A_IS_SHORT ? (i64)operands.b_columns[t] : (i64)operands.a_columns[t]) == k)
      sum.add(A_IS_SHORT ? product(operands, s, t, i, k, j) : product(operands, t, s, i, k, j));
  }
}
// The same for row i of A and row j of B'; `first`: the first entry of the shorter row.
__device__ __forceinline__ void add_dot(const Operands& operands, i64 i, i64 j, int first, int step, PartialSum& sum) {
  i64 a = operands.a_offsets[i], a_end = operands.a_offsets[i + 1], b = operands.b_offsets[j], b_end = operands.b_offsets[j + 1];
  if (a_end - a <= b_end - b) add_dot<true>(operands, a + first, a_end, b, b_end, step, i, j, sum);
  else add_dot<false>(operands, b + first, b_end, a, a_end, step, i, j, sum);
}

// Piece u is the entries of the mask from piece_begins[u] on, in row piece_rows[u].
#define PARAMETERS \
  const AOffset *a_offsets, const AIndex *a_columns, const AType *a_values, const BOffset *b_offsets, const Index *b_columns, \
      const BType *b_values, const MOffset *mask_offsets, const MIndex *mask_columns, u8 *is_present, Z *values

extern "C" __global__ void dot_thread(const i64* piece_rows, const i64* piece_begins, i64 npieces, PARAMETERS) {
  Operands operands = {a_offsets, a_columns, a_values, b_offsets, b_columns, b_values, mask_offsets, mask_columns};
  for (i64 u = thread() / THREADS; u < npieces; u += threads() / THREADS) {
    i64 i = piece_rows[u], end = min(piece_begins[u] + PIECE, (i64)mask_offsets[i + 1]);
    for (i64 m = piece_begins[u] + thread() % THREADS; m < end; m += THREADS) {
      PartialSum sum;
      add_dot(operands, i, mask_columns[m], 0, 1, sum);
      sum.write(m, is_present, values);
    }
  }
}

extern "C" __global__ void dot_warp(const i64* piece_rows, const i64* piece_begins, i64 npieces, PARAMETERS) {
  Operands operands = {a_offsets, a_columns, a_values, b_offsets, b_columns, b_values, mask_offsets, mask_columns};
  for (i64 u = warp(); u < npieces; u += warps()) {
    i64 i = piece_rows[u], end = min(piece_begins[u] + PIECE, (i64)mask_offsets[i + 1]), length = a_offsets[i + 1] - a_offsets[i];
    for (i64 first_m = piece_begins[u]; first_m < end; first_m += WARP) {
      i64 m = first_m + lane(), j = m < end ? (i64)mask_columns[m] : -1;
      PartialSum sum;
      bool is_short = j < 0 || min(length, (i64)(b_offsets[j + 1] - b_offsets[j])) <= WARP;
      if (is_short && j >= 0) add_dot(operands, i, j, 0, 1, sum);
      for (u32 long_lanes = ballot(!is_short); long_lanes; long_lanes &= long_lanes - 1) {
        int owner = __ffs(long_lanes) - 1;
        PartialSum lane_sum;
        add_dot(operands, i, from_lane(j, owner), lane(), WARP, lane_sum);
        lane_sum = lane_sum.of_warp();
        if (lane() == owner) sum = lane_sum;
      }
      if (j >= 0) sum.write(m, is_present, values);
    }
  }
}

// next_piece: 0 before; blocks take pieces from it.
extern "C" __global__ void __launch_bounds__(BLOCK) dot_block(const i64* piece_rows, const i64* piece_begins, i64 npieces, u64* next_piece, PARAMETERS) {
  __shared__ RowSet<AIndex> set;
  __shared__ i64 piece;
  Operands operands = {a_offsets, a_columns, a_values, b_offsets, b_columns, b_values, mask_offsets, mask_columns};
  set.clear();
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) piece = atomicAdd(next_piece, (u64)1);
    __syncthreads();
    i64 u = piece;
    if (u >= npieces) break;
    i64 i = piece_rows[u], end = min(piece_begins[u] + PIECE, (i64)mask_offsets[i + 1]), a = a_offsets[i];
    int length = a_offsets[i + 1] - a;
    u32 capacity = set.add(a_columns + a, length);
    __syncthreads();
    for (i64 first_m = piece_begins[u]; first_m < end; first_m += blockDim.x) {
      i64 m = first_m + warp_interleaved_thread(), j = m < end ? (i64)mask_columns[m] : -1;
      BOffset begin = j < 0 ? 0 : b_offsets[j], stop = j < 0 ? 0 : b_offsets[j + 1];
      PartialSum sum;
      bool is_short = stop - begin <= SHORT;
      auto look_up = [&](BOffset q, Index k, i64 column, PartialSum& target) {
        int t = set.find(k, capacity);
        if (t >= 0) target.add(product(operands, a + t, q, i, k, column));
      };
      if (is_short)
        for (BOffset q = begin; q < stop && !sum.done(); q++) look_up(q, b_columns[q], j, sum);
      for (u32 long_lanes = ballot(!is_short); long_lanes; long_lanes &= long_lanes - 1) {
        int owner = __ffs(long_lanes) - 1;
        BOffset b = from_lane(begin, owner), b_end = from_lane(stop, owner);
        i64 column = from_lane(j, owner);
        PartialSum lane_sum;
        if ((b_end - b) / RATIO > length) {
          add_dot<true>(operands, a + lane(), a + length, b, b_end, WARP, i, column, lane_sum);
        } else {
          for (; b < b_end && !(Add::TERMINAL && ballot(lane_sum.done())); b += UNROLL * WARP) {
            Index k[UNROLL];  // issue all loads before their values are used
            for (int v = 0; v < UNROLL; v++) k[v] = b + v * WARP + lane() < b_end ? b_columns[b + v * WARP + lane()] : (Index)-1;
            for (int v = 0; v < UNROLL; v++)
              if (is_index(k[v])) look_up(b + v * WARP + lane(), k[v], column, lane_sum);
          }
        }
        lane_sum = lane_sum.of_warp();
        if (lane() == owner) sum = lane_sum;
      }
      if (j >= 0) sum.write(m, is_present, values);
    }
    __syncthreads();
    set.remove(a_columns + a, length, capacity);
  }
}
