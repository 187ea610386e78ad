// Basic procedures of the STAR-machine on tables: rows compared, copied, added, subtracted, and the rows with the smallest or
// largest value. A row is a number; column 0 is its most significant bit.
//
// Work split: each thread takes 64 rows, one word of each of the k columns, and works on all of them bit by bit.
// Conflicts: none, but atomicMax in `extreme_rows`.
// Memory: reads each column once (`extreme_rows`: at most twice), BATCH columns in flight per thread; columns are contiguous,
// ceil(n / 64) words apart.
// The control slice X selects rows. The right operand is a table, or, if `right_stride` is 0, one word for all rows.
#include "star_grid.cuh"
// Operands: word i of column c for 64 rows.
struct TableOperand {
  const u64* columns;
  i64 column_words;
  __device__ u64 operator()(i64 c, i64 i) const { return columns[c * column_words + i]; }
};
struct WordOperand {  // the same word in all rows
  const u64* word;
  __device__ u64 operator()(i64 c, i64) const { return broadcast_bit(word, c); }
};
struct ZeroOperand {
  __device__ u64 operator()(i64, i64) const { return 0; }
};

// Compare 64 rows at a time from the most significant column on: `equal`, `less` and `greater` have a bit for each row, and
// the thread stops when no row is equal any more. ORDERED: less and greater are needed.
template <bool ORDERED, class Right>
__device__ void compare_with(Right right, i64 wanted, i64 k, i64 n, const u64* table, const u64* X, u64* result) {
  const int BATCH = 8;  // columns in flight
  i64 words = (n + 63) / 64;
  for (i64 i = thread(); i < words; i += threads()) {
    u64 equal = control(X, n, i), less = 0, greater = 0;
    for (i64 c = 0; c < k && equal; c += BATCH) {
      u64 t[BATCH];
#pragma unroll
      for (int j = 0; j < BATCH; j++) t[j] = c + j < k ? table[(c + j) * words + i] : 0;
#pragma unroll
      for (int j = 0; j < BATCH; j++) {
        if (c + j >= k) break;
        u64 r = right(c + j, i);
        if (ORDERED) less |= equal & r & ~t[j], greater |= equal & t[j] & ~r;
        equal &= ~(t[j] ^ r);
      }
    }
    result[i] = (wanted & 1 ? less : 0) | (wanted & 2 ? equal : 0) | (wanted & 4 ? greater : 0);
  }
}

// The slice of the rows in X that are less than (wanted & 1), equal to (2), greater than (4) the right operand.
extern "C" __global__ void compare_rows(i64 wanted, i64 k, i64 n, const u64* table, const u64* right, i64 right_stride, const u64* X,
                                        u64* result) {
  if (right_stride) compare_with<true>(TableOperand{right, right_stride}, wanted, k, n, table, X, result);
  else if (wanted == 2) compare_with<false>(WordOperand{right}, wanted, k, n, table, X, result);
  else compare_with<true>(WordOperand{right}, wanted, k, n, table, X, result);
}

// Ripple-carry addition of 64 rows at a time, from the least significant column on; subtraction adds the complement and 1.
template <class Left, class Right>
__device__ void combine_with(Left left, Right right, i64 op, i64 n, i64 k, u64* result, i64 left_k, i64 right_k, const u64* X) {
  const int BATCH = 4;
  i64 words = (n + 63) / 64;
  for (i64 i = thread(); i < words; i += threads()) {
    u64 selected = control(X, n, i), all = ones(n, i), carry = op == 2 ? ~0ULL : 0;
    if (!selected) continue;
    for (i64 q = 0; q < k; q += BATCH) {
      u64 a[BATCH], b[BATCH], old[BATCH];
#pragma unroll
      for (int j = 0; j < BATCH; j++) {
        a[j] = q + j < left_k && q + j < k ? left(left_k - 1 - q - j, i) : 0;
        b[j] = q + j < right_k ? right(right_k - 1 - q - j, i) : 0;
        old[j] = selected != all && q + j < k ? result[(k - 1 - q - j) * words + i] : 0;
      }
#pragma unroll
      for (int j = 0; j < BATCH; j++) {
        if (q + j >= k) break;
        u64 addend = op == 2 ? ~b[j] : b[j], sum = op ? a[j] ^ addend ^ carry : a[j];
        carry = (a[j] & addend) | (carry & (a[j] ^ addend));
        result[(k - 1 - q - j) * words + i] = (sum & selected) | (old[j] & ~selected);
      }
    }
  }
}

// The rows of `result` in X become those of `left` (op 0), left + right (1) or left - right (2); operands with fewer columns are
// extended by zeros. Without `left` (null) the rows become the word `right`.
extern "C" __global__ void combine_rows(i64 op, i64 n, i64 k, u64* result, i64 left_k, const u64* left, i64 right_k, const u64* right,
                                        i64 right_stride, const u64* X) {
  i64 words = (n + 63) / 64;
  if (!left) combine_with(WordOperand{right}, ZeroOperand(), op, n, k, result, k, 0, X);
  else if (!op) combine_with(TableOperand{left, words}, ZeroOperand(), op, n, k, result, left_k, 0, X);
  else if (right_stride) combine_with(TableOperand{left, words}, TableOperand{right, right_stride}, op, n, k, result, left_k, right_k, X);
  else combine_with(TableOperand{left, words}, WordOperand{right}, op, n, k, result, left_k, right_k, X);
}

// The slice of the rows in X with the largest value (flip = 0) or the smallest (flip = ~0, which inverts all columns). A
// cooperative launch; for each chunk of 64 columns, from the most significant on:
//   1. each thread finds the largest value among its rows that are still candidates, atomicMax that of all, best[chunk];
//   2. after a barrier, the rows with this value remain candidates.
// `best` and `state` are 0 before.
extern "C" __global__ void __launch_bounds__(256, 8)
    extreme_rows(i64 flip, i64 k, i64 n, const u64* table, const u64* X, u64* candidates, u64* best, u64* state) {
  i64 words = (n + 63) / 64, chunks = k ? (k + 63) / 64 : 1;
  for (i64 chunk = 0; chunk < chunks; chunk++) {
    const u64* columns = table + 64 * chunk * words;
    int chunk_columns = k - 64 * chunk < 64 ? k - 64 * chunk : 64;
    u64 largest = 0;
    for (i64 i = thread(); i < words; i += threads()) {
      u64 rows = chunk ? candidates[i] : control(X, n, i), value = 0;
      if (!rows) continue;
      for (int c = 0; c < chunk_columns; c++) {
        u64 with_one = rows & (columns[c * words + i] ^ flip);
        value = 2 * value + (with_one != 0);
        if (with_one) rows = with_one;
      }
      largest = Largest::of(largest, value);
    }
    largest = block_reduce<Largest>(largest);
    if (threadIdx.x == 0 && largest) atomicMax(&best[chunk], largest);
    barrier(state, chunk + 1);
    u64 goal = load_volatile(&best[chunk]);
    for (i64 i = thread(); i < words; i += threads()) {
      u64 rows = chunk ? candidates[i] : control(X, n, i);
      for (int c = 0; c < chunk_columns && rows; c++) {
        u64 t = columns[c * words + i] ^ flip;
        rows &= goal >> (chunk_columns - 1 - c) & 1 ? t : ~t;
      }
      candidates[i] = rows;
    }
  }
  is_last_block(state, chunks);
}
