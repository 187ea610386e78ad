// C<M> = A B by Gustavson's method, restricted to the entries of the mask: C(i,:) = sum over k of A(i,k) * B(k,:).
//
// Work split: by the kind of row i, a piece of at most PIECE entries of the mask's row at a time:
//   masked_thread  few entries in A(i,:) or in the mask: a thread per entry (i,j) of the mask searches j in the rows k of B
//   masked_block   the piece is a RowSet in shared memory, with a sum for each of its entries; a block reads the rows k of
//                  B and looks their columns up there
// Conflicts: masked_block adds to its sums by atomics in shared memory.
// Memory: reads the rows k of B once for each piece; is_present and values have the mask's structure.
// Defined before: what spgemm_multiply.cuh needs; POSITION = 1 and MAX_HASHED (row_set.cuh); PIECE, MAX_HASHED at most;
// GROUP and BLOCK: threads that share a piece in masked_thread and in masked_block; RATIO: a row of B that is RATIO times
// longer than the piece is searched, not read.
#include "warp.cuh"
#include "spgemm_multiply.cuh"
#include "hash_table.cuh"
#include "row_set.cuh"
#include "partial_sum.cuh"
enum {
  THREADS = WARP < GROUP ? WARP : GROUP,
  SHORT = 8,                    // a row k of at most this many entries is read by one thread in masked_block
  UNROLL = 4,                   // loads that a lane issues before it uses the first
  SET_COST = 4096,              // products that are read in the time in which a RowSet is built
  MAX_THREAD_LENGTH = 256       // entries of row i up to which masked_thread is used
};

// kernels[i]: 0 the row has no product or no mask, 1 masked_thread, 2 masked_block. work[i]: number of products of the
// unmasked row; `search_cost`: products that are read in the time of a search in a row of B.
extern "C" __global__ void masked_classify(
    i64 nrows, i64 search_cost, const AOffset* a_offsets, const MOffset* mask_offsets, const i64* work, u8* kernels) {
  for (i64 i = thread(); i < nrows; i += threads()) {
    i64 length = a_offsets[i + 1] - a_offsets[i], mask_length = mask_offsets[i + 1] - mask_offsets[i];
    bool searches = length <= MAX_THREAD_LENGTH && length * mask_length * search_cost <= max(work[i], (i64)SET_COST);
    kernels[i] = !work[i] || !mask_length ? 0 : searches ? 1 : 2;
  }
}

// Piece u is the entries of the mask from piece_begins[u] on, in row piece_rows[u].
#define PARAMETERS \
  const AOffset *a_offsets, const AIndex *a_columns, const AType *a_values, const BOffset *b_offsets, const Index *b_columns, \
      const BType *b_values, const MOffset *mask_offsets, const MIndex *mask_columns, u8 *is_present, Z *values

extern "C" __global__ void masked_thread(const i64* piece_rows, const i64* piece_begins, i64 npieces, PARAMETERS) {
  Operands operands = {a_offsets, a_columns, a_values, b_offsets, b_columns, b_values, mask_offsets, mask_columns};
  for (i64 u = thread() / THREADS; u < npieces; u += threads() / THREADS) {
    i64 i = piece_rows[u], end = min(piece_begins[u] + PIECE, (i64)mask_offsets[i + 1]);
    for (i64 m = piece_begins[u] + thread() % THREADS; m < end; m += THREADS) {
      i64 j = mask_columns[m];
      PartialSum sum;
      for (i64 p = a_offsets[i]; p < a_offsets[i + 1] && !sum.done(); p++) {
        i64 k = a_columns[p], b_end = b_offsets[k + 1], q = lower_bound(b_columns, b_offsets[k], b_end, j);
        if (q < b_end && b_columns[q] == j) sum.add(product(operands, p, q, i, k, j));
      }
      sum.write(m, is_present, values);
    }
  }
}

