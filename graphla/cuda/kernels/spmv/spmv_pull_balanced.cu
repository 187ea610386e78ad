// SpMV by pull, balanced over rows of all lengths:  C<M, accum, replace> = A u,  for sums that need every entry of a row.
//
// Work split: a warp takes WARP rows and gives each of them a number of lanes that follows from their mean length. Rows of LONG
// entries or more are cut into pieces of LONG entries, a warp per piece; `reduce_row_pieces` adds their sums, a warp per row.
// Conflicts: none; each row or piece has its own sum.
// Memory: reads A once (streaming loads), u at random. The first `nhubs` values of u are copied to shared memory: in a graph
// sorted by degree, most reads go there. Writes C in place.
// Defined before: BLOCK; LONG; U_FULL: u is full; what masked_write.cuh and spmv_multiply.cuh need.
#include "masked_write.cuh"
#include "monoid.cuh"
#include "spmv_multiply.cuh"
enum { AT_ONCE = 4 };  // entries whose loads a lane issues together

struct Operands {
  const Offset* row_offsets;
  const Index* columns;
  const A* a_values;
  const U* u_values;
  const u32* u_bits;
  const U* hub_values;  // of u, in shared memory
  Index nhubs;
};

__device__ __forceinline__ U u_value(const Operands& operands, Index column) {
  if (!USES_U) return U();
  return column < operands.nhubs ? operands.hub_values[column] : operands.u_values[column];
}

// Add the entries p, p + step, ... (AT_ONCE of them) to the sum: all, or only those before `end`. Each kind of load is
// issued for all of them before its values are used.
template <bool ALL> __device__ __forceinline__ void add_batch(bool& has_value, Z& sum, const Operands& operands, i64 row, i64 p, i64 end, int step) {
  Index column[AT_ONCE];
  A a[AT_ONCE];
  U x[AT_ONCE];
  bool is_present[AT_ONCE];
#pragma unroll
  for (int t = 0; t < AT_ONCE; t++) {
    is_present[t] = ALL || p + t * step < end;
    if (is_present[t]) column[t] = load_streaming(operands.columns + p + t * step);
  }
#pragma unroll
  for (int t = 0; t < AT_ONCE; t++)
    if (USES_A && is_present[t]) a[t] = A_ISO ? operands.a_values[0] : load_streaming(operands.a_values + p + t * step);
#pragma unroll
  for (int t = 0; t < AT_ONCE; t++) {
    is_present[t] = is_present[t] && (U_FULL || has(operands.u_bits, column[t]));
    if (is_present[t]) x[t] = u_value(operands, column[t]);
  }
#pragma unroll
  for (int t = 0; t < AT_ONCE; t++) {
    if (!is_present[t]) continue;
    Z z = product(a + t, 0, x[t], row, column[t]);
    if (U_FULL) sum = Add::of(sum, z);
    else accumulate(has_value, sum, z);
  }
}

// Add the entries p, p + step, ... before `end` to the sum.
__device__ __forceinline__ void add_entries(bool& has_value, Z& sum, const Operands& operands, i64 row, i64 p, i64 end, int step) {
  if (U_FULL) has_value |= p < end;
  for (; p + (AT_ONCE - 1) * step < end; p += AT_ONCE * step) add_batch<true>(has_value, sum, operands, row, p, end, step);
  if (p < end) add_batch<false>(has_value, sum, operands, row, p, end, step);
}

// The x of the lane that is `distance` lanes further, within groups of `group_size` lanes.
template <class X> __device__ __forceinline__ X from_next_lane(X x, int distance, int group_size) {
#ifdef SIMULATED
  return from_lane(x, lane() + distance);
#else
  return __shfl_down_sync(~0u, x, distance, group_size);
#endif
}

// Sum over each group of `group_size` lanes; the result is in the group's first lane.
__device__ __forceinline__ void group_sum(bool& has_value, Z& sum, int group_size) {
  for (int distance = group_size / 2; distance; distance /= 2) {
    Z next = from_next_lane(sum, distance, group_size);
    bool next_has_value = from_next_lane((int)has_value, distance, group_size);
    // Without a check: the first lane, whose sum alone is used, never adds its own value, and an empty sum is the identity.
    if (U_FULL) sum = Add::of(sum, next), has_value |= next_has_value;
    else if (next_has_value && lane() % group_size + distance < group_size) accumulate(has_value, sum, next);
  }
}

extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    spmv_pull_balanced(i64 nrows, const Offset* row_offsets, const Index* columns, const A* a_values, const U* u_values, const u32* u_bits,
                       i64 nhubs, i64 npieces, const i64* piece_begins, const i64* piece_rows, Z* piece_sums, bool* piece_has_value,
                       const Mask* mask_values, const u32* mask_bits, C* c_values, const u32* old_c_bits, u32* c_bits) {
  SHARED_ARRAY(U, hub_values);
  for (i64 k = threadIdx.x; k < nhubs; k += blockDim.x) hub_values[k] = u_values[k];
  __syncthreads();
  Operands operands = {row_offsets, columns, a_values, u_values, u_bits, hub_values, (Index)nhubs};
  i64 row_groups = (nrows + WARP - 1) / WARP;
  for (i64 task = warp(); task < npieces + row_groups; task += warps()) {
    bool has_value = false;
    Z sum = Add::identity();
    if (task < npieces) {
      i64 row = piece_rows[task], begin = piece_begins[task], end = min((i64)row_offsets[row + 1], begin + LONG);
      if (mask_allows(mask_values, mask_bits, row)) add_entries(has_value, sum, operands, row, begin + lane(), end, WARP);
      group_sum(has_value, sum, WARP);
      if (lane() == 0) piece_sums[task] = sum, piece_has_value[task] = has_value;
      continue;
    }
    i64 first_row = (task - npieces) * WARP, row = first_row + lane();
    bool is_allowed = row < nrows && mask_allows(mask_values, mask_bits, row);
    i64 begin = is_allowed ? row_offsets[row] : 0, length = is_allowed ? row_offsets[row + 1] - begin : 0;
    bool is_whole = length < LONG;
    if (!is_whole) length = 0;
    i64 total = from_lane(inclusive_scan(length), WARP - 1);
    int lanes_per_row = 1;
    while (lanes_per_row < WARP && lanes_per_row * WARP * AT_ONCE < total) lanes_per_row *= 2;
    int rows_per_pass = WARP / lanes_per_row;
    for (int pass = 0; pass < lanes_per_row; pass++) {
      int owner = pass * rows_per_pass + lane() / lanes_per_row;  // the lane whose row this lane reads
      i64 first = from_lane(begin, owner), last = first + from_lane(length, owner);
      bool part_has_value = false;
      Z part = Add::identity();
      add_entries(part_has_value, part, operands, first_row + owner, first + lane() % lanes_per_row, last, lanes_per_row);
      group_sum(part_has_value, part, lanes_per_row);
      Z row_sum = from_lane(part, lane() % rows_per_pass * lanes_per_row);
      bool row_has_value = from_lane((int)part_has_value, lane() % rows_per_pass * lanes_per_row);
      if (lane() / rows_per_pass == pass) sum = row_sum, has_value = row_has_value;
    }
    bool is_present = false;
    if (row < nrows && is_whole) is_present = masked_write(c_values, row, is_allowed, READS_OLD_C && has(old_c_bits, row), has_value, sum);
    else if (row < nrows) is_present = READS_OLD_C && has(old_c_bits, row);  // reduce_row_pieces reads this bit
    if (c_bits) store_bit_in_new_word(c_bits, old_c_bits, row, is_present);
  }
}

// The k-th long row is rows[k]; its pieces are those from piece_ends[k - 1] to piece_ends[k].
extern "C" __global__ void reduce_row_pieces(i64 nlong, const i64* rows, const i64* piece_ends, const Z* piece_sums, const bool* piece_has_value,
                                             const Mask* mask_values, const u32* mask_bits, C* c_values, const u32* old_c_bits, u32* c_bits) {
  for (i64 k = warp(); k < nlong; k += warps()) {
    bool has_value = false;
    Z sum = Add::identity();
    for (i64 p = (k ? piece_ends[k - 1] : 0) + lane(); p < piece_ends[k]; p += WARP)
      if (piece_has_value[p]) accumulate(has_value, sum, piece_sums[p]);
    group_sum(has_value, sum, WARP);
    if (lane()) continue;
    i64 row = rows[k];
    bool is_present = masked_write(c_values, row, mask_allows(mask_values, mask_bits, row), READS_OLD_C && has(old_c_bits, row), has_value, sum);
    if (c_bits && is_present) set(c_bits, row);
    else if (c_bits) clear(c_bits, row);
  }
}