// next_piece: 0 before; blocks take pieces from it.
extern "C" __global__ void __launch_bounds__(BLOCK) masked_block(const i64* piece_rows, const i64* piece_begins, i64 npieces, u64* next_piece, PARAMETERS) {
  static_assert(PIECE <= MAX_HASHED && PIECE % 32 == 0, "a piece fits in a RowSet");
  __shared__ RowSet<MIndex> set;
  __shared__ Word sums[PIECE];
  __shared__ u32 present_bits[PIECE / 32];
  __shared__ i64 piece;
  Operands operands = {a_offsets, a_columns, a_values, b_offsets, b_columns, b_values, mask_offsets, mask_columns};
  set.clear();
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) piece = atomicAdd(next_piece, (u64)1);
    __syncthreads();
    i64 u = piece;
    if (u >= npieces) break;
    i64 i = piece_rows[u], m = piece_begins[u], first_column = mask_columns[m];
    int length = min(m + PIECE, (i64)mask_offsets[i + 1]) - m;
    i64 last_column = mask_columns[m + length - 1];
    bool is_whole_row = m == mask_offsets[i] && m + length == mask_offsets[i + 1];
    u32 capacity = set.add(mask_columns + m, length);
    for (int t = threadIdx.x; t < length; t += blockDim.x) sums[t] = to_word(Add::identity());
    for (int t = threadIdx.x; t < PIECE / 32; t += blockDim.x) present_bits[t] = 0;
    __syncthreads();
    // Add a product to the sum of entry m + t of the mask.
    auto add_product = [&](int t, i64 p, i64 q, i64 k, i64 j) {
      Z z = product(operands, p, q, i, k, j);
      atomic_accumulate(&sums[t], z);
      u32 bit = 1u << (t & 31);
      if (!(*(volatile u32*)&present_bits[t >> 5] & bit)) atomicOr(&present_bits[t >> 5], bit);
    };
    i64 a_end = a_offsets[i + 1];
    for (i64 first_p = a_offsets[i]; first_p < a_end; first_p += blockDim.x) {
      i64 p = first_p + warp_interleaved_thread(), k = p < a_end ? (i64)a_columns[p] : -1;
      BOffset begin = k < 0 ? 0 : b_offsets[k], stop = k < 0 ? 0 : b_offsets[k + 1];
      if (!is_whole_row && begin < stop) {
        begin = lower_bound(b_columns, begin, stop, first_column);
        stop = lower_bound(b_columns, begin, stop, last_column + 1);
      }
      auto look_up = [&](i64 p, BOffset q, Index j, i64 k) {
        int t = set.find(j, capacity);
        if (t >= 0) add_product(t, p, q, k, j);
      };
      bool is_short = stop - begin <= SHORT;
      if (is_short)
        for (BOffset q = begin; q < stop; q++) look_up(p, q, b_columns[q], k);
      for (u32 long_lanes = ballot(!is_short); long_lanes; long_lanes &= long_lanes - 1) {
        int owner = __ffs(long_lanes) - 1;
        BOffset b = from_lane(begin, owner), b_end = from_lane(stop, owner);
        i64 row = from_lane(k, owner), place_a = from_lane(p, owner);
        if ((b_end - b) / RATIO > length) {
          for (int t = lane(); t < length; t += WARP) {
            i64 j = mask_columns[m + t], q = lower_bound(b_columns, (i64)b, (i64)b_end, j);
            if (q < b_end && b_columns[q] == j) add_product(t, place_a, q, row, j);
          }
        } else {
          for (; b < b_end; b += UNROLL * WARP) {
            Index j[UNROLL];  // issue all loads before their values are used
            for (int v = 0; v < UNROLL; v++) j[v] = b + v * WARP + lane() < b_end ? b_columns[b + v * WARP + lane()] : (Index)-1;
            for (int v = 0; v < UNROLL; v++)
              if (is_index(j[v])) look_up(place_a, b + v * WARP + lane(), j[v], row);
          }
        }
      }
    }
    __syncthreads();
    for (int t = threadIdx.x; t < length; t += blockDim.x) {
      is_present[m + t] = present_bits[t >> 5] >> (t & 31) & 1;
      values[m + t] = from_word(sums[t]);
    }
    set.remove(mask_columns + m, length, capacity);
  }
}
